package social.feed.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.table.counter.CountChange;
import social.feed.table.counter.Counters;
import social.feed.table.counter.Fences.Place;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.post.Posts;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.Comment;
import social.feed.table.row.Post;
import social.feed.table.row.User;
import social.feed.table.user.CelebrityRule;
import social.feed.table.user.Users;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.TestTable;

/** Repairs the comments of a post that gets a comment before each of the first attempts. */
class ITRepairAttempts {
  private static final Instant AT =
      Instant.now().minus(Duration.ofDays(1)).truncatedTo(ChronoUnit.MILLIS);
  private static final String SHARD = "shardId-00000001772366400000-abcdef";

  private final TestTable engine = TestTable.start();
  private final Post post = SamplePosts.by("ann", AT).build();
  private final List<Boolean> attempts = new ArrayList<>();
  private final List<String> repairing = new ArrayList<>();

  @BeforeEach
  void countTenTooMany() {
    for (var id : List.of("ann", "bob")) {
      new Users(engine.table()).register(User.registered(id, id, id, null, AT));
    }
    new Posts(engine.table()).create(post);
    for (int i = 0; i < 30; i++) {
      comment("earlier" + i);
    }
    count(10);
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  @Test
  void longCount_isTriedLessOftenInARound() {
    // The second and the third attempt count 32 and 33 rows.
    repair(3, 70);

    assertThat(attempts).as("three in a round, then one").containsExactly(true, false, false, true);
    assertThat(repairing).filteredOn(it -> it.startsWith("comments_count")).hasSize(2);
  }

  @Test
  void countOfMoreThanThat_isTriedOnceInARound() {
    repair(2, 29);

    assertThat(attempts).containsExactly(true, true, true);
    assertThat(repairing).filteredOn(it -> it.startsWith("comments_count")).hasSize(3);
  }

  private void repair(int concurrent, long countedAgain) {
    var fixed =
        new RepairLoop(
                engine.table(),
                engine.clock(),
                Optional.empty(),
                TrendingTags.HALF_LIFE,
                (places, hasWaited) -> {
                  if (places.contains(Place.counts(post.key().partition()))) {
                    attempts.add(hasWaited);
                    if (attempts.size() <= concurrent) {
                      comment("later" + attempts.size());
                    }
                  }
                  return places;
                },
                countedAgain)
            .run(() -> {}, _ -> {}, repairing::add);

    assertThat(new Posts(engine.table()).get(post.postId()).orElseThrow().commentsCount())
        .as(fixed.render())
        .isEqualTo(30 + concurrent);
  }

  private void comment(String name) {
    engine
        .table()
        .putAll(
            List.of(
                new Comment(post.postId(), TimeOrderedId.named(AT, name), "bob", "ann", "Hi", AT)));
    count(1);
  }

  private void count(long delta) {
    var sequence = "%021d".formatted(System.nanoTime());
    new Counters(engine.table(), new CelebrityRule(1_000))
        .apply(
            SHARD,
            Map.of(post.key(), List.of(new CountChange(sequence, Post.COMMENTS_COUNT, delta))));
  }
}
