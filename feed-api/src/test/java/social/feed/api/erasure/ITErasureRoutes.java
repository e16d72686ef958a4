package social.feed.api.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.search.AccountHit;
import social.feed.search.IndexedAccount;
import social.feed.search.IndexedPost;
import social.feed.search.PostQuery;
import social.feed.search.SearchIndex;
import social.feed.table.erasure.Erasures;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Keys;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;
import social.feed.table.row.PostTag;
import social.feed.table.row.Row;
import social.feed.table.row.Suspect;
import social.feed.table.row.SuspicionFinding;
import social.feed.table.row.SuspicionReason;
import social.feed.table.row.TopAuthor;
import social.feed.table.suspicion.Suspects;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

/** Erasure as callers see it, before the stream has processed it. */
@ExtendWith(FeedServerExtension.class)
class ITErasureRoutes {
  private final FeedServer server;
  private final SeedWorld world;
  private final Person ann;
  private final Person bob;
  private final Api asAnn;
  private final Api asBob;

  ITErasureRoutes(FeedServer server, SeedWorld world) {
    this.server = server;
    this.world = world;
    this.ann = world.user("ann");
    this.bob = world.user("bob");
    this.asAnn = server.as(ann);
    this.asBob = server.as(bob);
  }

  @Test
  void account_afterTheAnswer_isGoneForOthers() {
    bob.follows(ann);
    ann.follows(bob);
    var tag = "erased" + ann.id().replaceAll("\\D", "");
    Post anns = ann.posts("about #" + tag);
    server.table().table().putAll(List.of(PostTag.of(anns, tag)));
    Post bobs = bob.posts("x");
    ann.likes(bobs);
    ann.comments(bobs, "y");
    notified(bob, ann, bobs);
    assertThat(asBob.get("/v1/notifications").text()).contains(ann.id());
    var handle = ann.account().handle();

    Answer answer = asAnn.delete("/v1/users/me");

    Expect.status(202, answer);
    assertThat(answer.text()).isEmpty();
    for (String path :
        List.of(
            "/v1/users/" + ann.id(),
            "/v1/users/by-handle/" + handle,
            "/v1/users/" + ann.id() + "/posts",
            "/v1/users/" + ann.id() + "/followers",
            "/v1/users/" + ann.id() + "/following",
            "/v1/posts/" + anns.postId(),
            "/v1/posts/" + anns.postId() + "/likes",
            "/v1/posts/" + anns.postId() + "/comments")) {
      Expect.problem(404, "not_found", asBob.get(path));
    }
    String like = "/v1/posts/" + anns.postId() + "/like";
    String comments = "/v1/posts/" + anns.postId() + "/comments";
    Expect.problem(404, "not_found", asBob.post(like, ""));
    Expect.problem(404, "not_found", asBob.delete(like));
    Expect.problem(404, "not_found", asBob.post(comments, "{\"text\":\"z\"}"));
    for (String path :
        List.of(
            "/v1/users/" + bob.id() + "/followers",
            "/v1/users/" + bob.id() + "/following",
            "/v1/posts/" + bobs.postId() + "/likes",
            "/v1/posts/" + bobs.postId() + "/comments",
            "/v1/tags/" + tag + "/posts")) {
      assertThat(asBob.get(path).json().get("items").size()).as(path).isZero();
    }
    assertThat(asBob.get("/v1/notifications").text()).doesNotContain(ann.id());
  }

  @Test
  void lists_afterTheAnswer_omitTheAccount() {
    Person cid = world.user("cid");
    Person eve = world.user("eve");
    bob.follows(ann);
    bob.marks(ann);
    cid.follows(ann);
    ann.follows(cid);
    cid.mutes(ann);
    eve.blocks(ann);
    Person fay = world.user("fay");
    Post post = ann.posts("x");
    fay.likes(post);
    fay.comments(post, "y");
    String month = Keys.month(Instant.now());
    var gained = TopAuthor.empty(month, ann.id());
    server
        .table()
        .table()
        .putAll(
            List.<Row>of(
                FeedEntry.of(post.ref(), bob.id()),
                gained.plus(Map.of(TopAuthor.GAINED, 1_000L), Map.of())));
    Map<String, Api> lists =
        Map.of(
            "/v1/feed",
            asBob,
            "/v1/feed?special_first=true",
            asBob,
            "/v1/users/" + cid.id() + "/common-following",
            asBob,
            "/v1/users/" + cid.id() + "/mutuals",
            asBob,
            // Without the period, the request may be in the next month already.
            "/v1/leaderboards/authors?by=gained&limit=100&period=" + month,
            asBob,
            "/v1/users/me/likes",
            server.as(fay),
            "/v1/users/me/comments",
            server.as(fay),
            "/v1/users/me/mutes",
            server.as(cid),
            "/v1/users/me/blocks",
            server.as(eve));
    String anns = "\"" + ann.id() + "\"";
    lists.forEach((list, reader) -> assertThat(reader.get(list).text()).contains(anns));
    String why = "/v1/feed/why-missing?post_id=" + post.postId();
    assertThat(asBob.get(why).at("reason")).isEqualTo("present");
    assertThat(server.as(eve).get(why).at("reason")).isEqualTo("blocked");

    Expect.status(202, asAnn.delete("/v1/users/me"));

    lists.forEach(
        (list, reader) ->
            assertThat(Expect.status(200, reader.get(list)).text()).as(list).doesNotContain(anns));
    for (Api reader : List.of(asBob, server.as(eve))) {
      assertThat(reader.get(why).at("reason")).isEqualTo("unavailable");
    }
  }

  /** The rows still exist. Only the comments show the account itself. */
  @Test
  void ownLists_afterTheAnswer_areShown_withoutComments() {
    ann.follows(bob);
    ann.mutes(world.user("cid"));
    ann.blocks(world.user("eve"));
    Post post = bob.posts("x");
    ann.likes(post);
    ann.comments(post, "y");
    server.table().table().putAll(List.of(FeedEntry.of(post.ref(), ann.id())));
    notified(ann, bob, post);
    List<String> shown =
        List.of(
            "/v1/feed",
            "/v1/notifications",
            "/v1/users/me/likes",
            "/v1/users/me/mutes",
            "/v1/users/me/blocks");
    String comments = "/v1/users/me/comments";
    assertThat(shown).allSatisfy(list -> assertThat(items(asAnn, list)).isEqualTo(1));
    assertThat(items(asAnn, comments)).isEqualTo(1);

    Expect.status(202, asAnn.delete("/v1/users/me"));

    assertThat(shown).allSatisfy(list -> assertThat(items(asAnn, list)).isEqualTo(1));
    assertThat(items(asAnn, comments)).isZero();
  }

  private static int items(Api reader, String list) {
    return Expect.status(200, reader.get(list)).json().get("items").size();
  }

  private void notified(Person who, Person by, Post about) {
    var at = Timestamps.now(server.clock());
    world.notifications.add(
        new Notification(
            who.id(),
            TimeOrderedId.named(at, who.id(), by.id()),
            NotificationType.COMMENT,
            by.id(),
            about.postId(),
            at,
            false,
            9_999_999_999L));
  }

  /** The rows of the post and of the suspicion and the entries of the search index still exist. */
  @Test
  void searchesAndSuspicions_afterTheAnswer_omitTheAccount() throws IOException {
    var word = "erased" + ann.id().replaceAll("\\D", "");
    Post post = ann.posts(word);
    var handle = ann.account().handle();
    var index = server.bean(SearchIndex.class);
    index.putPost(new IndexedPost(post.postId(), ann.id(), word, Set.of(), post.createdAt()), "1");
    index.putAccount(new IndexedAccount(ann.id(), handle, "ann"), "1");
    index.refresh();
    var suspects = new Suspects(server.table().table());
    suspects.note(suspicion());
    ann.follows(bob);
    var suspect = suspects.get(ann.id());
    var quota = world.quotas.of(ann.id());
    Api operator = server.asOperator(bob);
    String suspicious = "/v1/operator/suspicious";
    Map<String, Api> lists =
        Map.of(
            "/v1/search/posts?q=" + word,
            asBob,
            "/v1/search/posts?q=" + word + "&author=" + ann.id(),
            asBob,
            "/v1/search/accounts?q=" + handle,
            asBob,
            suspicious + "?limit=50",
            operator);
    String anns = "\"" + ann.id() + "\"";
    lists.forEach((list, reader) -> assertThat(reader.get(list).text()).contains(anns));

    Expect.status(202, asAnn.delete("/v1/users/me"));

    assertThat(lists)
        .allSatisfy(
            (list, reader) ->
                assertThat(Expect.status(200, reader.get(list)).text()).doesNotContain(anns));
    String until = "{\"until\":\"" + Instant.now().plus(1, ChronoUnit.DAYS) + "\"}";
    String path = suspicious + "/" + ann.id();
    assertThat(
            List.of(
                operator.post(path + "/dismiss"),
                operator.put(path + "/slow-down", until),
                operator.delete(path + "/slow-down")))
        .allSatisfy(answer -> Expect.problem(404, "not_found", answer));
    assertThat(world.posts.getAll(List.of(post.postId()), true)).containsKey(post.postId());
    assertThat(index.findPosts(PostQuery.of(word), null, 10)).hasSize(1);
    assertThat(index.findAccounts(handle, null, 1))
        .extracting(AccountHit::id)
        .containsExactly(ann.id());
    assertThat(suspects.get(ann.id())).isPresent().isEqualTo(suspect);
    assertThat(world.quotas.of(ann.id())).isEqualTo(quota);
  }

  /** Of a score that is on the first page of the list, whatever other tests suspect. */
  private Suspect.Evidence suspicion() {
    Instant day = Instant.now().truncatedTo(ChronoUnit.DAYS);
    var findings =
        List.of(SuspicionReason.values()).stream()
            .map(reason -> SuspicionFinding.of(reason, 1_000, 1))
            .toList();
    return new Suspect.Evidence(ann.id(), 1, day, findings);
  }

  @Test
  void relationship_afterTheAnswer_isNone() {
    bob.follows(ann);
    bob.marks(ann);
    ann.follows(bob);
    bob.mutes(ann);
    Person cid = world.user("cid");
    cid.blocks(ann);
    String ids = "/v1/relationships?ids=" + ann.id();
    assertThat(asBob.get(ids).text())
        .contains("\"mutual\":true", "\"special\":true", "\"muting\":true");
    assertThat(server.as(cid).get(ids).text()).contains("\"blocking\":true");

    Expect.status(202, asAnn.delete("/v1/users/me"));

    for (Api other : List.of(asBob, server.as(cid))) {
      assertThat(other.get(ids).text()).contains(ann.id()).doesNotContain("true");
    }
  }

  @Test
  void request_repeated_isAcceptedAgain_andChangesNothing() {
    Expect.status(202, asAnn.delete("/v1/users/me"));
    var erasures = new Erasures(server.table().table(), world.users);
    var begun = erasures.of(ann.id()).orElseThrow();

    Expect.status(202, asAnn.delete("/v1/users/me"));

    assertThat(erasures.of(ann.id())).contains(begun);
    assertThat(begun.step()).isEqualTo(ErasureStep.POSTS);
  }

  @Test
  void caller_withoutProfile_isAConflict() {
    Api unregistered = server.as("unregistered-" + ann.id());

    Expect.problem(409, "not_registered", unregistered.delete("/v1/users/me"));
    Expect.status(
        201, unregistered.post("/v1/users", registration("n" + ann.id().replace('-', '_'))));
  }

  @Test
  void id_cannotRegister_whileItIsErased_butItsHandleIsFree() {
    var handle = ann.account().handle();
    Expect.status(202, asAnn.delete("/v1/users/me"));

    Expect.problem(409, "account_erased", asAnn.get("/v1/users/me"));
    Expect.problem(409, "account_erased", asAnn.patch("/v1/users/me", "{\"bio\":\"x\"}"));
    Expect.problem(409, "account_erased", asAnn.post("/v1/users", registration(handle)));
    Expect.problem(
        409,
        "account_erased",
        asAnn.with("Idempotency-Key", "k").post("/v1/users", registration(handle)));
    Expect.status(201, server.as("gus-" + ann.id()).post("/v1/users", registration(handle)));
  }

  private static String registration(String handle) {
    return "{\"handle\":\"" + handle + "\",\"display_name\":\"A\"}";
  }
}
