package social.feed.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
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

  /** Accounts with a word that no other one has, each third of them hidden. */
  private List<String> manyAccounts(int count) throws IOException {
    List<String> shown = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Person person = server.world().user("p%02d".formatted(i));
      // Two of each handle: an index that is late may have that.
      index.putAccount(
          new IndexedAccount(person.id(), "h%02d".formatted(i / 2), "Marlon Tea"), "1");
      index.putAccount(
          new IndexedAccount("gone%02d".formatted(i), "h%02d".formatted(i / 2), "Marlon"), "1");
      switch (i % 3) {
        case 0 -> ann.blocks(person);
        case 1 -> person.blocks(ann);
        default -> shown.add(person.id());
      }
    }
    index.refresh();
    return shown;
  }

  @Test
  void pagesOfAccounts_behindHiddenOnes_areFull() throws IOException {
    List<String> shown = manyAccounts(30);

    Paged.holds(caller, ACCOUNTS + "marlon", shown);
    assertThat(Paged.ids(caller, ACCOUNTS + "marlon+te", 3)).isEqualTo(shown);
    assertThat(Paged.ids(server.as(bob), ACCOUNTS + "marlon", 50)).hasSize(30);
  }

  @Test
  void pagesOfAccounts_whileTheIndexChanges_goOn() throws IOException {
    List<String> shown = manyAccounts(30);
    Answer first = Expect.status(200, caller.get(ACCOUNTS + "marlon&limit=4"));
    assertThat(Paged.ids(first)).isEqualTo(shown.subList(0, 4));

    // The last one, and one before and one behind it; and others appear at both places.
    for (int i : List.of(3, 1, 8)) {
      index.deleteAccount(shown.get(i), "2");
    }
    index.putAccount(new IndexedAccount(bob.id(), "a", "Marlon"), "1");
    index.putAccount(new IndexedAccount(ann.id(), "z", "Marlon"), "1");
    index.refresh();

    List<String> rest = new ArrayList<>(shown.subList(4, shown.size()));
    rest.remove(shown.get(8));
    rest.add(ann.id());
    assertThat(Paged.idsAfter(caller, ACCOUNTS + "marlon", 3, Paged.next(first))).isEqualTo(rest);
    rest.forEach(id -> deleteFromIndex(id));
    Answer last = caller.get(Paged.path(ACCOUNTS + "marlon", 3, Paged.next(first)));
    assertThat(Expect.status(200, last).text()).isEqualTo("{\"items\":[]}");
  }

  private void deleteFromIndex(String account) {
    try {
      index.deleteAccount(account, "3");
      index.refresh();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A unit a post, and one for each author, also when they were read just before. */
  @Test
  void pageOfPosts_readsWhatItShows_andItsAuthors() throws IOException {
    for (int i = 0; i < 40; i++) {
      indexed(bob.posts("tea"));
    }
    String path = POSTS + "tea&limit=3";

    // Four posts and their author, next to the blocks and likes of the caller.
    double first = units(caller.get(path));
    assertThat(first).isBetween(5.0, 8.0);
    assertThat(units(caller.get(path))).isEqualTo(first);
  }

  /** A unit an account, also for one that does not exist. */
  @Test
  void pageOfAccounts_readsWhatItShows_andAtMost500() throws IOException {
    manyAccounts(9);
    double few = units(server.as(bob).get(ACCOUNTS + "marlon+tea&limit=3"));
    for (int i = 0; i < 600; i++) {
      index.putAccount(new IndexedAccount("many" + i, "m%03d".formatted(i), "Many"), "1");
    }
    index.putAccount(new IndexedAccount(bob.id(), "z", "Many"), "1");
    index.refresh();

    Answer first = Expect.status(200, caller.get(ACCOUNTS + "many&limit=3"));

    assertThat(few).isLessThanOrEqualTo(6);
    assertThat(units(first)).isLessThanOrEqualTo(505);
    assertThat(Paged.ids(first)).isEmpty();
    Answer second = caller.get(Paged.path(ACCOUNTS + "many", 3, Paged.next(first)));
    assertThat(Paged.ids(Expect.status(200, second))).containsExactly(bob.id());
    assertThat(Paged.next(second)).isNull();
  }

  private static double units(Answer answer) {
    return Double.parseDouble(answer.header("X-Consumed-Read-Units").orElseThrow());
  }

  @Test
  void pagesOfAccounts_endAfterAThousand() throws IOException {
    for (int i = 0; i < SearchIndex.MAX_DEPTH; i++) {
      index.putAccount(new IndexedAccount("many" + i, "m%04d".formatted(i), "Many"), "1");
    }
    index.putAccount(new IndexedAccount(bob.id(), "z", "Many"), "1");
    index.refresh();

    String cursor = Paged.next(Expect.status(200, caller.get(ACCOUNTS + "many")));
    Answer second = Expect.status(200, caller.get(Paged.path(ACCOUNTS + "many", 20, cursor)));
    Answer last =
        Expect.status(200, caller.get(Paged.path(ACCOUNTS + "many", 20, Paged.next(second))));

    assertThat(last.text()).isEqualTo("{\"items\":[]}");
  }

  @Test
  void cursorOfAccounts_ofAnotherSearchOrCaller_isRefused() throws IOException {
    indexed(bob.posts("marlon"));
    indexed(ann.posts("marlon"));
    manyAccounts(9);

    Paged.rejectsInvalidParameters(
        caller, server.as(bob), ACCOUNTS + "marlon", POSTS + "marlon", 50);
    Paged.rejectsInvalidParameters(
        caller, server.as(bob), POSTS + "marlon", ACCOUNTS + "marlon", 50);
    String cursor = Paged.next(caller.get(ACCOUNTS + "marlon&limit=1"));
    Expect.problem(400, "invalid_cursor", caller.get(ACCOUNTS + "Marlon&cursor=" + cursor));
  }

  /** The next page of other results would miss the best of them. */
  @Test
  void cursor_ofOtherFilters_isRefused() throws IOException {
    indexed(ann.posts("oolong #green"));
    indexed(bob.posts("oolong #green"));
    String cursor = Paged.next(caller.get(POSTS + "oolong&limit=1"));
    Expect.status(200, caller.get(POSTS + "oolong&cursor=" + cursor));

    for (String filter :
        List.of(
            "author=" + bob.id(),
            "tag=green",
            "since=2020-01-01T00:00:00Z",
            "until=2990-01-01T00:00:00Z")) {
      Expect.problem(
          400, "invalid_cursor", caller.get(POSTS + "oolong&" + filter + "&cursor=" + cursor));
    }
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
