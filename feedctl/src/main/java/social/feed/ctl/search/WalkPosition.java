package social.feed.ctl.search;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import social.feed.search.EntryKind;
import social.feed.table.row.Key;

/**
 * How far a walk through a table and its search index has come. What lies before it was compared.
 * As text it is one word of a shell: {@code table/PARTITION/SORT}, or {@code post/ID} or {@code
 * account/ID} after the whole table, each part percent-encoded.
 */
public sealed interface WalkPosition {
  /** The last item of the table that was compared. */
  record InTable(Key item) implements WalkPosition {
    @Override
    public String text() {
      return String.join("/", TABLE, encoded(item.partition()), encoded(item.sort()));
    }
  }

  /**
   * The last entry of the index that was compared.
   *
   * @param id empty before the first entry of the kind
   */
  record InIndex(EntryKind kind, String id) implements WalkPosition {
    @Override
    public String text() {
      return kind.name().toLowerCase(Locale.ROOT) + "/" + encoded(id);
    }
  }

  /** Begins the text of a position in the table. */
  String TABLE = "table";

  /** Returns the position as one word. */
  String text();

  /**
   * Returns the position of a text.
   *
   * @throws IllegalArgumentException with a message for people, if it is none
   */
  static WalkPosition parse(String text) {
    var parts = text.split("/", -1);
    if (parts.length == 3 && parts[0].equals(TABLE)) {
      var item = new Key(decoded(parts[1], text), decoded(parts[2], text));
      if (item.partition().isEmpty() || item.sort().isEmpty()) {
        throw bad(text);
      }
      return new InTable(item);
    }
    if (parts.length == 2) {
      var id = decoded(parts[1], text);
      return Arrays.stream(EntryKind.values())
          .filter(kind -> kind.name().toLowerCase(Locale.ROOT).equals(parts[0]))
          .map(kind -> new InIndex(kind, id))
          .findFirst()
          .orElseThrow(() -> bad(text));
    }
    throw bad(text);
  }

  private static IllegalArgumentException bad(String text) {
    return new IllegalArgumentException(
        "'%s' is no position. Copy one that a run has printed: table/PARTITION/SORT, post/ID or account/ID"
            .formatted(text));
  }

  /** Encodes the only character that is left and has a meaning in shells too. */
  private static String encoded(String part) {
    return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("*", "%2A").replace("+", "%20");
  }

  private static String decoded(String part, String text) {
    try {
      return URLDecoder.decode(part, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw bad(text);
    }
  }
}
