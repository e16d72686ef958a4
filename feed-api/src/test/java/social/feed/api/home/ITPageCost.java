package social.feed.api.home;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.FeedServer;
import social.feed.api.http.Paged;
import social.feed.table.home.PullRegistry;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.schema.FeedTable;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.Block;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Like;
import social.feed.table.row.Mute;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.cost.Bill;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The cost that AWS bills for a full page of the home feed: 50 posts by 50 authors, all liked by
 * the caller; and for a profile and a post.
 */
class ITPageCost {
  private static final int PAGE = 50;

  /** More than a page; beyond the stored feed a page reads from the authors. */
  private static final int POSTS = PAGE + 10;

  private static final String FEED = "/v1/feed?limit=" + PAGE;

  private FeedServer server;
  private Bill bill;
  private Api caller;
  private Person me;
  private final List<Person> authors = new ArrayList<>();
  private final List<Post> posts = new ArrayList<>();

  @BeforeEach
  void start() {
    server = FeedServer.start(Map.of("feed.hot.cached", "1h", "feed.pull.registry-cached", "1h"));
    me = server.world().user("me");
    caller = server.as(me);
    follow(me, i -> server.world().user("author" + i));
    bill = server.table().bill();
  }

  /**
   * Lets a reader follow authors, with one post each, which are delivered, and like their posts.
   */
  private void follow(Person reader, IntFunction<Person> authorOf) {
    authors.clear();
    posts.clear();
    for (int i = 0; i < POSTS; i++) {
      Person author = authorOf.apply(i);
      reader.follows(author);
      Post post = author.posts("post " + i);
      server.world().feeds.deliver(List.of(FeedEntry.of(post.ref(), reader.id())));
      reader.likes(post);
      authors.add(author);
      posts.add(post);
    }
    // Records the daily activity before the measurement; reads two posts already.
    server.as(reader).get("/v1/feed?limit=1");
  }

  @AfterEach
  void stop() {
    bill.close();
    server.close();
  }

  private double units() {
    return unitsOf(caller);
  }

  private static double unitsOf(Api reader) {
    var answer = reader.get(FEED);
    assertThat(answer.json().get("items").size()).isEqualTo(PAGE);
    return units(answer);
  }

  private static double units(Answer answer) {
    assertThat(answer.header("X-Consumed-Write-Units")).hasValue("0");
    return Double.parseDouble(answer.header("X-Consumed-Read-Units").orElseThrow());
  }

  @Test
  void page_ofUncachedPosts_costsItsPostsAndAuthors() {
    var fresh = server.another(Map.of()).as(me);

    assertThat(units(fresh.get(FEED))).isEqualTo(59.0);
  }

  /** The registry is read by the process, at its own pace, and for all readers. */
  @Test
  void page_ofUncachedPosts_costsNoMore_withManyCelebritiesOnThePlatform() {
    celebrities();
    var other = server.another(Map.of("feed.pull.registry-cached", "1h"));
    readsTheRegistry(other);

    assertThat(units(other.as(me).get(FEED))).isEqualTo(58.5);
    other.stop();
  }

  /** The list of followed accounts is read once, for their celebrities and for the posts. */
  @Test
  void page_ofUncachedPosts_costsTheListOfWhatItsReaderFollows() {
    celebrities();
    for (int i = 0; i < 140; i++) {
      me.follows(server.world().user("more" + i));
    }
    var other = server.another(Map.of("feed.pull.registry-cached", "1h"));
    readsTheRegistry(other);

    assertThat(units(other.as(me).get(FEED))).isEqualTo(62.0);
    other.stop();
  }

  /** To read the list for the posts alone would cost more than to read their edges. */
  @Test
  void page_ofAFollowerOfVeryMany_usesTheListThatIsKnown() {
    celebrities();
    var follows = server.world().followWriter;
    for (int from = 0; from < 1_200; from += 75) {
      follows.adopt(
          IntStream.range(from, from + 75)
              .mapToObj(i -> Follow.imported(me.id(), "stranger" + i, Instant.now()))
              .toList());
    }
    var other = server.another(Map.of("feed.pull.registry-cached", "1h"));
    readsTheRegistry(other);

    assertThat(units(other.as(me).get(FEED))).isEqualTo(88.5);
    other.stop();
  }

  /** Of a celebrity whose history the caller kept, later posts cost nothing. */
  @ParameterizedTest
  @ValueSource(ints = {100, 2_100})
  void page_ofACallerWhoKeptTheHistoryOfACelebrity_costsNothingForLaterPosts(int later) {
    var star = server.world().user("star");
    var end = posts.getLast().createdAt().plusSeconds(1);
    new PullRegistry(server.table().table())
        .change(star.id(), end.minus(Duration.ofDays(1)), author -> author);
    me.follows(star);
    server.world().followWriter.unfollowKeepingHistory(me.id(), star.id(), end);
    var kept = SamplePosts.of(star.id(), end, FanOutMode.PULL);
    server.table().table().putAll(List.of(kept));
    double before = units(server.another(Map.of()).as(me).get(FEED));

    server
        .table()
        .table()
        .putAll(
            IntStream.rangeClosed(1, later)
                .mapToObj(i -> SamplePosts.of(star.id(), end.plusMillis(i), FanOutMode.PULL))
                .toList());

    var page = server.another(Map.of()).as(me).get(FEED);
    assertThat(Paged.ids(page)).hasSize(PAGE).startsWith(kept.postId());
    assertThat(units(page)).isEqualTo(before);
  }

  private void celebrities() {
    var registry = new PullRegistry(server.table().table());
    IntStream.range(0, 300)
        .mapToObj(i -> server.world().user("celebrity" + i))
        .forEach(star -> registry.change(star.id(), Instant.now(), author -> author));
  }

  private static void readsTheRegistry(FeedServer process) {
    process.as("reader").get(FEED);
  }

  @Test
  void page_ofHotPosts_costsTheLikes() {
    units();
    assertThat(units()).isEqualTo(3.5);
  }

  /** With ids of 36 characters, as those of Cognito. */
  @Test
  void pages_withLongIds_costMore() {
    var world = server.world();
    Person reader = world.user("reader", longId("reader"));
    follow(reader, i -> world.user("writer" + i, longId("writer" + i)));

    var process =
        server.another(Map.of("feed.hot.cached", "1h", "feed.pull.registry-cached", "1h"));
    readsTheRegistry(process);

    assertThat(unitsOf(process.as(reader))).as("nothing is cached").isEqualTo(59.5);
    assertThat(unitsOf(process.as(reader))).as("all is cached").isEqualTo(4.5);
    likesOthers(reader, 0, 40);
    assertThat(unitsOf(process.as(reader))).as("with a hundred likes").isEqualTo(6.0);
    process.stop();
  }

  private static String longId(String name) {
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
  }

  /** Of the likes since the oldest post a hundred are read, and then the like of each open post. */
  @Test
  void page_ofACallerWhoLikesALot_costsAHundredLikesAndThoseOfItsPosts() {
    likesOthers(me, 0, 40);
    units();
    assertThat(units()).isEqualTo(4.5);

    likesOthers(me, 40, 100);
    assertThat(units()).isEqualTo(30.0);
    assertThat(caller.get(FEED).text()).doesNotContain("\"liked\":false");
  }

  @Test
  void postWithManyLikes_ofACallerWhoLikesALot_costsAHundredLikesMore() {
    var post = posts.getFirst();
    server
        .table()
        .table()
        .update(
            post.key(),
            new Update().set(Post.LIKES_COUNT, Post.LIKES_SPREAD_FROM),
            Condition.present());
    likesOthers(me, 0, 100);
    var path = "/v1/posts/" + post.postId();
    units(caller.get(path));

    assertThat(units(caller.get(path))).isEqualTo(5.0);
  }

  /** Likes of posts that are on no page, after all others. */
  private void likesOthers(Person reader, int from, int to) {
    var at = posts.getLast().createdAt().plusSeconds(60);
    server
        .table()
        .table()
        .putAll(IntStream.range(from, to).mapToObj(i -> like(reader, at.plusMillis(i))).toList());
  }

  private Like like(Person reader, Instant at) {
    var author = authors.getFirst().id();
    return new Like(SamplePosts.of(author, at, FanOutMode.PUSH).postId(), reader.id(), author, at);
  }

  @Test
  void page_ofACallerWhoMutes_costsTheBlocksAsWell() {
    me.mutes(authors.getFirst());
    units();

    assertThat(units()).isEqualTo(4.5);
  }

  @Test
  void profileAndPost_costTheirRows_andTheCallersBlocks() {
    assertThat(units(caller.get("/v1/users/" + authors.getFirst().id()))).isEqualTo(2.0);
    assertThat(units(caller.get("/v1/users/me"))).isEqualTo(2.0);
    assertThat(units(caller.get("/v1/posts/" + posts.getFirst().postId()))).isEqualTo(3.0);
    // Its author is fresh.
    assertThat(units(caller.get("/v1/posts/" + posts.getFirst().postId()))).isEqualTo(2.5);
  }

  /** What others pile up costs a request for one account one unit at most. */
  @Test
  void profileAndPost_costOneUnitMoreAtMost_howeverManyAreBlocked() {
    String profile = "/v1/users/" + authors.getFirst().id();
    String post = "/v1/posts/" + posts.getFirst().postId();
    blocks(0, 10);
    assertThat(units(caller.get(profile))).isEqualTo(2.0);
    assertThat(units(caller.get(post))).isEqualTo(3.0);
    blocks(10, 1_000);
    assertThat(units(caller.get(profile))).isEqualTo(2.0);
    assertThat(units(caller.get(post))).isEqualTo(3.5);
    // The same where its author is not cached.
    assertThat(units(server.another(Map.of()).as(me).get(post))).isEqualTo(4.0);
  }

  /** Writes blocks of the caller, and blocks by as many others, whose ids lie around others. */
  private void blocks(int from, int to) {
    var rows = new ArrayList<Row>();
    for (int i = from; i < to; i++) {
      var block = new Block(me.id(), (i % 2 == 0 ? "a" : "z") + i, posts.getFirst().createdAt());
      rows.add(block);
      rows.add(new BlockedBy(me.id(), block.blockedId() + "x", block.createdAt()));
    }
    server.table().table().putAll(rows);
  }

  @Test
  void page_ofACallerInManyBlocks_costsAtMostTheRowsOfItsAuthors() {
    me.mutes(authors.getFirst());
    units();
    blocks(0, 10);
    assertThat(units()).isEqualTo(4.5);
    blocks(10, 230);
    assertThat(units()).isBetween(15.0, 16.5);
    blocks(230, 1_000);
    // The first 500 rows, and two of each of 50 authors, which these leave open.
    assertThat(units()).isBetween(118.0, 120.0);
  }

  /** The first 500 mutes are known by the version of the quota. */
  @Test
  void page_ofACallerWithManyMutes_costsAtMostOneRowOfEachAuthor() {
    var at = posts.getFirst().createdAt();
    server
        .table()
        .table()
        .putAll(
            IntStream.range(0, 1_000).mapToObj(i -> Mute.of(me.id(), "a" + i, at, null)).toList());
    me.mutes(authors.getFirst());
    units();

    assertThat(units()).isBetween(55.0, 57.0);
  }

  @Test
  void block_byAnotherAccount_countsWithTheNextPage() {
    units();
    authors.getLast().blocks(me);
    assertThat(caller.get(FEED).text()).doesNotContain(posts.getLast().postId());
  }

  @Test
  void mute_countsWithTheNextPage() {
    units();
    me.mutes(authors.getLast());
    assertThat(caller.get(FEED).text()).doesNotContain(posts.getLast().postId());
    units();
    me.unmutes(authors.getLast());
    assertThat(caller.get(FEED).text()).contains(posts.getLast().postId());
  }

  /** The index is late: the quota does not prove the list, so each edge is read as well. */
  @Test
  void page_whileTheIndexOfFollowedAccountsIsLate_isRight() {
    hideFromIndex(Follow.key(me.id(), authors.getLast().id()));

    assertThat(units()).isEqualTo(103.5);
    assertThat(caller.get(FEED).text()).contains(posts.getLast().postId());
  }

  /** The index shows as many accounts as the caller follows, one of them no longer followed. */
  @Test
  void page_whileTheIndexShowsAFormerFollow_isRight() {
    Person former = authors.getLast();
    Map<String, AttributeValue> edge =
        server.table().table().get(Follow.key(me.id(), former.id())).orElseThrow();
    me.unfollows(former);
    Person next = server.world().user("next");
    Follow follow = me.follows(next);
    Post post = next.posts("the newest post");
    server.world().feeds.deliver(List.of(FeedEntry.of(post.ref(), me.id())));
    hideFromIndex(follow.key());
    var shown = new HashMap<>(edge);
    shown.put(FeedTable.DECLARATION.partitionKey(), AttributeValue.fromS("FORMER"));
    server.table().client().putItem(b -> b.tableName(server.table().table().name()).item(shown));
    assertThat(server.world().follows.followees(me.id()))
        .hasSize(POSTS)
        .contains(former.id())
        .doesNotContain(next.id());

    assertThat(caller.get(FEED).text())
        .contains(post.postId())
        .doesNotContain(posts.getLast().postId());
  }

  private void hideFromIndex(Key edge) {
    server
        .table()
        .table()
        .update(
            edge,
            new Update().remove(Index.FOLLOWING.partitionKey()).remove(Index.FOLLOWING.sortKey()),
            Condition.present());
  }

  @Test
  void unfollow_onAnotherServer_countsAtOnce() {
    units();
    me.unfollows(authors.getLast());
    assertThat(caller.get(FEED).text())
        .doesNotContain(posts.getLast().postId())
        .contains(posts.get(POSTS - PAGE).postId());
  }
}
