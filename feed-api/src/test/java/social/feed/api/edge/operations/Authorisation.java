package social.feed.api.edge.operations;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The decided statuses of an operation for each kind of caller: a row of {@code authorisation.txt}.
 *
 * @param operation such as {@code get /v1/feed}
 * @param statuses one for each kind of caller; a row without one for operators answers them as any
 *     other account
 */
record Authorisation(String operation, Map<Caller, Integer> statuses) {

  /** The relation of a caller to the owner of the resource in the path. */
  enum Caller {
    ANONYMOUS,
    SELF,
    OTHER,
    FOLLOWER,
    BLOCKED,
    /** Another account, whose token has the scope of operators. */
    OPERATOR
  }

  static List<Authorisation> all() {
    return lines("/authorisation.txt").stream().map(Authorisation::row).toList();
  }

  static List<String> lines(String resource) {
    try (InputStream in =
        Objects.requireNonNull(Authorisation.class.getResourceAsStream(resource))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Authorisation row(String line) {
    List<String> cells = Arrays.stream(line.split("\\|")).map(String::strip).toList();
    Map<Caller, Integer> statuses = new EnumMap<>(Caller.class);
    for (Caller caller : Caller.values()) {
      // Where operators have no cell, they are answered as any other account.
      boolean hasCell = 1 + caller.ordinal() < cells.size();
      Caller decided = hasCell ? caller : Caller.OTHER;
      statuses.put(caller, Integer.valueOf(cells.get(1 + decided.ordinal())));
    }
    return new Authorisation(cells.getFirst(), statuses);
  }
}
