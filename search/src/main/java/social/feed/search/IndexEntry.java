package social.feed.search;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** A post or an account, as an index holds it. */
public sealed interface IndexEntry permits IndexedPost, IndexedAccount {
  /** Counts the changes of how contents become terms, so that older entries are found. */
  int FORMAT = 1;

  /** The length of a fingerprint, in bytes. */
  int FINGERPRINT_BYTES = 16;

  /** Returns the kind. */
  EntryKind kind();

  /** Returns the id of the post or of the account. */
  String id();

  /** Returns all that a search depends on. */
  List<String> content();

  /**
   * Returns a short text that differs where the content does, or how an index cuts it into terms.
   */
  default String fingerprint() {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      digest.update((byte) FORMAT);
      for (var part : content()) {
        var bytes = part.getBytes(StandardCharsets.UTF_8);
        digest.update(Integer.toString(bytes.length).getBytes(StandardCharsets.US_ASCII));
        digest.update((byte) ' ');
        digest.update(bytes);
      }
      return HexFormat.of().formatHex(digest.digest(), 0, FINGERPRINT_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JVM has SHA-256", e);
    }
  }
}
