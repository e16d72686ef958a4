package social.feed.api.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import social.feed.api.edge.security.TestViewer;
import social.feed.api.home.FeedReadTracker;
import social.feed.api.http.ServerOnly;
import social.feed.table.home.FeedActivities;
import social.feed.table.home.FeedView;
import social.feed.table.home.PullRegistry;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.Keys;
import social.feed.table.row.Notification;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.SseClient;
import social.feed.testkit.SseClient.Received;
import social.feed.testkit.SteppingClock;
import social.feed.testkit.TestTable;

/** Events of streams whose clients stay connected. */
class ITLive extends LiveScenario {
  @Test
  void stream_sendsPostsAndNotifications_asInPages() {
    try (SseClient events = stream()) {
      events.begin();
      Post post = delivered(bob.posts("hello #tag"));

      Received entry = expect(events, post);
      assertThat(entry.data()).isEqualTo(caller.get("/v1/posts/" + post.postId()).text());
      assertThat(entry.id()).startsWith(key(post, ann) + "~");

      Notification notification = notified(ann, carol);
      Received notified = events.next();
      assertThat(notified.name()).isEqualTo("notification");
      assertThat(caller.get("/v1/notifications").text())
          .isEqualTo("{\"items\":[" + notified.data() + "]}");
      assertThat(notified.id())
          .startsWith(
              Keys.unreadSort(notification.createdAt(), notification.notificationId()) + "~");
      expectNothingElse(events);
    }
  }

  @Test
  void stream_hasTheHeadersOfAnEventStream() {
    try (SseClient events = stream()) {
      var headers = events.response().headers();
      assertThat(events.response().statusCode()).isEqualTo(200);
      assertThat(headers.firstValue("Content-Type").orElse("")).startsWith("text/event-stream");
      assertThat(headers.firstValue("Cache-Control")).hasValue("no-store");
      assertThat(headers.firstValue("X-Accel-Buffering")).hasValue("no");
      assertThat(headers.firstValue("X-Consumed-Read-Units")).isPresent();
      assertThat(headers.firstValue("Content-Encoding")).isEmpty();
    }
  }

  /** Browsers request compression; each event must still be sent at once. */
  @Timeout(60)
  @Test
  @ServerOnly
  void stream_compressed_isSentAtOnce() throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(server.uri().resolve(PATH))
            .header("Authorization", "Bearer " + server.tokenOf(ann))
            .header("Accept-Encoding", "gzip, deflate, br, zstd")
            .build();
    try (HttpClient client = HttpClient.newHttpClient();
        InputStream body = client.send(request, BodyHandlers.ofInputStream()).body();
        InputStream plain = new GZIPInputStream(body)) {
      readUntil(plain, "id: ");
      for (String text : List.of("one", "two")) {
        readUntil(plain, delivered(bob.posts(text)).postId());
      }
    }
  }

  /** A buffered reader would wait for more bytes. */
  private static void readUntil(InputStream in, String awaited) throws IOException {
    StringBuilder text = new StringBuilder();
    while (text.indexOf(awaited) < 0) {
      int next = in.read();
      assertThat(next).as("%s", text).isNotNegative();
      text.append((char) next);
    }
  }

  @Test
  void earlierItems_areNotSent() {
    delivered(bob.posts("on the first page"));
    notified(ann, carol);
    try (SseClient events = stream()) {
      events.begin();
      expectNothingElse(events);
    }
  }

  /** Deliveries skipped the reader, and a rebuild adds the posts from before the return. */
  @Test
  void eventsAfterALongAbsence_areSentFromTheReturnOn() {
    FeedActivity absent = FeedActivity.at(ann.id(), Instant.now().minus(Duration.ofDays(40)));
    server.table().table().putAll(List.of(absent));
    Post skipped = early("from before the return");
    String id;
    try (SseClient events = stream()) {
      id = events.begin();
      clock.advance(Duration.between(clock.instant(), Instant.now()));
      delivered(skipped);
      Post post = delivered(bob.posts("hello"));
      expect(events, post);
      Notification notification = notified(ann, carol);
      assertThat(events.next().data()).contains(notification.notificationId());
      expectNothingElse(events);
      try (SseClient again = back(id)) {
        expect(again, post);
        assertThat(again.next().data()).contains(notification.notificationId());
      }
    }
    assertThat(new FeedActivities(server.table().table()).get(ann.id()))
        .as("the reader has returned")
        .hasValueSatisfying(activity -> assertThat(activity.storedSince()).isNotNull());
  }

  @Test
  void hiddenItems_areNotSent() {
    List<BiConsumer<Person, Person>> ends =
        List.of(Person::blocks, (me, other) -> other.blocks(me), Person::mutes, Person::unfollows);
    for (BiConsumer<Person, Person> end : ends) {
      begin();
      try (SseClient events = stream()) {
        events.begin();
        expect(events, delivered(bob.posts("before")));
        end.accept(ann, bob);
        delivered(bob.posts("kept away"));
        delivered(carol.posts("private", Visibility.PRIVATE));
        Post deleted = carol.posts("deleted");
        carol.deletes(deleted);
        delivered(deleted);
        expectNothingElse(events);
        String id = events.lastId();
        delivered(bob.posts("kept away again"));
        try (SseClient again = back(id)) {
          expectNothingElse(again);
        }
      }
    }
  }

  @Test
  void notificationOfHiddenActor_isNotSent() {
    try (SseClient events = stream()) {
      events.begin();
      ann.mutes(bob);
      notified(ann, bob);
      Notification visible = notified(ann, carol);
      assertThat(events.next().data()).contains(visible.notificationId());
      expectNothingElse(events);
    }
  }

  @Test
  void streams_ofTwoCallers_areIndependent() {
    try (SseClient annEvents = stream();
        SseClient carolEvents = server.as(carol).stream(PATH)) {
      annEvents.begin();
      carolEvents.begin();
      Post ofAnn = delivered(bob.posts("for ann"));
      Notification ofCarol = notified(carol, bob);

      expect(annEvents, ofAnn);
      assertThat(carolEvents.next().data()).contains(ofCarol.notificationId());
      expectNothingElse(annEvents);
    }
  }

  @Test
  void postOfACelebrity_isSentOnce() {
    Person star = world.user("star");
    ann.follows(star);
    var registry = new PullRegistry(server.table().table());
    registry.change(star.id(), Timestamps.now(clock), author -> author);
    String id;
    try (SseClient events = stream()) {
      id = events.begin();
      Post post = expectPulled(events, star);
      expectPulled(events, star);
      expectNothingElse(events);
      try (SseClient again = back(id)) {
        assertThat(expect(again, post).id())
            .startsWith(Keys.timed(post.createdAt(), Keys.post(post.postId())) + "~");
      }
    }
    Person stranger = world.user("stranger");
    registry.change(stranger.id(), Timestamps.now(clock), author -> author);
    try (SseClient events = stream()) {
      events.begin();
      pulled(stranger);
      expectNothingElse(events);
    }
  }

  /** The view of a stream is read again after half a minute. */
  @Test
  void postOfACelebrity_followedMeanwhile_isSent() {
    var time = new SteppingClock(Instant.now());
    LiveEventReader reader = reader(time);
    reader.first(null);
    Person star = world.user("star");
    ann.follows(star);
    new PullRegistry(server.table().table())
        .change(star.id(), Timestamps.now(clock), author -> author);
    Post post = pulled(star);
    time.advance(Duration.ofSeconds(31));

    assertThat(reader.next())
        .singleElement()
        .satisfies(event -> assertThat(event.id().text()).contains(post.postId()));
  }

  /** While there are celebrities, each look at the caller's follows costs a unit. */
  @Test
  void poll_looksAtTheFollowsOfTheCaller_onceInHalfAMinute() {
    var time = new SteppingClock(Instant.now());
    Person star = world.user("star");
    new PullRegistry(server.table().table())
        .change(star.id(), Timestamps.now(clock), author -> author);
    LiveEventReader reader = reader(time);
    reader.first(null);
    time.advance(Duration.ofSeconds(31));

    assertThat(TestTable.costOf(reader::next).read()).isGreaterThan(1);
    assertThat(TestTable.costOf(reader::next).read()).isLessThanOrEqualTo(1);
  }

  private LiveEventReader reader(SteppingClock time) {
    return new LiveEventReader(
        TestViewer.of(ann.id(), server.table().table(), time),
        server.bean(LiveSources.class),
        server.bean(FeedReadTracker.class),
        server.bean(LiveConfiguration.class),
        time);
  }

  private Post expectPulled(SseClient events, Person star) {
    Post post = pulled(star);
    expect(events, post);
    return post;
  }

  private Post pulled(Person author) {
    var now = Timestamps.now(clock);
    var post = SamplePosts.of(author.id(), now, FanOutMode.PULL);
    world.posts.create(post);
    return post;
  }

  @Test
  void poll_withoutResult_costsOneReadUnit() {
    LiveSources sources = server.bean(LiveSources.class);
    FeedView view = new FeedView(ann.id(), List.of(), Instant.EPOCH);
    EventCursor floor = EventCursor.at(Instant.now());
    delivered(bob.posts("older"));
    notified(ann, carol);

    try (var _ = server.table().bill()) {
      assertThat(TestTable.costOf(() -> sources.skeleton(floor, view)).read()).isEqualTo(1);
    }
  }
}
