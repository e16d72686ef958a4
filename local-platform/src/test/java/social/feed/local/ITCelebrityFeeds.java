package social.feed.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/** Tests a platform with a celebrity threshold of three followers, through its API. */
@TestInstance(Lifecycle.PER_CLASS)
class ITCelebrityFeeds {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private LocalPlatform platform;

  @BeforeAll
  void start() {
    platform = LocalPlatform.start(PlatformSettings.inMemory().withCelebritiesFrom(3));
  }

  @AfterAll
  void stop() {
    platform.close();
  }

  private Caller user(String name) {
    return Caller.registered(platform.api(), name);
  }

  private void drain() {
    platform.drain(PATIENCE);
  }

  private boolean isCelebrity(Caller star) {
    return star.get("/v1/users/" + star.id()).body().path("is_celebrity").asBoolean();
  }

  @Test
  void feed_acrossThresholdCrossings_hasEachPostOnceInOrder() {
    var star = user("star_1");
    var friend = user("friend_1");
    var fans = List.of(user("fan_1a"), user("fan_1b"), user("fan_1c"));
    var reader = fans.getFirst();
    reader.follows(friend);
    reader.follows(star);
    var pushed = star.writes("pushed");
    drain();
    fans.forEach(fan -> fan.follows(star));
    drain();
    assertThat(isCelebrity(star)).isTrue();
    var pulled = star.writes("pulled");
    var between = friend.writes("in between");
    var pulledToo = star.writes("pulled too");
    assertThat(reader.all("/v1/feed", "id", 10))
        .as("at once, without the stream")
        .contains(pulled, pulledToo);
    drain();
    fans.subList(1, 3).forEach(fan -> fan.delete("/v1/users/" + star.id() + "/follow"));
    drain();
    assertThat(isCelebrity(star)).isFalse();
    var pushedAgain = star.writes("pushed again");
    drain();

    var whole = List.of(pushedAgain, pulledToo, between, pulled, pushed);
    for (int size : new int[] {1, 2, 50}) {
      assertThat(reader.all("/v1/feed", "id", size)).isEqualTo(whole);
    }
    assertThat(star.get("/v1/posts/" + pulled + "/delivery").text("mode")).isEqualTo("pull");
    assertThat(star.get("/v1/posts/" + pushed + "/delivery").text("state")).isEqualTo("delivered");
    assertThat(fans.get(1).all("/v1/feed", "id", 10)).isEmpty();
  }

  @Test
  void specialFollow_ofACelebrityAndAFriend_notifiesAndIsListedFirst() {
    var star = user("star_3");
    var friend = user("friend_3");
    var other = user("other_3");
    var fans = List.of(user("fan_3a"), user("fan_3b"), user("fan_3c"));
    fans.forEach(fan -> fan.follows(star));
    var reader = fans.getFirst();
    reader.follows(friend);
    reader.follows(other);
    drain();
    assertThat(isCelebrity(star)).isTrue();
    for (var special : List.of(star, friend)) {
      assertThat(reader.put("/v1/users/" + special.id() + "/special-follow").status())
          .isEqualTo(204);
    }
    var pulled = star.writes("pulled");
    var between = other.writes("in between");
    var pushed = friend.writes("pushed");
    var last = other.writes("last");
    drain();
    platform.replay();
    drain();

    assertThat(reader.all("/v1/notifications?unread=true", "post_id", 1))
        .containsExactly(pushed, pulled);
    assertThat(reader.all("/v1/notifications", "type", 10)).containsExactly("post", "post");
    assertThat(fans.get(1).all("/v1/notifications", "id", 10)).isEmpty();
    for (int size : new int[] {1, 2, 3, 50}) {
      assertThat(reader.all("/v1/feed?special_first=true", "id", size))
          .containsExactly(pushed, pulled, last, between);
    }
    star.delete("/v1/posts/" + pulled);
    drain();
    assertThat(reader.all("/v1/notifications", "post_id", 10)).containsExactly(pushed);
    assertThat(reader.get("/v1/notifications/unread-count").body().path("count").asLong())
        .isEqualTo(1);
  }

  @Test
  void crossings_areInTheQueueOnce() {
    var star = user("star_2");
    var fans = List.of(user("fan_2a"), user("fan_2b"), user("fan_2c"));
    fans.forEach(fan -> fan.follows(star));
    drain();
    platform.replay();
    drain();

    assertThat(crossings(star)).singleElement().asString().contains("\"is_celebrity\":true");
  }

  private List<String> crossings(Caller star) {
    var credentials = StaticCredentialsProvider.create(AwsBasicCredentials.create("x", "x"));
    try (var queue =
        SqsClient.builder()
            .endpointOverride(platform.events())
            .region(Region.US_EAST_1)
            .credentialsProvider(credentials)
            .httpClientBuilder(Apache5HttpClient.builder())
            .build()) {
      return queue
          .receiveMessage(
              r ->
                  r.queueUrl(platform.events().toString())
                      .maxNumberOfMessages(10)
                      .waitTimeSeconds(1))
          .messages()
          .stream()
          .map(Message::body)
          .filter(body -> body.contains(star.id()))
          .toList();
    }
  }
}
