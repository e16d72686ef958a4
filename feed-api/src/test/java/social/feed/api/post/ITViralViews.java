package social.feed.api.post;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.serde.ObjectMapper;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import social.feed.api.edge.cache.SharedCache;
import social.feed.api.edge.security.TestViewer;
import social.feed.api.http.StreamlessCloud;
import social.feed.api.user.AccountBody;
import social.feed.api.user.AccountCache;
import social.feed.api.user.CacheConfiguration;
import social.feed.api.user.HotCaches;
import social.feed.table.graph.FollowEdges;
import social.feed.table.kernel.store.Table;
import social.feed.table.post.Posts;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.user.Users;
import social.feed.testkit.LongRunning;
import social.feed.testkit.OnlyEmbedded;
import social.feed.testkit.OnlyEmbedded.Reason;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.fault.CloudTable;
import social.feed.testkit.fault.VirtualTime;
import social.feed.testkit.simulation.Cloud;

/**
 * A post that callers view 50 000 times a second, next to other posts of the same author, with the
 * limits of a cloud. Each process of the API has its own {@link PostAccess}. Load, processes and
 * limits are divided by {@code -Dviews.factor}, which is 10 by default; 1 is the whole load.
 */
@LongRunning
@OnlyEmbedded(Reason.OWN_ENGINE)
class ITViralViews {
  private static final int FACTOR = Integer.getInteger("views.factor", 10);
  private static final double PER_SECOND = 50_000.0 / FACTOR;
  private static final int PROCESSES = 20 / FACTOR;
  private static final Duration STORM = Duration.ofSeconds(1);

  /** The read units that the partition of an item gives in a second. */
  private static final double LIMIT = 3_000.0 / FACTOR;

  /** Views of other posts, which must not be slower than without the storm. */
  private static final double OTHERS_PER_SECOND = 100;

  private static final CacheConfiguration CACHED =
      new CacheConfiguration(Duration.ofSeconds(1), 10_000);
  private static final CacheConfiguration NOT_CACHED = new CacheConfiguration(Duration.ZERO, 0);

  private final Cloud cloud = StreamlessCloud.with(CloudTable.Limits.scaledDown(FACTOR));
  private final Table table = cloud.table();
  private final VirtualTime time = cloud.time();
  private final SeedWorld.Person author;
  private final Post viral;
  private final List<Post> others;

  ITViralViews() {
    var world = new SeedWorld(cloud.unlimited(), time.clock());
    this.author = world.user("author");
    this.viral = author.posts("viral");
    this.others = IntStream.range(0, 100).mapToObj(i -> author.posts("other " + i)).toList();
  }

  /** What a storm of views did. */
  private record Storm(Cloud.Answers views, Cloud.Answers others, double post, double author) {
    void print(String what) {
      System.out.printf(
          "%s: %d views, %d refused, answered within %s (99 %%); others within %s; %.0f read units"
              + " a second of the post, %.0f of the author%n",
          what,
          views.done(),
          views.refused(),
          views.within(0.99),
          others.within(0.99),
          post,
          author);
    }
  }

  @AfterEach
  void stop() {
    cloud.close();
  }

  @Test
  void viralPost_viewedFiftyThousandTimesASecond() {
    var storm = storm(PROCESSES, CACHED, this::shared);

    storm.print("viral post");
    assertThat(storm.views.refused()).isZero();
    assertThat(cloud.throughput().throttled()).isEmpty();
    assertThat(storm.post).isBetween(1.0, 110.0 * PROCESSES);
    assertThat(storm.post).isLessThan(LIMIT);
    assertThat(storm.author).isLessThan(LIMIT / 5);
    assertThat(storm.views.within(0.99)).isLessThanOrEqualTo(Duration.ofMillis(40));
    assertOthersAreNotSlowed(storm);
  }

  /**
   * The limit of the design: more processes than the partition can serve. Their views wait for the
   * retries of their shared reads. Many then continue at once, and the cached author may be too old
   * by then, so each of them reads it.
   */
  @Test
  void viralPost_viewedByFourTimesAsManyProcesses_slowsOnlyItself() {
    var storm = storm(4 * PROCESSES, CACHED, this::shared);

    storm.print("viral post, four times as many processes");
    assertThat(cloud.throughput().throttled().keySet())
        .contains(partitionOf(viral))
        .isSubsetOf(partitionOf(viral), partitionOf(author.account()));
    assertThat(storm.views.refused()).isZero();
    assertThat(storm.views.within(0.99)).isGreaterThan(quiet());
    assertOthersAreNotSlowed(storm);
  }

  /** The planted bug: each view reads the post. */
  @Test
  void viralPost_whoseReadsAreNotShared_isFoundOut() {
    var storm = storm(PROCESSES, CACHED, posts -> posts::get);

    storm.print("viral post without shared reads");
    assertThat(storm.views.refusedShare()).isGreaterThan(0.1);
    assertThat(storm.views.within(0.99)).isGreaterThan(Duration.ofSeconds(1));
    assertThat(cloud.throughput().throttled().keySet()).containsOnly(partitionOf(viral));
  }

  /** The planted bug: each view reads the author, whom the other posts need as well. */
  @Test
  void viralPost_whoseAuthorIsNotCached_isFoundOut() {
    var storm = storm(PROCESSES, NOT_CACHED, this::shared);

    storm.print("viral post without cached author");
    assertThat(storm.author).isGreaterThan(LIMIT / 2);
    assertThat(cloud.throughput().throttled().keySet()).contains(partitionOf(author.account()));
    assertThat(storm.others.within(0.99)).isGreaterThan(quiet());
  }

  private void assertOthersAreNotSlowed(Storm storm) {
    assertThat(storm.others.refused()).isZero();
    assertThat(storm.others.within(0.99)).isLessThanOrEqualTo(quiet());
  }

  /** Returns how long a view of another post takes without load: three calls, one after another. */
  private static Duration quiet() {
    return Duration.ofMillis(25);
  }

  private Function<String, Optional<Post>> shared(Posts posts) {
    return new SharedReads<>(posts::get, new VirtualWaiting(time))::get;
  }

  private Storm storm(
      int processes,
      CacheConfiguration caching,
      Function<Posts, Function<String, Optional<Post>>> reads) {
    var servers = IntStream.range(0, processes).mapToObj(_ -> process(caching, reads)).toList();
    double postBefore = cloud.throughput().given(partitionOf(viral));
    double authorBefore = cloud.throughput().given(partitionOf(author.account()));
    var views =
        cloud.load(PER_SECOND, STORM, i -> view(servers.get(i % processes), "viewer" + i, viral));
    var otherViews =
        cloud.load(
            OTHERS_PER_SECOND,
            STORM,
            i -> view(servers.get(i % processes), "reader" + i, others.get(i % others.size())));
    cloud.run(STORM);
    double post = cloud.throughput().given(partitionOf(viral)) - postBefore;
    double ofAuthor = cloud.throughput().given(partitionOf(author.account())) - authorBefore;
    // Until all calls and their retries have ended.
    cloud.run(Duration.ofMinutes(1));
    return new Storm(views, otherViews, post / STORM.toSeconds(), ofAuthor / STORM.toSeconds());
  }

  private void view(PostAccess server, String viewer, Post post) {
    var seen = server.visible(TestViewer.of(viewer, table, time.clock()), post.postId());
    assertThat(seen.postId()).isEqualTo(post.postId());
  }

  private PostAccess process(
      CacheConfiguration caching, Function<Posts, Function<String, Optional<Post>>> reads) {
    var posts = new Posts(table);
    var accounts =
        new AccountCache(
            new Users(table),
            new HotCaches(
                caching,
                () -> time.passed().toNanos(),
                SharedCache.NONE,
                ObjectMapper.getDefault()),
            user -> new AccountBody(user.userId(), user.handle(), user.displayName(), null, null));
    return new PostAccess(posts, new FollowEdges(table), accounts, reads.apply(posts));
  }

  private static String partitionOf(Row row) {
    return "table/" + row.key().partition();
  }
}
