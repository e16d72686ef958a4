package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A part of a large delivery: {@code FANOUT#<post> / CHUNK#<n>}, the followers between two ids. Its
 * insert in the stream is what has it worked off.
 *
 * @param postId the post
 * @param feedShards the post's; known here also when the post is gone
 * @param number from 0, six digits in the key
 * @param first id of its first follower
 * @param last id of its last follower
 * @param followers how many they were
 * @param outcome how it ended, absent until then
 * @param written entries
 * @param skipped followers who are owed nothing, or no longer follow
 * @param doneAt when it ended
 * @param expiresAt epoch second after which nobody asks any more
 */
@StoredAs(RowKind.FAN_OUT_CHUNK)
public record FanOutChunk(
    String postId,
    int feedShards,
    long number,
    String first,
    String last,
    long followers,
    @Nullable ChunkOutcome outcome,
    long written,
    long skipped,
    @Nullable Instant doneAt,
    long expiresAt)
    implements Row {
  public static final String OUTCOME = "outcome";
  public static final String WRITTEN = "written";
  public static final String SKIPPED = "skipped";
  public static final String DONE_AT = "done_at";

  /** One that is to be worked off. */
  public static FanOutChunk of(
      Post post, long number, String first, String last, long followers, long expiresAt) {
    return new FanOutChunk(
        post.postId(),
        post.feedShards(),
        number,
        first,
        last,
        followers,
        null,
        0,
        0,
        null,
        expiresAt);
  }

  /** The same between other ids. */
  public FanOutChunk between(String from, String to) {
    return new FanOutChunk(
        postId,
        feedShards,
        number,
        from,
        to,
        followers,
        outcome,
        written,
        skipped,
        doneAt,
        expiresAt);
  }

  public static Key key(String postId, long number) {
    return new Key(Keys.fanout(postId), Keys.chunk(number));
  }

  @Override
  public Key key() {
    return key(postId, number);
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.copyOf(List.of(first, last));
  }

  @Override
  public List<Key> parents() {
    // The row expires, and may outlive its post until then.
    return List.of();
  }
}
