package social.feed.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.search.PostQuery;
import social.feed.search.lucene.LuceneIndex;
import social.feed.table.row.RowKind;
import social.feed.testkit.Polling;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What a new user tries first, on a whole platform: upload a picture, post it, find it, have a
 * webhook called, and see all of it gone. The commands of {@code docs/first-requests.md} are the
 * same.
 */
class ITPictureEndToEnd {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String FOUND = "/v1/search/posts?q=lighthouse";

  /** What the stream keeps of a deleted post for late records. These rows expire. */
  private static final Set<RowKind> REMAINS = Set.of(RowKind.EFFECT_MARK, RowKind.RECENT_DELIVERY);

  @TempDir private Path data;
  private final WebhookReceiver receiver = new WebhookReceiver();
  private LocalPlatform platform;
  private Caller ada;
  private Caller ben;
  private String secret = "";

  @BeforeEach
  void start() {
    platform = LocalPlatform.start(PlatformSettings.in(data));
    ada = Caller.registered(platform.api(), "ada_w");
    ben = Caller.registered(platform.api(), "ben_w");
    ben.follows(ada);
    var webhook =
        receiver.createdBy(
            Caller.operator(platform.api()), "post.created", "post.deleted", "account.erased");
    assertThat(webhook.status()).isEqualTo(201);
    secret = webhook.text("secret");
    WebhookReceiver.repeatUntil(() -> ben.writes("early"), () -> !receiver.calls().isEmpty());
  }

  @AfterEach
  void stop() {
    platform.close();
    receiver.close();
  }

  /** A post with a picture that everyone has seen. */
  private record Shown(String postId, String mediaId, JsonNode addresses) {}

  private Shown posted() throws IOException {
    var mediaId = ada.uploadsPicture().path("id").asText();
    var answer =
        ada.post(
            "/v1/posts", "{\"text\":\"A lighthouse at the #sea\",\"media\":[\"" + mediaId + "\"]}");
    assertThat(answer.status()).isEqualTo(201);
    var postId = answer.text("id");
    platform.drain(PATIENCE);

    assertThat(ben.all("/v1/feed", "id", 10)).contains(postId);
    assertThat(ben.all("/v1/tags/sea/posts", "id", 10)).containsExactly(postId);
    Polling.until(() -> ben.all(FOUND, "id", 10).equals(List.of(postId)));
    var addresses = ben.get(FOUND).body().path("items").path(0).path("media").path(0).path("files");
    assertThat(addresses.size()).isEqualTo(3);
    addresses.forEach(address -> assertThat(ben.fetches(address)).isEqualTo(200));
    assertThat(StoredMedia.in(data)).hasSize(4);
    Polling.until(() -> isPublished("post.created", postId));
    return new Shown(postId, mediaId, addresses);
  }

  private boolean isPublished(String type, String postId) {
    return receiver.hasReceived(type, call -> call.text("post_id").equals(postId));
  }

  private void assertGone(Shown shown) throws IOException {
    var postId = shown.postId();
    assertThat(ben.get("/v1/posts/" + postId).status()).isEqualTo(404);
    assertThat(ben.all("/v1/feed", "id", 10)).doesNotContain(postId);
    assertThat(ben.all("/v1/tags/sea/posts", "id", 10)).isEmpty();
    assertThat(ben.all(FOUND, "id", 10)).isEmpty();
    shown.addresses().forEach(address -> assertThat(ben.fetches(address)).isEqualTo(404));
    assertThat(StoredMedia.in(data)).isEmpty();
    assertThat(kindsThatName(postId)).isSubsetOf(REMAINS);
    assertThat(kindsThatName(shown.mediaId())).isSubsetOf(REMAINS);
    Polling.until(() -> isPublished("post.deleted", postId));
    Polling.until(() -> search().isEmpty());
  }

  /** Returns what the index itself has, which no rule of the API filters. */
  private List<String> search() {
    var index = platform.search().orElseThrow();
    try {
      return index.findPosts(PostQuery.of("lighthouse"), null, 10).stream()
          .map(Object::toString)
          .toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns the kinds of the rows that name an id anywhere, in the key or in an attribute. */
  private Set<RowKind> kindsThatName(String id) {
    return platform
        .engine()
        .directClient()
        .scanPaginator(scan -> scan.tableName(PlatformSettings.TABLE))
        .items()
        .stream()
        .filter(item -> item.values().toString().contains(id))
        .map(item -> item.getOrDefault(RowKind.ATTRIBUTE, AttributeValue.fromS("")).s())
        .map(kind -> RowKind.named(kind).orElseThrow())
        .collect(Collectors.toSet());
  }

  private void assertAllCallsAreSigned() {
    assertThat(receiver.calls()).isNotEmpty().allMatch(call -> call.isSignedBy(secret));
    assertThat(receiver.calls())
        .allMatch(call -> call.event().path("id").asText().equals(call.id()));
    var last = receiver.calls().getLast();
    var forged =
        new WebhookReceiver.Call(last.id(), last.timestamp(), last.signature(), last.body() + " ");
    assertThat(forged.isSignedBy(secret)).isFalse();
  }

  @Test
  void deletedPost_leavesNothing() throws IOException {
    var shown = posted();

    assertThat(ada.delete("/v1/posts/" + shown.postId()).status()).isEqualTo(204);
    platform.drain(PATIENCE);

    assertGone(shown);
    assertAllCallsAreSigned();
    platform.close();
    try (var index = LuceneIndex.at(data.resolve("search"), InstantSource.system())) {
      assertThat(index.findPosts(PostQuery.of("lighthouse"), null, 10)).isEmpty();
    }
  }

  @Test
  void erasedAccount_leavesNothing() throws IOException {
    var shown = posted();
    var free = ada.uploadsPicture().path("files").path("small");
    assertThat(ada.fetches(free)).isEqualTo(200);

    assertThat(ada.delete("/v1/users/me").status()).isEqualTo(202);
    platform.drain(PATIENCE);

    assertGone(shown);
    assertThat(ada.fetches(free)).isEqualTo(404);
    assertThat(ben.get("/v1/users/ada_w").status()).isEqualTo(404);
    Polling.until(
        () -> receiver.hasReceived("account.erased", call -> call.text("user_id").equals("ada_w")));
    assertAllCallsAreSigned();
  }
}
