package social.feed.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import social.feed.testkit.SseClient;

/**
 * Tests the event stream of the whole platform: a connected client receives the events of other
 * accounts.
 */
@TestInstance(Lifecycle.PER_CLASS)
class ITLiveEvents {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** More than a page of a feed or of notifications holds. */
  private static final int MANY = 60;

  private LocalPlatform platform;

  @BeforeAll
  void start() {
    platform = LocalPlatform.start(PlatformSettings.inMemory());
  }

  @AfterAll
  void stop() {
    platform.close();
  }

  private Caller user(String name) {
    return Caller.registered(platform.api(), name);
  }

  /** Returns the name of an event and its post. */
  private static String named(SseClient.Received event) {
    try {
      JsonNode data = JSON.readTree(event.data());
      return event.name().equals("feed_entry")
          ? "post " + data.path("id").asText()
          : data.path("type").asText() + " " + data.path("post_id").asText();
    } catch (JsonProcessingException e) {
      throw new AssertionError(event.toString(), e);
    }
  }

  /** Returns the events up to the one of this post. */
  private static List<String> eventsUntil(SseClient events, String post) {
    var received = new ArrayList<String>();
    while (!received.contains("post " + post)) {
      received.add(named(events.next()));
    }
    return received;
  }

  @Test
  void reader_receivesPostsAndNotifications() {
    var ada = user("ada_1");
    var ben = user("ben_1");
    try (var events = ben.stream()) {
      events.begin();

      ben.follows(ada);
      var post = ada.writes("hello");
      assertThat(named(events.next())).isEqualTo("post " + post);

      var own = ben.writes("mine");
      assertThat(named(events.next())).isEqualTo("post " + own);

      ada.post("/v1/posts/" + own + "/like");
      assertThat(named(events.next())).isEqualTo("like " + own);

      ada.follows(ben);
      assertThat(named(events.next())).isEqualTo("follow ");
    }
  }

  @Test
  void reconnectedReader_receivesMissedEvents_andNoneOfDeletedPosts() {
    var ada = user("ada_2");
    var ben = user("ben_2");
    ben.follows(ada);
    var own = new ArrayList<String>();
    for (int i = 0; i < MANY; i++) {
      own.add(ben.writes("own " + i));
    }
    platform.drain(PATIENCE);
    String known;
    String gone;
    try (var events = ben.stream()) {
      events.begin();
      gone = ada.writes("sent, and then deleted");
      assertThat(named(events.next())).isEqualTo("post " + gone);
      known = events.lastId();
    }

    ada.delete("/v1/posts/" + gone);
    var missed = new ArrayList<String>();
    for (int i = 0; i < MANY; i++) {
      missed.add("post " + ada.writes("missed " + i));
      ada.post("/v1/posts/" + own.get(i) + "/like");
      missed.add("like " + own.get(i));
      if (i % 10 == 7) {
        ada.delete("/v1/posts/" + missed.remove(missed.size() - 2).substring("post ".length()));
      }
      if (i % 10 == 4) {
        ada.delete("/v1/posts/" + own.get(i) + "/like");
        missed.removeLast();
      }
    }
    platform.drain(PATIENCE);

    String later;
    try (var events = ben.stream(known)) {
      var next = ada.writes("next");
      missed.add("post " + next);
      assertThat(eventsUntil(events, next)).isEqualTo(missed);
      later = events.lastId();
    }
    platform.replay();
    platform.drain(PATIENCE);
    try (var events = ben.stream(later)) {
      var last = ada.writes("last");
      missed.add("post " + last);
      assertThat(eventsUntil(events, last)).as("no event twice").containsExactly("post " + last);
    }
    try (var events = ben.stream(known)) {
      var another = ada.writes("another");
      missed.add("post " + another);
      assertThat(eventsUntil(events, another)).as("the same events again").isEqualTo(missed);
    }
  }
}
