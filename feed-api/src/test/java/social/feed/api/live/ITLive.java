package social.feed.api.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jwt.JWTClaimsSet;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.security.Tokens;
import social.feed.table.home.FeedView;
import social.feed.table.home.PullRegistry;
import social.feed.table.id.TimeOrderedId;
import social.feed.table.row.Delivery;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Keys;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;
import social.feed.table.time.Timestamps;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.Sse;
import social.feed.testkit.Sse.Received;
import social.feed.testkit.SteppingClock;
import social.feed.testkit.TestTable;

/** Streams of events as clients have them, who come, go and come back. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ITLive {
  private static final String PATH = "/v1/stream";
  private static final long LATER = 4_000_000_000L;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int MOST = 60;

  private static final Map<String, Object> QUICK =
      Map.of(
          "feed.live.poll", "30ms",
          "feed.live.idle-poll", "60ms",
          "feed.live.heartbeat", "200ms",
          "feed.live.catch-up-events", MOST,
          "feed.pull.registry-cached", "0s",
          "feed.limits.request-time", "1s");

  private final FeedServer server = FeedServer.start(QUICK);
  private SteppingClock clock = new SteppingClock(Instant.now());
  private SeedWorld world = new SeedWorld(server.table().table(), clock);
  private Person ann = world.user("ann");
  private Person bob = world.user("bob");
  private Person carol = world.user("carol");
  private Api caller = server.as(ann);

  @AfterAll
  void stop() {
    server.close();
  }

  @BeforeEach
  void begin() {
    clock = new SteppingClock(Instant.now());
    world = new SeedWorld(server.table().table(), clock);
    ann = world.user("ann");
    bob = world.user("bob");
    carol = world.user("carol");
    caller = server.as(ann);
    ann.follows(bob);
    ann.follows(carol);
  }

  /** What the stream of the table would do. */
  private Post delivered(Post post) {
    world.feeds.deliver(List.of(FeedEntry.of(post.ref(), ann.id())));
    return post;
  }

  /** Written half a minute ago, and not delivered yet. */
  private Post early(String text) {
    var before = new SteppingClock(Instant.now().minusSeconds(30));
    return new SeedWorld(server.table().table(), before).by(bob).posts(text);
  }

  private Notification told(Person who, Person by) {
    var at = Timestamps.now(clock);
    var id = TimeOrderedId.named(at, who.id(), by.id());
    var notification =
        new Notification(who.id(), id, NotificationType.FOLLOW, by.id(), null, at, false, LATER);
    world.notifications.add(notification);
    return notification;
  }

  private Sse stream() {
    return caller.stream(PATH);
  }

  private Sse back(String lastId) {
    return caller.with("Last-Event-ID", lastId).stream(PATH);
  }

  private static String key(Post post, Person reader) {
    int shard = FeedEntry.shard(post.postId(), reader.id(), post.feedShards());
    return Keys.feedSort(post.createdAt(), shard, post.postId());
  }

  private Received expect(Sse events, Post post) {
    Received event = events.next();
    assertThat(event.name()).as("%s", event).isEqualTo("feed_entry");
    assertThat(event.data()).contains("\"id\":\"" + post.postId() + "\"");
    return event;
  }

  /** Nothing else came before what comes now. */
  private void expectNothingElse(Sse events) {
    expect(events, delivered(carol.posts("the next")));
  }

  @Test
  void stream_tellsPostsAndNotifications_asPagesShowThem() {
    try (Sse events = stream()) {
      events.begin();
      Post post = delivered(bob.posts("hello #tag"));

      Received entry = expect(events, post);
      assertThat(entry.data()).isEqualTo(caller.get("/v1/posts/" + post.postId()).text());
      assertThat(entry.id()).startsWith(key(post, ann) + "~");

      Notification notification = told(ann, carol);
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
  void stream_hasTheHeadersOfOne() {
    try (Sse events = stream()) {
      var headers = events.response().headers();
      assertThat(events.response().statusCode()).isEqualTo(200);
      assertThat(headers.firstValue("Content-Type").orElse("")).startsWith("text/event-stream");
      assertThat(headers.firstValue("Cache-Control")).hasValue("no-store");
      assertThat(headers.firstValue("X-Accel-Buffering")).hasValue("no");
      assertThat(headers.firstValue("X-Consumed-Read-Units")).isPresent();
      assertThat(headers.firstValue("Content-Encoding")).isEmpty();
    }
  }

  /** As browsers ask for it. What is compressed has to leave event by event all the same. */
  @Timeout(60)
  @Test
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

  /** A reader would wait for more than there is. */
  private static void readUntil(InputStream in, String awaited) throws IOException {
    StringBuilder text = new StringBuilder();
    while (text.indexOf(awaited) < 0) {
      int next = in.read();
      assertThat(next).as("%s", text).isNotNegative();
      text.append((char) next);
    }
  }

  @Test
  void whatWasThereBefore_isNotSent() {
    delivered(bob.posts("on the first page"));
    told(ann, carol);
    try (Sse events = stream()) {
      events.begin();
      expectNothingElse(events);
    }
  }

  @Test
  void clientThatComesBack_getsExactlyWhatItMissedInOrder() {
    String id;
    try (Sse events = stream()) {
      id = events.begin();
    }
    Post one = bob.posts("1");
    Notification two = told(ann, carol);
    Post three = delivered(carol.posts("3"));
    delivered(one);
    String after;
    try (Sse events = back(id)) {
      after = expect(events, one).id();
      assertThat(events.next().data()).contains(two.notificationId());
      expect(events, three);
      expectNothingElse(events);
      id = events.lastId();
    }
    try (Sse events = back(after)) {
      assertThat(events.next().data()).contains(two.notificationId());
      expect(events, three);
    }
    try (Sse events = back(id)) {
      expectNothingElse(events);
    }
  }

  @Test
  void entryThatComesLate_isSentOnce_alsoToAClientThatComesBack() {
    Post early = early("early");
    String before;
    String after;
    try (Sse events = stream()) {
      events.begin();
      Post post = delivered(bob.posts("newer"));
      before = expect(events, post).id();
      delivered(early);
      after = expect(events, early).id();
      assertThat(after).startsWith(key(early, ann) + "~");
      expectNothingElse(events);
    }
    Post earlier = delivered(early("comes while away"));
    try (Sse events = back(before)) {
      expect(events, early);
      expect(events, earlier);
    }
    try (Sse events = back(after)) {
      expect(events, earlier);
    }
  }

  @Test
  void anotherServer_knowsWhatTheFirstOneSent() {
    String id;
    try (Sse events = stream()) {
      events.begin();
      Post early = early("early");
      expect(events, delivered(bob.posts("newer")));
      expect(events, delivered(early));
      id = events.lastId();
    }
    Post missed = delivered(early("comes while away"));
    FeedServer second = server.beside(QUICK);
    try (Sse events = second.as(ann).with("Last-Event-ID", id).stream(PATH)) {
      expect(events, missed);
      expectNothingElse(events);
    } finally {
      second.stop();
    }
  }

  @Test
  void sortKeyAlone_isAnId() {
    Post known = delivered(bob.posts("known"));
    Post missed = delivered(bob.posts("missed"));
    try (Sse events = back(key(known, ann))) {
      expect(events, missed);
      expectNothingElse(events);
    }
  }

  @Test
  void whatAPageHides_isNotSent() {
    List<BiConsumer<Person, Person>> ends =
        List.of(Person::blocks, (me, other) -> other.blocks(me), Person::mutes, Person::unfollows);
    for (BiConsumer<Person, Person> end : ends) {
      begin();
      try (Sse events = stream()) {
        events.begin();
        expect(events, delivered(bob.posts("before")));
        end.accept(ann, bob);
        delivered(bob.posts("kept away"));
        delivered(carol.posts("private", Visibility.PRIVATE));
        carol.deletes(delivered(carol.posts("deleted")));
        expectNothingElse(events);
        String id = events.lastId();
        delivered(bob.posts("kept away again"));
        try (Sse again = back(id)) {
          expectNothingElse(again);
        }
      }
    }
  }

  @Test
  void notificationOfOneWhoIsKeptAway_isNotSent() {
    try (Sse events = stream()) {
      events.begin();
      ann.mutes(bob);
      told(ann, bob);
      Notification heard = told(ann, carol);
      assertThat(events.next().data()).contains(heard.notificationId());
      expectNothingElse(events);
    }
  }

  @Test
  void streamsOfOthers_areTheirOwn() {
    try (Sse annEvents = stream();
        Sse carolEvents = server.as(carol).stream(PATH)) {
      annEvents.begin();
      carolEvents.begin();
      Post ofAnn = delivered(bob.posts("for ann"));
      Notification ofCarol = told(carol, bob);

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
    try (Sse events = stream()) {
      id = events.begin();
      Post post = expectPulled(events, star);
      expectPulled(events, star);
      expectNothingElse(events);
      try (Sse again = back(id)) {
        assertThat(expect(again, post).id())
            .startsWith(Keys.timed(post.createdAt(), Keys.post(post.postId())) + "~");
      }
    }
    Person stranger = world.user("stranger");
    registry.change(stranger.id(), Timestamps.now(clock), author -> author);
    try (Sse events = stream()) {
      events.begin();
      pulled(stranger);
      expectNothingElse(events);
    }
  }

  private Post expectPulled(Sse events, Person star) {
    Post post = pulled(star);
    expect(events, post);
    return post;
  }

  private Post pulled(Person author) {
    var now = Timestamps.now(clock);
    var id = TimeOrderedId.named(now, author.id());
    var post =
        new Post(
            id,
            author.id(),
            "x",
            List.of(),
            List.of(),
            Visibility.PUBLIC,
            null,
            now,
            4,
            Delivery.PULL,
            0,
            0,
            Map.of());
    world.posts.create(post);
    return post;
  }

  @Test
  void quietStream_isKeptAliveAndItsIdMovesOn() {
    try (Sse events = stream()) {
      String first = events.begin();
      Instant start = Instant.now();
      String last = first;
      // Longer than a request may take to be sent.
      while (Duration.between(start, Instant.now()).toMillis() < 1_500) {
        Received alive = events.block();
        assertThat(alive.comment()).as("%s", alive).isNotEmpty();
        assertThat(alive.data()).isEmpty();
        assertThat(alive.id()).isGreaterThan(last);
        last = alive.id();
      }
      expectNothingElse(events);
    }
  }

  @Test
  void clientThatWasAwayForLong_isToldToReadItsPages() {
    delivered(bob.posts("on the first page"));
    try (Sse events = back(Keys.at(Instant.now().minus(Duration.ofMinutes(61))))) {
      Received resync = events.next();
      assertThat(resync.name()).isEqualTo("resync");
      assertThat(resync.data()).isEqualTo("{\"reason\":\"too_old\"}");
      expectNothingElse(events);
      delivered(bob.posts("while away again"));
      try (Sse again = back(resync.id())) {
        assertThat(again.next().name()).isEqualTo("feed_entry");
      }
    }
  }

  @Test
  void clientThatMissedTooMuch_isToldToReadItsPages() {
    String id;
    try (Sse events = stream()) {
      id = events.begin();
    }
    List<Post> missed = new ArrayList<>();
    for (int i = 0; i < MOST; i++) {
      missed.add(delivered(bob.posts("" + i)));
    }
    try (Sse events = back(id)) {
      for (Post post : missed) {
        expect(events, post);
      }
    }
    delivered(bob.posts("one too many"));
    try (Sse events = back(id)) {
      assertThat(events.next().data()).isEqualTo("{\"reason\":\"too_many\"}");
      expectNothingElse(events);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "2026-11-20T09:15:00Z", "9999-01-01T00:00:00.000Z", "~"})
  void idThatNoEventHad_isMalformed(String id) {
    Expect.blames(400, "Last-Event-ID", caller.with("Last-Event-ID", id).get(PATH));
  }

  @Test
  void streamsBeyondThree_areRefusedUntilOneIsGone() {
    try (Sse one = stream();
        Sse two = stream();
        Sse three = stream()) {
      for (Sse events : List.of(one, two, three)) {
        events.begin();
      }
      Answer refused = caller.get(PATH);
      Expect.problem(429, "too_many_streams", refused);
      assertThat(refused.header("Retry-After")).isPresent();
      Expect.status(200, server.as(bob).get(PATH));

      two.close();

      awaitStatus(200, () -> caller.get(PATH));
    }
  }

  /** Asks until the answer is the wanted one. */
  private static void awaitStatus(int status, Supplier<Answer> ask) {
    Instant end = Instant.now().plus(PATIENCE);
    Answer answer = ask.get();
    while (answer.status() != status && Instant.now().isBefore(end)) {
      answer = ask.get();
    }
    Expect.status(status, answer);
  }

  @Test
  void streamWhoseTokenEnds_ends() throws JOSEException {
    Instant end = Instant.now().plusSeconds(5);
    String token =
        Tokens.dev(
            new JWTClaimsSet.Builder().subject(ann.id()).expirationTime(Date.from(end)).build());
    try (Sse events = server.anonymous().withToken(token).stream(PATH)) {
      events.begin();
      events.ends();
      assertThat(Instant.now()).isAfterOrEqualTo(end.minusSeconds(1));
    }
    Expect.problem(401, "unauthenticated", server.anonymous().withToken(token).get(PATH));
  }

  /** Sooner than a gateway would cut it off, in the middle of an event if need be. */
  @Test
  void streamWhoseTimeIsUp_ends_andItsClientMissesNothing() {
    var brief = new HashMap<String, Object>(QUICK);
    brief.put("feed.live.lasts", "2s");
    FeedServer second = server.beside(brief);
    try {
      Instant opened = Instant.now();
      String last;
      try (Sse events = second.as(ann).stream(PATH)) {
        events.begin();
        events.ends();
        last = events.lastId();
      }
      assertThat(Instant.now()).isAfterOrEqualTo(opened.plusSeconds(2));
      Post missed = delivered(bob.posts("while nobody listened"));
      try (Sse events = second.as(ann).with("Last-Event-ID", last).stream(PATH)) {
        expect(events, missed);
      }
    } finally {
      second.stop();
    }
  }

  @Test
  void serverThatStops_endsItsStreams() {
    FeedServer second = server.beside(QUICK);
    try (Sse events = second.as(ann).stream(PATH)) {
      events.begin();

      second.stop();

      events.ends();
    }
  }

  @Test
  void serverThatIsToEnd_endsItsStreams_beforeItWaitsForWhatIsOpen() {
    FeedServer second = server.beside(QUICK);
    try (Sse events = second.as(ann).stream(PATH)) {
      events.begin();

      second.bean(LiveStreams.class).shutdownGracefully();

      events.ends();
    } finally {
      second.stop();
    }
  }

  @Test
  void look_thatFindsNothing_costsOneReadUnit() {
    LiveLists lists = server.bean(LiveLists.class);
    FeedView view = new FeedView(ann.id(), List.of(), Instant.EPOCH);
    Mark floor = Mark.at(Instant.now());
    delivered(bob.posts("older"));
    told(ann, carol);

    assertThat(TestTable.costOf(() -> lists.above(floor, view, false)).read()).isEqualTo(1);
  }
}
