package social.feed.api.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import social.feed.api.edge.operations.Document;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.api.http.Paged;
import social.feed.search.IndexedAccount;
import social.feed.search.IndexedPost;
import social.feed.search.SearchIndex;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.post.PostTags;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Keys;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.Visibility;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

/**
 * Every route that shows accounts, or their content, for callers who block, are blocked or mute. A
 * new route must be listed here as well.
 */
@ExtendWith(FeedServerExtension.class)
class ITHiddenAccounts {
  private static final long LATER = 4_000_000_000L;

  /** Each is a word of three characters, so none begins another one. */
  private static final AtomicInteger WORDS = new AtomicInteger(36 * 36);

  private final FeedServer server;
  private final SeedWorld world;
  private final Person ann;
  private final Person bob;
  private final Person carol;
  private final Post ofBob;
  private final Post ofCarol;
  private final Api caller;
  private int strangers;

  /** Too short for a typing error, so that it finds no account of another test. */
  private final String word = Integer.toString(WORDS.getAndIncrement(), Character.MAX_RADIX);

  ITHiddenAccounts(FeedServer server, SeedWorld world) {
    this.server = server;
    this.world = world;
    this.ann = world.user("ann");
    this.bob = world.user("bob");
    this.carol = world.user("carol");
    this.caller = server.as(ann);
    this.ofCarol = carol.posts("x #" + tag());
    this.ofBob = bob.posts("x #" + tag());
  }

  private String tag() {
    return "t" + ann.id().replace("-", "_");
  }

  /** The relation that hides bob from the caller, with its begin and end. */
  private enum Relation {
    BLOCKS((me, other) -> me.blocks(other), (me, other) -> me.unblocks(other)),
    IS_BLOCKED((me, other) -> other.blocks(me), (me, other) -> other.unblocks(me)),
    MUTES((me, other) -> me.mutes(other), (me, other) -> me.unmutes(other));

    private final BiConsumer<Person, Person> begin;
    private final BiConsumer<Person, Person> end;

    Relation(BiConsumer<Person, Person> begin, BiConsumer<Person, Person> end) {
      this.begin = begin;
      this.end = end;
    }
  }

  /** A list that shows bob or his content next to others. */
  private enum Listing {
    FEED("/v1/feed", true, _ -> "/v1/feed"),
    SPECIAL_FIRST("/v1/feed", true, _ -> "/v1/feed?special_first=true"),
    TAG("/v1/tags/{tag}/posts", false, t -> "/v1/tags/" + t.tag() + "/posts"),
    SEARCH("/v1/search/posts", false, t -> "/v1/search/posts?q=" + t.tag()),
    SEARCH_ACCOUNTS("/v1/search/accounts", false, t -> "/v1/search/accounts?q=" + t.word),
    LIKES("/v1/posts/{id}/likes", false, t -> "/v1/posts/" + t.ofCarol.postId() + "/likes"),
    COMMENTS(
        "/v1/posts/{id}/comments", false, t -> "/v1/posts/" + t.ofCarol.postId() + "/comments"),
    FOLLOWERS("/v1/users/{id}/followers", false, t -> "/v1/users/" + t.carol.id() + "/followers"),
    FOLLOWING("/v1/users/{id}/following", false, t -> "/v1/users/" + t.carol.id() + "/following"),
    COMMON(
        "/v1/users/{id}/common-following",
        false,
        t -> "/v1/users/" + t.carol.id() + "/common-following"),
    MUTUALS("/v1/users/{id}/mutuals", false, t -> "/v1/users/" + t.carol.id() + "/mutuals"),
    OWN_LIKES("/v1/users/me/likes", false, _ -> "/v1/users/me/likes"),
    OWN_COMMENTS("/v1/users/me/comments", false, _ -> "/v1/users/me/comments"),
    NOTIFICATIONS("/v1/notifications", true, _ -> "/v1/notifications"),
    UNREAD("/v1/notifications", true, _ -> "/v1/notifications?unread=true");

    private final String route;
    private final boolean isMutable;
    private final Function<ITHiddenAccounts, String> path;

    Listing(String route, boolean isMutable, Function<ITHiddenAccounts, String> path) {
      this.route = route;
      this.isMutable = isMutable;
      this.path = path;
    }
  }

  /** A single resource of bob. */
  private enum Single {
    PROFILE("/v1/users/{id}", t -> "/v1/users/" + t.bob.id()),
    BY_HANDLE(
        "/v1/users/by-handle/{handle}", t -> "/v1/users/by-handle/" + t.bob.account().handle()),
    POSTS("/v1/users/{id}/posts", t -> "/v1/users/" + t.bob.id() + "/posts"),
    FOLLOWERS("/v1/users/{id}/followers", t -> "/v1/users/" + t.bob.id() + "/followers"),
    FOLLOWING("/v1/users/{id}/following", t -> "/v1/users/" + t.bob.id() + "/following"),
    COMMON("/v1/users/{id}/common-following", t -> "/v1/users/" + t.bob.id() + "/common-following"),
    MUTUALS("/v1/users/{id}/mutuals", t -> "/v1/users/" + t.bob.id() + "/mutuals"),
    POST("/v1/posts/{id}", t -> "/v1/posts/" + t.ofBob.postId()),
    LIKES("/v1/posts/{id}/likes", t -> "/v1/posts/" + t.ofBob.postId() + "/likes"),
    COMMENTS("/v1/posts/{id}/comments", t -> "/v1/posts/" + t.ofBob.postId() + "/comments");

    private final String route;
    private final Function<ITHiddenAccounts, String> path;

    Single(String route, Function<ITHiddenAccounts, String> path) {
      this.route = route;
      this.path = path;
    }

    /** A blocker needs the profile to end the block. */
    private boolean isVisibleToTheBlocker() {
      return this == PROFILE || this == BY_HANDLE;
    }
  }

  /** Routes that show only the caller's own data or relationships, or no accounts at all. */
  private static final Set<String> OWN_STATE =
      Set.of(
          "/v1/access-patterns",
          "/v1/feed/why-missing",
          "/v1/media/{id}",
          "/v1/notifications/unread-count",
          "/v1/posts/{id}/delivery",
          "/v1/relationships",
          "/v1/users/me",
          "/v1/users/me/blocks",
          "/v1/users/me/export",
          "/v1/users/me/media",
          "/v1/users/me/mutes",
          // Operators see all accounts; a block hides no one from them.
          "/v1/operator/suspicious",
          "/v1/webhooks",
          "/v1/webhooks/{id}",
          "/v1/webhooks/{id}/deliveries");

  /** A ranking, which has no pages and shows muted accounts; see below. */
  private static final String LEADERBOARD = "/v1/leaderboards/authors";

  /** The event stream, see {@code ITLive}. */
  private static final String STREAM = "/v1/stream";

  /** A route that shows no accounts. */
  private static final String TRENDING = "/v1/tags/trending";

  @Test
  void readRoutes_areAllListedHere() {
    Set<String> listed = new TreeSet<>(OWN_STATE);
    listed.addAll(List.of(LEADERBOARD, TRENDING, STREAM));
    Stream.of(Listing.values()).forEach(list -> listed.add(list.route));
    Stream.of(Single.values()).forEach(single -> listed.add(single.route));
    List<String> documented =
        Document.operations(server.anonymous()).keySet().stream()
            .filter(name -> name.startsWith("get "))
            .map(name -> name.substring("get ".length()))
            .toList();

    assertThat(documented).containsExactlyInAnyOrderElementsOf(listed);
  }

  static Stream<Arguments> lists() {
    return Stream.of(Relation.values())
        .flatMap(s -> Stream.of(Listing.values()).map(list -> Arguments.of(s, list)));
  }

  @ParameterizedTest
  @MethodSource("lists")
  void list_afterBlockOrMute_omitsTheOtherAtOnceAndStaysFull(Relation relation, Listing list) {
    boolean hides = relation != Relation.MUTES || list.isMutable;
    List<String> others = fill(list, carol);
    List<String> bobs = fill(list, bob);
    others.addAll(fill(list, carol));
    String path = list.path.apply(this);
    List<String> before = Paged.ids(caller, path, 2);
    assertThat(before).containsAll(others).containsAll(bobs);

    relation.begin.accept(ann, bob);

    List<String> visible = hides ? without(bobs, before) : before;
    Paged.holds(caller, path, visible);
    relation.end.accept(ann, bob);
    restoreEdge(list);
    assertThat(Paged.ids(caller, path, 3)).isEqualTo(before);
  }

  private static List<String> without(List<String> some, List<String> all) {
    return all.stream().filter(id -> !some.contains(id)).toList();
  }

  /** A cursor holds a position, and no decision about visibility. */
  @ParameterizedTest
  @MethodSource("lists")
  void list_withEarlierCursor_omitsTheOtherAndNoOneElse(Relation relation, Listing list) {
    boolean hides = relation != Relation.MUTES || list.isMutable;
    fill(list, carol);
    List<String> bobs = fill(list, bob);
    fill(list, carol);
    String path = list.path.apply(this);
    List<String> before = Paged.ids(caller, path, 2);
    Answer first = caller.get(Paged.path(path, 1, null));

    relation.begin.accept(ann, bob);

    List<String> rest = before.subList(1, before.size());
    assertThat(rest).containsAll(bobs);
    assertThat(Paged.idsAfter(caller, path, 2, Paged.next(first)))
        .isEqualTo(hides ? without(bobs, rest) : rest);
  }

  /** Adds items of a person to a list, and returns their ids in the list. */
  private List<String> fill(Listing list, Person person) {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      ids.add(
          switch (list) {
            case FEED -> delivered(person);
            case SPECIAL_FIRST -> special(person);
            case TAG -> tagged(person);
            case SEARCH -> indexed(person);
            case SEARCH_ACCOUNTS, LIKES, FOLLOWERS, FOLLOWING, COMMON, MUTUALS ->
                related(list, person);
            case COMMENTS -> person.comments(ofCarol, "x").commentId();
            case OWN_LIKES -> ann.likes(person.posts("x")).postId();
            case OWN_COMMENTS -> ann.comments(person.posts("x"), "y").commentId();
            case NOTIFICATIONS, UNREAD -> notification(person);
          });
    }
    return new ArrayList<>(Set.copyOf(ids));
  }

  private String delivered(Person person) {
    if (world.follows.get(ann.id(), person.id()).isEmpty()) {
      ann.follows(person);
    }
    Post post = person.posts("x");
    world.feeds.deliver(List.of(FeedEntry.of(post.ref(), ann.id())));
    return post.postId();
  }

  private String special(Person person) {
    String id = delivered(person);
    ann.marks(person);
    return id;
  }

  private String tagged(Person person) {
    Post post = person.posts("x #" + tag());
    new PostTags(server.table().table()).write(List.of(post));
    return post.postId();
  }

  private String indexed(Person person) {
    Post post = person.posts("x #" + tag());
    try {
      var index = server.bean(SearchIndex.class);
      var indexed =
          new IndexedPost(
              post.postId(), person.id(), post.text(), Set.copyOf(post.tags()), post.createdAt());
      index.putPost(indexed, "1");
      index.refresh();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return post.postId();
  }

  /** These lists contain each account once, so a new account replaces carol each time. */
  private String related(Listing list, Person person) {
    Person one = person == carol ? world.user("x" + ++strangers) : person;
    switch (list) {
      case SEARCH_ACCOUNTS -> indexedAccount(one);
      case LIKES -> one.likes(ofCarol);
      case FOLLOWERS -> one.follows(carol);
      case COMMON -> {
        carol.follows(one);
        ann.follows(one);
      }
      case MUTUALS -> {
        carol.follows(one);
        one.follows(carol);
      }
      default -> carol.follows(one);
    }
    return one.id();
  }

  /** The index is as late as it may be: it knows no blocks. By handle, bob is in the middle. */
  private void indexedAccount(Person person) {
    String handle = person == bob ? "m" : strangers % 2 == 0 ? "a" : "x";
    try {
      var index = server.bean(SearchIndex.class);
      index.putAccount(new IndexedAccount(person.id(), handle, word), "1");
      index.refresh();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds a notification of a kind that forms no groups. */
  private String notification(Person person) {
    var at = Timestamps.now(server.table().clock());
    var id = TimeOrderedId.named(at, person.id());
    world.notifications.add(
        new Notification(
            ann.id(), id, NotificationType.MENTION, person.id(), ofBob.postId(), at, false, LATER));
    return id;
  }

  /** A block ends the follow, and an unblock does not restore it. */
  private void restoreEdge(Listing list) {
    switch (list) {
      case FEED, COMMON -> ann.follows(bob);
      case SPECIAL_FIRST -> {
        var edge = ann.follows(bob);
        // As the stream does after the backfill.
        world.follows.noteBackfilled(edge, ofBob.createdAt().plusMillis(1));
        ann.marks(bob);
      }
      default -> {}
    }
  }

  @ParameterizedTest
  @EnumSource(Relation.class)
  void leaderboard_afterBlock_omitsTheOtherAtOnceAndStaysFull(Relation relation) {
    String month = Keys.month(Instant.now());
    for (Person person : List.of(bob, carol)) {
      var row = TopAuthor.empty(month, person.id()).plus(Map.of(TopAuthor.GAINED, 1L), Map.of());
      server.table().table().putAll(List.of(row));
    }
    // Without the period, the request may be in the next month already.
    String path = LEADERBOARD + "?by=gained&limit=100&period=" + month;
    assertThat(Paged.ids(caller.get(path))).contains(bob.id(), carol.id());

    relation.begin.accept(ann, bob);

    List<String> shown = Paged.ids(Expect.status(200, caller.get(path)));
    assertThat(shown).contains(carol.id());
    assertThat(shown.contains(bob.id())).isEqualTo(relation == Relation.MUTES);
    relation.end.accept(ann, bob);
    assertThat(Paged.ids(caller.get(path))).contains(bob.id(), carol.id());
  }

  /** The index is as late as it may be: it knows no blocks. */
  @ParameterizedTest
  @EnumSource(Relation.class)
  void searchOfAccounts_afterBlock_omitsTheOtherAtOnceAndStaysFull(Relation relation)
      throws IOException {
    var index = server.bean(SearchIndex.class);
    // Exact words come first, so bob does.
    index.putAccount(new IndexedAccount(bob.id(), "b", word), "1");
    index.putAccount(new IndexedAccount(carol.id(), "c", word + "x"), "1");
    index.refresh();
    String path = "/v1/search/accounts?q=" + word;
    assertThat(Paged.ids(caller.get(path))).containsExactly(bob.id(), carol.id());

    relation.begin.accept(ann, bob);

    List<String> shown = Paged.ids(Expect.status(200, caller.get(path)));
    Answer first = Expect.status(200, caller.get(path + "&limit=1"));
    if (relation == Relation.MUTES) {
      assertThat(shown).containsExactly(bob.id(), carol.id());
      assertThat(Paged.ids(first)).containsExactly(bob.id());
    } else {
      assertThat(shown).containsExactly(carol.id());
      assertThat(Paged.ids(first)).containsExactly(carol.id());
      assertThat(first.text()).doesNotContain(bob.id());
    }
    relation.end.accept(ann, bob);
    assertThat(Paged.ids(caller.get(path))).containsExactly(bob.id(), carol.id());
  }

  static Stream<Arguments> singles() {
    return Stream.of(Relation.values())
        .flatMap(s -> Stream.of(Single.values()).map(single -> Arguments.of(s, single)));
  }

  @ParameterizedTest
  @MethodSource("singles")
  void single_ofHiddenAccount_isMissingAtOnce(Relation relation, Single single) {
    String path = single.path.apply(this);
    Expect.status(200, caller.get(path));

    relation.begin.accept(ann, bob);

    switch (relation) {
      case MUTES -> Expect.status(200, caller.get(path));
      case BLOCKS -> Expect.status(single.isVisibleToTheBlocker() ? 200 : 404, caller.get(path));
      case IS_BLOCKED -> Expect.problem(404, "not_found", caller.get(path));
    }
    relation.end.accept(ann, bob);
    Expect.status(200, caller.get(path));
  }

  static Stream<Relation> blocks() {
    return Stream.of(Relation.BLOCKS, Relation.IS_BLOCKED);
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void post_behindBlock_cannotBeLikedOrCommented(Relation relation) {
    String post = "/v1/posts/" + ofBob.postId();
    relation.begin.accept(ann, bob);

    Expect.problem(404, "not_found", caller.post(post + "/like"));
    Expect.problem(404, "not_found", caller.delete(post + "/like"));
    Expect.problem(404, "not_found", caller.post(post + "/comments", "{\"text\":\"x\"}"));

    assertThat(world.likes.likedBy(ann.id(), List.of(ofBob.postId()))).isEmpty();
    relation.end.accept(ann, bob);
    Expect.status(200, caller.post(post + "/like"));
    Expect.status(201, caller.post(post + "/comments", "{\"text\":\"x\"}"));
  }

  /** A like belongs to its author, who can remove it when the post is no longer visible. */
  @ParameterizedTest
  @MethodSource("blocks")
  void earlierLike_behindBlock_canBeRemoved(Relation relation) {
    String like = "/v1/posts/" + ofBob.postId() + "/like";
    Expect.status(200, caller.post(like));
    relation.begin.accept(ann, bob);

    Expect.status(204, caller.delete(like));

    assertThat(world.likes.likedBy(ann.id(), List.of(ofBob.postId()))).isEmpty();
    Expect.problem(404, "not_found", caller.delete(like));
  }

  @ParameterizedTest
  @EnumSource(Relation.class)
  void mention_behindBlock_isPlainText(Relation relation) {
    String text = "to @" + bob.account().handle() + " and @" + carol.account().handle();
    assertThat(mentioned(text)).containsExactly(bob.id(), carol.id());

    relation.begin.accept(ann, bob);

    assertThat(mentioned(text).contains(bob.id())).isEqualTo(relation == Relation.MUTES);
    assertThat(mentioned(text)).contains(carol.id());
    relation.end.accept(ann, bob);
    assertThat(mentioned(text)).containsExactly(bob.id(), carol.id());
  }

  private List<String> mentioned(String text) {
    Answer answer = Expect.status(201, caller.post("/v1/posts", "{\"text\":\"" + text + "\"}"));
    List<String> ids = new ArrayList<>();
    for (JsonNode mention : answer.json().get("mentions").values()) {
      ids.add(mention.get("id").getStringValue());
    }
    return ids;
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void follow_behindBlock_isRejected(Relation relation) {
    relation.begin.accept(ann, bob);

    Expect.problem(422, "blocked", caller.post("/v1/users/" + bob.id() + "/follow"));
    Expect.status(204, caller.delete("/v1/users/" + bob.id() + "/follow"));

    relation.end.accept(ann, bob);
    Expect.status(204, caller.post("/v1/users/" + bob.id() + "/follow"));
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void ownPost_omitsLikesAndCommentsOfTheOther(Relation relation) {
    Post own = ann.posts("x");
    bob.likes(own);
    bob.comments(own, "x");
    relation.begin.accept(ann, bob);

    for (String list : List.of("/likes", "/comments")) {
      assertThat(caller.get("/v1/posts/" + own.postId() + list).text()).isEqualTo("{\"items\":[]}");
    }
  }

  @Test
  void unreadCount_countsVisibleNotifications() {
    notification(bob);
    notification(carol);
    assertUnread(2);
    ann.mutes(bob);
    assertUnread(1);
    ann.unmutes(bob);
    bob.blocks(ann);
    assertUnread(1);
    bob.unblocks(ann);
    assertUnread(2);
  }

  private void assertUnread(int count) {
    assertThat(caller.get("/v1/notifications/unread-count").at("count")).isEqualTo("" + count);
  }

  @Test
  void whyMissing_behindBlockOrMute_namesIt() {
    String path = "/v1/feed/why-missing?post_id=" + ofBob.postId();
    ann.follows(bob);
    ann.mutes(bob);
    assertThat(caller.get(path).at("reason")).isEqualTo("muted");
    ann.unmutes(bob);
    assertThat(caller.get(path).at("reason")).isEqualTo("delivery_pending");
    for (Relation relation : List.of(Relation.BLOCKS, Relation.IS_BLOCKED)) {
      relation.begin.accept(ann, bob);
      assertThat(caller.get(path).at("reason")).isEqualTo("blocked");
      relation.end.accept(ann, bob);
    }
  }

  /** That it exists is known to those who may read it. */
  @ParameterizedTest
  @EnumSource(
      value = Visibility.class,
      names = {"FOLLOWERS", "PRIVATE"})
  void whyMissing_behindBlock_doesNotNameAPostThatIsNotPublic(Visibility visibility) {
    Post secret = bob.posts("x", visibility);
    bob.blocks(ann);
    assertThat(caller.get("/v1/feed/why-missing?post_id=" + secret.postId()).at("reason"))
        .isEqualTo("unavailable");
  }
}
