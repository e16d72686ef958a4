package social.feed.api.edge.paging;

import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;

/**
 * Encodes cursors: {@code base64url} of a position that a {@link CursorKey} has sealed. The scope
 * is signed and not contained, so a cursor is valid only for its caller and list. The page size is
 * not part of a cursor, so pages of different sizes concatenate.
 */
@Singleton
public final class CursorCodec {
  // A position is at most a few keys. DynamoDB allows 2 KiB and 1 KiB for the parts of a key.
  private static final int LENGTH_MAX = 8192;

  private final CursorKey key;
  private final List<CursorKey> accepted;

  CursorCodec(CursorConfiguration configuration) {
    this.key = new CursorKey(configuration.secret());
    String other = configuration.otherSecret();
    this.accepted = other == null ? List.of(key) : List.of(key, new CursorKey(other));
  }

  /** Returns the cursor of a position in a list. */
  public String encode(CursorScope scope, String position) {
    byte[] token = key.seal(scope, position.getBytes(StandardCharsets.UTF_8));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
  }

  /**
   * Returns the position in a cursor.
   *
   * @throws ProblemException {@code invalid_cursor}, unless {@link #encode} returned exactly this
   *     cursor for this scope, here or where the other secret signs
   */
  public String decode(CursorScope scope, String cursor) {
    byte[] token = bytes(cursor);
    byte[] payload =
        accepted.stream()
            .flatMap(candidate -> candidate.open(scope, token).stream())
            .findFirst()
            .orElseThrow(CursorCodec::invalid);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(payload)).toString();
    } catch (CharacterCodingException e) {
      throw invalid();
    }
  }

  private static byte[] bytes(String cursor) {
    if (cursor.length() > LENGTH_MAX) {
      throw invalid();
    }
    try {
      byte[] token = Base64.getUrlDecoder().decode(cursor);
      // The decoder ignores spare bits of the last character and accepts padding. Only the spelling
      // that the encoder writes is valid.
      boolean canonical =
          Base64.getUrlEncoder().withoutPadding().encodeToString(token).equals(cursor);
      if (token.length < CursorKey.MAC_BYTES || !canonical) {
        throw invalid();
      }
      return token;
    } catch (IllegalArgumentException e) {
      throw invalid();
    }
  }

  private static ProblemException invalid() {
    return new ProblemException(
        ProblemCode.INVALID_CURSOR, "The cursor was not made for this caller and this list");
  }
}
