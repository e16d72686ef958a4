package social.feed.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.Paged;
import social.feed.search.IndexedAccount;
import social.feed.search.IndexedPost;
import social.feed.search.SearchIndex;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

/** Searches over HTTP, with a table and an index for each test, which is as late as it may be. */
class ITSearch {
  private static final String POSTS = "/v1/search/posts?q=";
  private static final String ACCOUNTS = "/v1/search/accounts?q=";

  private FeedServer server;
  private SearchIndex index;
  private Person ann;
  private Person bob;
  private Api caller;

  @BeforeEach
  void start() {
    server = FeedServer.start(Map.of());
    SeedWorld world = server.world();
    index = server.bean(SearchIndex.class);
    ann = world.user("ann");
    bob = world.user("bob");
    caller = server.as(ann);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Post indexed(Post post) throws IOException {
    index.putPost(
        new IndexedPost(
            post.postId(), post.authorId(), post.text(), Set.copyOf(post.tags()), post.createdAt()),
        "1");
    index.refresh();
    return post;
  }

  private void indexed(Person person) throws IOException {
    index.putAccount(
        new IndexedAccount(person.id(), person.account().handle(), person.account().displayName()),
        "1");
    index.refresh();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private List<String> found(String query) {
    return Paged.ids(Expect.status(200, caller.get(POSTS + query)));
  }

  @Test
  void posts_byWords_haveHighlights() throws IOException {
    Post post = indexed(bob.posts("One Caf\u00e9 in \ud83d\ude00 York, new york"));
    indexed(bob.posts("Something else"));

    Answer page = Expect.status(200, caller.get(POSTS + encoded("cafe \"new york\"")));

    assertThat(Paged.ids(page)).containsExactly(post.postId());
    var marked = new ArrayList<String>();
    page.json()
        .get("items")
        .get(0)
        .get("highlights")
        .values()
        .forEach(
            range ->
                marked.add(
                    post.text()
                        .substring(
                            range.get("from").getIntValue(), range.get("to").getIntValue())));
    assertThat(marked).containsExactly("Caf\u00e9", "new york");
  }

  @Test
  void posts_byFilters_matchAllOfThem() throws IOException {
    Post first = indexed(bob.posts("tea #green"));
    Post second = indexed(ann.posts("tea #green"));
    Post third = indexed(bob.posts("tea"));

    assertThat(found("tea&author=" + bob.id()))
        .containsExactlyInAnyOrder(first.postId(), third.postId());
    assertThat(found("tea&tag=Green")).containsExactlyInAnyOrder(first.postId(), second.postId());
    assertThat(found("tea&tag=%20")).isEmpty();
    assertThat(found("tea&since=" + second.createdAt()))
        .containsExactlyInAnyOrder(second.postId(), third.postId());
    assertThat(found("tea&until=" + second.createdAt())).containsExactly(first.postId());
    assertThat(found("tea&since=2026-02-31T00:00:00.123456789Z")).hasSize(3);
  }

  @Test
  void posts_ofALateIndex_areHidden() throws IOException {
    Post shown = indexed(bob.posts("tea"));
    Post deleted = indexed(bob.posts("tea"));
    bob.deletes(deleted);
    indexed(bob.posts("tea", Visibility.PRIVATE));
    indexed(bob.posts("tea", Visibility.FOLLOWERS));
    indexed(ann.posts("tea", Visibility.PRIVATE));
    ann.follows(bob);

    assertThat(found("tea")).containsExactly(shown.postId());
  }

  @Test
  void pages_behindHiddenPosts_areFull() throws IOException {
    List<String> shown = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      Post post = indexed(bob.posts("tea", i % 2 == 0 ? Visibility.PUBLIC : Visibility.PRIVATE));
      if (post.visibility() == Visibility.PUBLIC) {
        shown.add(post.postId());
      }
    }
    for (int size : List.of(1, 7, 29, 30, 50)) {
      assertThat(Paged.ids(caller, POSTS + "tea", size))
          .containsExactlyElementsOf(shown.reversed());
    }
  }

  @Test
  void cursor_ofAnotherSearchOrCaller_isRefused() throws IOException {
    indexed(bob.posts("tea"));
    indexed(bob.posts("tea"));
    String cursor = Paged.next(caller.get(POSTS + "tea&limit=1"));

    Expect.status(200, caller.get(POSTS + "tea&limit=1&cursor=" + cursor));
    Expect.problem(400, "invalid_cursor", caller.get(POSTS + "Tea&cursor=" + cursor));
    Expect.problem(400, "invalid_cursor", server.as(bob).get(POSTS + "tea&cursor=" + cursor));
  }

  @Test
  void accounts_byBeginnings_areFoundUnlessABlockSeparates() throws IOException {
    indexed(bob);
    String path = ACCOUNTS + bob.account().handle().substring(0, 3);
    assertThat(Paged.ids(caller.get(path))).containsExactly(bob.id());

    ann.mutes(bob);
    assertThat(Paged.ids(caller.get(path))).containsExactly(bob.id());
    ann.blocks(bob);
    assertThat(Paged.ids(caller.get(path))).isEmpty();
    ann.unblocks(bob);
    bob.blocks(ann);
    assertThat(Paged.ids(caller.get(path))).isEmpty();
  }

  @Test
  void accounts_thatDoNotExist_areHidden() throws IOException {
    index.putAccount(new IndexedAccount("gone", "gone", "Gone"), "1");
    index.refresh();

    assertThat(Paged.ids(Expect.status(200, caller.get(ACCOUNTS + "gone")))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"%20", "%0A%09", "%C2%A0", "%E3%80%80", "%22%22"})
  void words_thatAreBlank_findNothing(String blank) throws IOException {
    indexed(bob.posts("tea"));

    assertThat(found(blank)).isEmpty();
    assertThat(found(blank + "&author=" + bob.id())).isEmpty();
    assertThat(Paged.ids(Expect.status(200, caller.get(ACCOUNTS + blank)))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/search/posts",
        "/v1/search/accounts",
        POSTS + "x&limit=51",
        POSTS + "x&since=2026-13-01T00:00:00Z",
        POSTS + "x&until=yesterday",
        POSTS + "x&author=%20",
        ACCOUNTS + "x&limit=51"
      })
  void request_withWrongVariable_isRefused(String path) {
    Expect.problem(400, "invalid_request", caller.get(path));
  }

  @Test
  void words_upToTheirLength_areAccepted() {
    Expect.status(200, caller.get(POSTS + encoded("\ud83d\ude00".repeat(128))));
    Expect.problem(400, "invalid_request", caller.get(POSTS + "x".repeat(129)));
    Expect.problem(400, "invalid_request", caller.get(ACCOUNTS + "x".repeat(129)));
  }
}
