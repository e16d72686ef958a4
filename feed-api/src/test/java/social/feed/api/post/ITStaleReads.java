package social.feed.api.post;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Ticker;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.Paged;
import social.feed.search.IndexedAccount;
import social.feed.search.IndexedPost;
import social.feed.search.SearchIndex;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Post;
import social.feed.table.row.PostTag;
import social.feed.testkit.SeedWorld.Person;

/**
 * What a reader may still see after a change, and for how long: two servers with the standard
 * caches, on a clock that the test moves. Both have just shown the post before the change. The
 * stream does not run here, so references in lists and feeds and the search index stay as they
 * were, and each page must check posts and accounts itself.
 */
class ITStaleReads {
  /** The standard of {@code feed.hot.cached}. */
  private static final Duration CACHED = Duration.ofSeconds(1);

  private static final Duration PART = Duration.ofMillis(600);
  private static final Duration REST = CACHED.minus(PART);

  private final AtomicLong nanos = new AtomicLong();
  private FeedServer server;
  private FeedServer other;
  private Person ann;
  private Person bob;
  private Post post;
  private String handle;

  /** Where a reader may see the post. */
  private enum Place {
    POST {
      @Override
      String path(Post post) {
        return "/v1/posts/" + post.postId();
      }
    },
    AUTHOR {
      @Override
      String path(Post post) {
        return "/v1/users/" + post.authorId() + "/posts";
      }
    },
    TAG {
      @Override
      String path(Post post) {
        return "/v1/tags/sea/posts";
      }
    },
    FEED {
      @Override
      String path(Post post) {
        return "/v1/feed";
      }
    },
    SEARCH {
      @Override
      String path(Post post) {
        return "/v1/search/posts?q=sea";
      }
    };

    abstract String path(Post post);
  }

  private static final Set<Place> NOWHERE = Set.of();

  @BeforeEach
  void start() throws IOException {
    Map<String, Object> settings = Map.of("feed.hot.cached", CACHED);
    server = FeedServer.startWith(settings, (Ticker) nanos::get);
    other = server.another(settings);
    var world = server.world();
    ann = world.user("ann");
    bob = world.user("bob");
    bob.follows(ann);
    post = ann.posts("at the #sea");
    handle = ann.account().handle();
    server.table().table().putAll(List.of(PostTag.of(post, "sea")));
    world.feeds.deliver(List.of(FeedEntry.of(post.ref(), bob.id())));
    index(server);
    index(other);
    assertThat(accounts(server)).as("before the change").contains(ann.id());
    assertThat(accounts(other)).as("before the change").contains(ann.id());
    assertThat(places(server)).as("before the change").isEqualTo(Set.of(Place.values()));
    assertThat(places(other)).as("before the change").isEqualTo(Set.of(Place.values()));
  }

  @AfterEach
  void stop() {
    other.stop();
    server.close();
  }

  @Test
  void deletedPost_isGoneAtOnce_andFromListsInASecond() {
    Expect.status(204, asAnn().delete(Place.POST.path(post)));

    // The list of the author reads its references from an index, which lacks the post at once.
    assertShown(Set.of(Place.TAG, Place.FEED));
    pass(PART);
    assertShown(Set.of(Place.TAG, Place.FEED));
    pass(REST);
    assertShown(NOWHERE);
  }

  @Test
  void postThatBecamePrivate_isGoneAtOnce_andFromListsInASecond() {
    Expect.status(200, asAnn().patch(Place.POST.path(post), "{\"visibility\":\"private\"}"));

    assertShown(Set.of(Place.TAG, Place.FEED));
    pass(PART);
    assertShown(Set.of(Place.TAG, Place.FEED));
    pass(REST);
    assertShown(NOWHERE);
  }

  @Test
  void postForFollowers_isShownToThemOnly() {
    Expect.status(200, asAnn().patch(Place.POST.path(post), "{\"visibility\":\"followers\"}"));
    // A search shows public posts only.
    assertShown(Set.of(Place.POST, Place.AUTHOR, Place.TAG, Place.FEED));

    bob.unfollows(ann);

    // The tag row still says that the post is public, as the cached post does.
    assertShown(Set.of(Place.TAG));
    pass(CACHED);
    assertShown(NOWHERE);
  }

  @Test
  void postOfABlockedAccount_isGoneAtOnce() {
    bob.blocks(ann);

    assertShown(NOWHERE);
  }

  @Test
  void postOfAnAccountThatBlocks_isGoneAtOnce() {
    ann.blocks(bob);

    assertShown(NOWHERE);
  }

  /** The account itself is gone at once, and its posts when servers no longer have the account. */
  @Test
  void postOfAnErasedAccount_isGoneInASecond() {
    Expect.status(202, asAnn().delete("/v1/users/me"));

    var lists = Set.of(Place.POST, Place.TAG, Place.FEED);
    assertShown(lists);
    for (var each : List.of(server, other)) {
      assertThat(accounts(each)).isEmpty();
      Expect.problem(404, "not_found", reader(each).get("/v1/users/" + ann.id()));
      Expect.problem(409, "account_erased", each.as(ann).get("/v1/users/me"));
    }
    pass(PART);
    assertShown(lists);
    pass(REST);
    assertShown(NOWHERE);
  }

  /** A server that has not shown the account within the second does not know it. */
  @Test
  void postOfAnErasedAccount_isGoneAtOnceFromAServerThatDidNotShowIt() {
    pass(CACHED);
    Expect.status(202, asAnn().delete("/v1/users/me"));

    assertShown(NOWHERE);
  }

  @Test
  void changedProfile_isShownToItsOwnerAtOnce_andNextToPostsInASecond() {
    Expect.status(200, asAnn().patch("/v1/users/me", "{\"display_name\":\"Anna\"}"));

    for (var each : List.of(server, other)) {
      assertThat(each.as(ann).get(Place.POST.path(post)).at("author", "display_name"))
          .isEqualTo("Anna");
      assertThat(reader(each).get(Place.POST.path(post)).at("author", "display_name"))
          .isEqualTo("ann");
    }
    pass(CACHED);
    for (var each : List.of(server, other)) {
      assertThat(reader(each).get(Place.POST.path(post)).at("author", "display_name"))
          .isEqualTo("Anna");
    }
  }

  /** Each server of a test has an index of its own. */
  private void index(FeedServer at) throws IOException {
    SearchIndex index = at.bean(SearchIndex.class);
    index.putPost(
        new IndexedPost(post.postId(), ann.id(), post.text(), Set.of(), post.createdAt()), "1");
    index.putAccount(new IndexedAccount(ann.id(), handle, "ann"), "1");
    index.refresh();
  }

  private List<String> accounts(FeedServer at) {
    return Paged.ids(Expect.status(200, reader(at).get("/v1/search/accounts?q=" + handle)));
  }

  /** Reads on both servers, so that a cache that a read prolongs would not end. */
  private void assertShown(Set<Place> expected) {
    assertThat(places(server)).as("on the server that changed it").isEqualTo(expected);
    assertThat(places(other)).as("on another server").isEqualTo(expected);
  }

  private Set<Place> places(FeedServer at) {
    var shown = new TreeSet<Place>();
    for (var place : Place.values()) {
      var answer = reader(at).get(place.path(post));
      if (answer.text().contains(post.postId()) && answer.status() == 200) {
        shown.add(place);
      }
    }
    return shown;
  }

  private Api reader(FeedServer at) {
    return at.as(bob);
  }

  private Api asAnn() {
    return server.as(ann);
  }

  private void pass(Duration duration) {
    nanos.addAndGet(duration.toNanos());
  }
}
