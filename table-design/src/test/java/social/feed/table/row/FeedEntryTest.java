package social.feed.table.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import social.feed.table.kernel.id.TimeOrderedId;

class FeedEntryTest {
  private static final int READERS = 10_000;
  private static final PostRef POST =
      new PostRef(
          TimeOrderedId.random(Instant.EPOCH, new Random(3)),
          "author",
          Instant.EPOCH,
          Visibility.PUBLIC,
          4,
          FanOutMode.PUSH);

  /** Values from Python's {@code zlib.crc32}: the shard of an entry is a wire format. */
  @ParameterizedTest
  @CsvSource({
    "p1, alice, 4, 3",
    "p1, bob, 4, 0",
    "0199b1f0-0000-7000-8000-000000000001, alice, 16, 1",
    "0199b1f0-0000-7000-8000-000000000001, carol, 7, 4",
    "p, ü, 10, 4"
  })
  void shard_knownValues_neverChange(String postId, String readerId, int shards, int shard) {
    assertThat(FeedEntry.shard(postId, readerId, shards)).isEqualTo(shard);
  }

  @Test
  void entry_outlivesTheHorizonOfEveryReader_withDifferentClocks() {
    var createdAt = Instant.parse("2026-03-01T12:00:00.999Z");
    var entry = new FeedEntry(POST.postId(), 0, "reader", "author", createdAt);
    var slowClock = Instant.ofEpochSecond(entry.expiresAt()).minus(Duration.ofHours(12));
    assertThat(FeedEntry.horizon(slowClock)).isAfter(createdAt);
  }

  @Test
  void expired_isTheLatestTimeWhoseEntriesMayAllBeGone() {
    var now = Instant.parse("2026-03-01T12:00:00Z");
    var expired = FeedEntry.expired(now);

    assertThat(entry(expired.minusMillis(1)).expiresAt()).isLessThan(now.getEpochSecond());
    assertThat(entry(expired).expiresAt()).isEqualTo(now.getEpochSecond());
    assertThat(entry(expired.plusSeconds(1)).expiresAt()).isGreaterThan(now.getEpochSecond());
    assertThat(expired).isBefore(FeedEntry.horizon(now));
  }

  private static FeedEntry entry(Instant createdAt) {
    return new FeedEntry(POST.postId(), 0, "reader", "author", createdAt);
  }

  @Test
  void shard_manyReaders_spreadOverAllPartitions() {
    var counts = new int[POST.feedShards()];
    for (int i = 0; i < READERS; i++) {
      counts[FeedEntry.shard(POST.postId(), "reader" + i, POST.feedShards())]++;
    }

    for (int count : counts) {
      assertThat(count).isBetween(READERS / 4 * 9 / 10, READERS / 4 * 11 / 10);
    }
  }

  @Test
  void shard_oneShard_isTheFirst() {
    assertThat(FeedEntry.shard(POST.postId(), "reader", 1)).isZero();
  }

  @Test
  void key_ofPostAndReader_isTheKeyOfTheEntry() {
    for (int i = 0; i < 100; i++) {
      var entry = FeedEntry.of(POST, "reader" + i);
      assertThat(FeedEntry.key(POST.postId(), POST.feedShards(), "reader" + i))
          .isEqualTo(entry.key());
    }
  }

  @Test
  void of_postOfAnAuthor_hasThePostsTimeAndAuthor() {
    var entry = FeedEntry.of(POST, "reader");

    assertThat(entry.createdAt()).isEqualTo(POST.createdAt());
    assertThat(entry.authorId()).isEqualTo("author");
  }
}
