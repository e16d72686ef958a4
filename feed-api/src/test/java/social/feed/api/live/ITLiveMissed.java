package social.feed.api.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.table.row.Keys;
import social.feed.table.row.Notification;
import social.feed.table.row.Post;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.SseClient;
import social.feed.testkit.SseClient.Received;
import social.feed.testkit.SteppingClock;

/** Events of streams whose clients reconnect. */
class ITLiveMissed extends LiveScenario {
  @Test
  void reconnectingClient_getsExactlyTheMissedEventsInOrder() {
    String id;
    try (SseClient events = stream()) {
      id = events.begin();
    }
    Post one = bob.posts("1");
    Notification two = notified(ann, carol);
    Post three = delivered(carol.posts("3"));
    delivered(one);
    String after;
    try (SseClient events = back(id)) {
      after = expect(events, one).id();
      assertThat(events.next().data()).contains(two.notificationId());
      expect(events, three);
      expectNothingElse(events);
      id = events.lastId();
    }
    try (SseClient events = back(after)) {
      assertThat(events.next().data()).contains(two.notificationId());
      expect(events, three);
    }
    try (SseClient events = back(id)) {
      expectNothingElse(events);
    }
  }

  @Test
  void lateEntry_isSentOnce_alsoAfterReconnect() {
    Post early = early("early");
    String before;
    String after;
    try (SseClient events = stream()) {
      events.begin();
      Post post = delivered(bob.posts("newer"));
      before = expect(events, post).id();
      delivered(early);
      after = expect(events, early).id();
      assertThat(after).startsWith(key(early, ann) + "~");
      expectNothingElse(events);
    }
    Post earlier = delivered(early("comes while away"));
    try (SseClient events = back(before)) {
      expect(events, early);
      expect(events, earlier);
    }
    try (SseClient events = back(after)) {
      expect(events, earlier);
    }
  }

  @Test
  void anotherServer_continuesWhereTheFirstStopped() {
    String id;
    try (SseClient events = stream()) {
      events.begin();
      Post early = early("early");
      expect(events, delivered(bob.posts("newer")));
      expect(events, delivered(early));
      id = events.lastId();
    }
    Post missed = delivered(early("comes while away"));
    FeedServer second = server.another(QUICK);
    try (SseClient events = second.as(ann).with("Last-Event-ID", id).stream(PATH)) {
      expect(events, missed);
      expectNothingElse(events);
    } finally {
      second.stop();
    }
  }

  @Test
  void sortKeyAlone_isAValidId() {
    Post known = delivered(bob.posts("known"));
    Post missed = delivered(bob.posts("missed"));
    try (SseClient events = back(key(known, ann))) {
      expect(events, missed);
      expectNothingElse(events);
    }
  }

  @Test
  void client_afterALongDisconnection_getsResync() {
    delivered(bob.posts("on the first page"));
    try (SseClient events = back(Keys.at(Instant.now().minus(Duration.ofMinutes(61))))) {
      Received resync = events.next();
      assertThat(resync.name()).isEqualTo("resync");
      assertThat(resync.data()).isEqualTo("{\"reason\":\"too_old\"}");
      expectNothingElse(events);
      delivered(bob.posts("while away again"));
      try (SseClient again = back(resync.id())) {
        assertThat(again.next().name()).isEqualTo("feed_entry");
      }
    }
  }

  @Test
  void client_thatMissedTooManyEvents_getsResync() {
    String id;
    try (SseClient events = stream()) {
      id = events.begin();
    }
    List<Post> missed = new ArrayList<>();
    for (int i = 0; i < MOST; i++) {
      missed.add(delivered(bob.posts("" + i)));
    }
    try (SseClient events = back(id)) {
      for (Post post : missed) {
        expect(events, post);
      }
    }
    delivered(bob.posts("one too many"));
    try (SseClient events = back(id)) {
      assertThat(events.next().data()).isEqualTo("{\"reason\":\"too_many\"}");
      expectNothingElse(events);
    }
  }

  /**
   * All missed events are older than the overlap, so the client's floor rises above them in the
   * end.
   */
  @Test
  void client_thatIsCutOffAmongOldEvents_getsTheRest() {
    SteppingClock past = new SteppingClock(Instant.now().minus(Duration.ofMinutes(10)));
    Person author = new SeedWorld(server.table().table(), past).by(bob);
    String id = key(delivered(author.posts("known")), ann);
    List<Post> missed = new ArrayList<>();
    for (int i = 0; i < 2 * LiveEventReader.PART + 10; i++) {
      missed.add(delivered(author.posts("" + i)));
    }
    for (int cut : List.of(1, LiveEventReader.PART, LiveEventReader.PART + 1)) {
      String last = id;
      try (SseClient events = back(id)) {
        for (Post post : missed.subList(0, cut)) {
          last = expect(events, post).id();
        }
      }
      try (SseClient events = back(last)) {
        for (Post post : missed.subList(cut, missed.size())) {
          expect(events, post);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "2026-11-20T09:15:00Z", "9999-01-01T00:00:00.000Z", "~"})
  void idOfNoEvent_isMalformed(String id) {
    Expect.blames(400, "Last-Event-ID", caller.with("Last-Event-ID", id).get(PATH));
  }
}
