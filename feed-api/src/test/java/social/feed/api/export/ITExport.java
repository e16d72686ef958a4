package social.feed.api.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.api.http.Answer;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.api.http.RawAnswer;
import social.feed.api.http.ServerOnly;
import social.feed.api.http.ThrottlingWire;
import social.feed.table.home.FeedActivities;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Update;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Comment;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.IdempotencyRecord;
import social.feed.table.row.Inbox;
import social.feed.table.row.Like;
import social.feed.table.row.Media;
import social.feed.table.row.Mute;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.RowKind;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;
import social.feed.testkit.OnlyEmbedded;
import social.feed.testkit.OnlyEmbedded.Reason;
import social.feed.testkit.Polling;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** Contents of an export. */
@ExtendWith(FeedServerExtension.class)
class ITExport {
  private static final String EXPORT = "/v1/users/me/export";

  /** More than a page of posts (50), of edges (500) or of a partition (500). */
  private static final int POSTS = 120;

  private static final int PEOPLE = 510;

  /** As many as fit into the answer of a function, and its bytes. */
  private static final int ROWS = 10_000;

  private static final int MOST_BYTES = 4 * 1024 * 1024;

  private static final long LATER = 9_999_999_999L;
  private static final Instant SLOWED_UNTIL = Instant.parse("2100-01-01T00:00:00Z");

  private final FeedServer server;
  private final SeedWorld world;
  private final Person ann;
  private final Person bob;
  private final Person cid;

  ITExport(FeedServer server, SeedWorld world) {
    this.server = server;
    this.world = world;
    this.ann = world.user("ann");
    this.bob = world.user("bob");
    this.cid = world.user("cid");
  }

  private Instant now() {
    return Timestamps.now(server.clock());
  }

  private List<JsonNode> export(Person person) {
    Answer answer = server.as(person).get(EXPORT);
    Expect.status(200, answer);
    assertThat(answer.header("Content-Type").orElse("")).startsWith("application/x-ndjson");
    assertThat(answer.header("Cache-Control")).hasValue("no-store");
    var lines = answer.text().lines().filter(line -> !line.isBlank()).map(ITExport::read).toList();
    assertThat(kind(lines.getLast())).isEqualTo("end");
    assertThat(lines.getLast().get("lines").getLongValue()).isEqualTo(lines.size() - 1);
    return lines.subList(0, lines.size() - 1);
  }

  private static JsonNode read(String line) {
    try {
      return JsonMapper.createDefault().readValue(line, JsonNode.class);
    } catch (IOException e) {
      throw new UncheckedIOException(line, e);
    }
  }

  private static String kind(JsonNode line) {
    return line.get("kind").getStringValue();
  }

  private static Map<String, Long> kinds(List<JsonNode> lines) {
    return lines.stream()
        .collect(Collectors.groupingBy(ITExport::kind, TreeMap::new, Collectors.counting()));
  }

  private static JsonNode only(String kind, List<JsonNode> lines) {
    var found = lines.stream().filter(line -> kind(line).equals(kind)).toList();
    assertThat(found).as(kind).hasSize(1);
    return found.getFirst();
  }

  @Test
  void export_ofNewAccount_isTheProfile() {
    var lines = export(ann);

    assertThat(kinds(lines)).isEqualTo(Map.of("profile", 1L));
    assertThat(only("profile", lines).get("handle").getStringValue())
        .isEqualTo(ann.account().handle());
  }

  @Test
  void export_containsEachKindOfRow() {
    bob.follows(ann);
    bob.marks(ann);
    ann.follows(bob);
    ann.marks(bob);
    ann.follows(cid);
    ann.unfollowsKeepingHistory(cid);
    var secret = ann.posts("to #me, says @" + bob.account().handle(), Visibility.PRIVATE);
    var bobs = bob.posts("public");
    ann.likes(bobs);
    var comment = ann.comments(bobs, "well");
    ann.mutes(cid, now().plus(Duration.ofDays(400)));
    var dot = world.user("dot");
    ann.blocks(dot);
    notification(NotificationType.LIKE, LATER);
    var file =
        new Media(
            TimeOrderedId.named(now(), ann.id()),
            ann.id(),
            "image/png",
            9,
            "0".repeat(64),
            "A cat",
            now(),
            640,
            480,
            null);
    server.table().table().putAll(List.<Row>of(file));
    assertThat(world.followWriter.slowDown(ann.id(), SLOWED_UNTIL)).isTrue();
    new FeedActivities(server.table().table()).read(ann.id(), now(), () -> Optional.of(now()));

    var lines = export(ann);

    assertThat(kinds(lines).keySet())
        .containsExactlyInAnyOrderElementsOf(ExportKindsPageTest.allLines());
    assertThat(lines).hasSize(ExportKindsPageTest.allLines().size());
    var post = only("post", lines);
    assertThat(post.get("id").getStringValue()).isEqualTo(secret.postId());
    assertThat(post.get("text").getStringValue()).isEqualTo(secret.text());
    assertThat(post.get("visibility").getStringValue()).isEqualTo("private");
    assertThat(post.get("created_at").getStringValue())
        .isEqualTo(Timestamps.format(secret.createdAt()));
    assertThat(post.get("mentions").get(0).get("id").getStringValue()).isEqualTo(bob.id());
    assertThat(only("comment", lines).get("id").getStringValue()).isEqualTo(comment.commentId());
    assertThat(only("comment", lines).get("text").getStringValue()).isEqualTo("well");
    assertThat(only("like", lines).get("post_id").getStringValue()).isEqualTo(bobs.postId());
    assertThat(only("following", lines).get("special_since")).isNotNull();
    assertThat(only("block", lines).get("user_id").getStringValue()).isEqualTo(dot.id());
    assertThat(only("mute", lines).get("until")).isNotNull();
    assertThat(only("media", lines).get("id").getStringValue()).isEqualTo(file.mediaId());
    assertThat(only("slow_down", lines).get("until").getStringValue())
        .isEqualTo(Timestamps.format(SLOWED_UNTIL));
  }

  /** The key and all attributes of the row name the account. */
  @ParameterizedTest
  @EnumSource
  void row_thatNamesTheAccountEverywhere_hasALineOfItsKindOrNone(RowKind kind) {
    var lines =
        new ExportLines(
            ann.id(), world.barriers.around(ann.id()), Inbox.empty(ann.id()), Instant.EPOCH);

    var line = lines.of(naming(ann.id(), kind.type()));

    assertThat(line.isPresent()).isEqualTo(ExportKindsPageTest.LINES.containsKey(kind));
    line.ifPresent(
        fields ->
            assertThat(ExportKindsPageTest.LINES.get(kind)).contains("" + fields.get("kind")));
  }

  /** Returns a row whose texts all are the id of an account, and that lacks nothing. */
  private static Row naming(String id, Class<? extends Row> type) {
    var components = type.getRecordComponents();
    var types = Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    var values = Stream.of(types).map(component -> value(id, component)).toArray();
    try {
      var constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type.getSimpleName(), e);
    }
  }

  private static @Nullable Object value(String id, Class<?> type) {
    if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    return switch (type.getSimpleName()) {
      case "String" -> id;
      case "Instant" -> Instant.EPOCH;
      case "int", "Integer" -> 1;
      case "long", "Long" -> LATER;
      case "boolean", "Boolean" -> true;
      case "List" -> List.of();
      case "Map" -> Map.of();
      default -> null;
    };
  }

  @Test
  void export_omitsPrivateRowsOfOthersAndSecrets() {
    bob.follows(ann);
    bob.marks(ann);
    bob.blocks(world.user("other"));
    var eve = world.user("eve");
    notification(NotificationType.MENTION, eve, LATER);
    eve.blocks(ann);
    cid.mutes(ann);
    var anns = ann.posts("x");
    bob.comments(anns, "bobs own words");
    bob.likes(anns);
    var hidden = bob.posts("bobs secret", Visibility.PRIVATE);
    notification(NotificationType.FOLLOW, 1);
    server
        .table()
        .table()
        .putAll(
            List.<Row>of(
                FeedEntry.of(hidden.ref(), ann.id()),
                new IdempotencyRecord(ann.id(), "secret-key", "print", "x", 201, "{}", LATER)));

    var answer = server.as(ann).get(EXPORT).text();

    assertThat(kinds(export(ann))).isEqualTo(Map.of("profile", 1L, "post", 1L, "follower", 1L));
    assertThat(answer)
        .doesNotContain("special", "bobs", eve.id(), cid.id(), "secret-key", hidden.postId());
  }

  @Test
  void export_showsWhatTheApiShows() {
    notification(NotificationType.LIKE, LATER);
    world.notifications.markAllRead(ann.id(), now());
    var early = new Update().set(User.POSTS_COUNT, -1);
    server.table().table().update(User.key(ann.id()), early, Condition.present());

    var lines = export(ann);

    assertThat(only("notification", lines).get("read").getBooleanValue()).isTrue();
    assertThat(only("profile", lines).get("posts_count").getIntValue()).isZero();
  }

  private void notification(NotificationType type, long expiresAt) {
    notification(type, bob, expiresAt);
  }

  private void notification(NotificationType type, Person actor, long expiresAt) {
    var at = now();
    world.notifications.add(
        new Notification(
            ann.id(),
            TimeOrderedId.named(at, type.name()),
            type,
            actor.id(),
            null,
            at,
            false,
            expiresAt));
  }

  @Test
  void export_ofManyPages_containsEachRowOnce() {
    List<Row> rows = new ArrayList<>();
    Set<String> ids =
        IntStream.range(0, POSTS)
            .mapToObj(_ -> ann.posts("x").postId())
            .collect(Collectors.toSet());
    var liked = IntStream.range(0, POSTS).mapToObj(_ -> bob.posts("y")).toList();
    liked.forEach(ann::likes);
    for (Post post : liked) {
      rows.add(
          new Comment(
              post.postId(),
              TimeOrderedId.named(now(), post.postId()),
              ann.id(),
              bob.id(),
              "z",
              now()));
    }
    for (int i = 0; i < PEOPLE; i++) {
      var at = now();
      var other = "p%d-%s".formatted(i, ann.id());
      rows.add(Follow.of(ann.id(), other, at));
      rows.add(Follow.of(other, ann.id(), at));
      rows.add(Mute.of(ann.id(), other, at, null));
    }
    server.table().table().putAll(rows);

    var lines = export(ann);

    assertThat(kinds(lines))
        .isEqualTo(
            Map.of(
                "profile", 1L,
                "post", (long) POSTS,
                "like", (long) POSTS,
                "comment", (long) POSTS,
                "following", (long) PEOPLE,
                "follower", (long) PEOPLE,
                "mute", (long) PEOPLE));
    assertThat(
            lines.stream()
                .filter(line -> kind(line).equals("post"))
                .map(line -> line.get("id").getStringValue()))
        .containsExactlyInAnyOrderElementsOf(ids);
    assertThat(lines).doesNotHaveDuplicates();
  }

  /**
   * A function answers with 4 MiB at most. Behind the gateway of streams an answer may have any
   * size, and after 10 MB takes half a second for each megabyte.
   */
  @Test
  @OnlyEmbedded(Reason.THOUSANDS_OF_CALLS)
  void export_ofTenThousandRows_fitsTheGateways() {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; rows.size() < ROWS; i++) {
      var at = now().minusSeconds(i);
      var other = "p%d-%s".formatted(i, ann.id());
      rows.add(SamplePosts.by(ann.id(), at).text("x".repeat(100)).feedShards(1).build());
      rows.add(Follow.of(ann.id(), other, at));
      rows.add(Follow.of(other, ann.id(), at));
      rows.add(new Like(other, ann.id(), other, at));
      rows.add(Mute.of(ann.id(), other, at, null));
    }
    server.table().table().putAll(rows);

    var answer = Expect.status(200, server.as(ann).get(EXPORT));

    int bytes = answer.text().getBytes(StandardCharsets.UTF_8).length;
    System.out.printf("export of %,d rows: %,d bytes%n", rows.size(), bytes);
    assertThat(answer.text().lines().filter(line -> !line.isBlank())).hasSize(rows.size() + 2);
    assertThat(bytes).isLessThan(MOST_BYTES);
  }

  @Test
  void export_withoutProfile_isAConflict() {
    Expect.problem(409, "not_registered", server.as("new-" + ann.id()).get(EXPORT));
    var token = server.as(ann);
    token.delete("/v1/users/me");
    Expect.problem(409, "account_erased", token.get(EXPORT));
  }

  @Test
  void exportThatDoesNotStart_doesNotCountAgainstItsCaller() {
    var wire = new ThrottlingWire();
    var strict = server.another(Map.of("feed.export.again-after", "1h"), wire);
    try {
      var caller = strict.as(ann);
      var inbox = Inbox.empty(ann.id()).key();
      wire.refuse(
          request ->
              request instanceof GetItemRequest get && KeyAttributes.key(get.key()).equals(inbox));
      Expect.problem(503, "table_busy", caller.get(EXPORT));
      assertThat(wire.refusals()).isPositive();

      wire.cease();

      Expect.status(200, caller.get(EXPORT));
      Expect.problem(429, "too_many_exports", caller.get(EXPORT));
    } finally {
      strict.stop();
    }
  }

  @Test
  @ServerOnly
  void exportThatTheServerBreaksOff_delaysTheNextOneByAMinute() throws IOException {
    var wire = new ThrottlingWire();
    var strict = server.another(Map.of("feed.export.again-after", "1h"), wire);
    try {
      wire.refuse(QueryRequest.class::isInstance);
      String close = "Connection: close\r\n";
      try (var export = new RawAnswer(strict.uri(), EXPORT, strict.tokenOf(ann), close)) {
        export.drain();
      }
      assertThat(wire.refusals()).isPositive();
      wire.cease();

      var refused = strict.as(ann).get(EXPORT);

      Expect.problem(429, "too_many_exports", refused);
      assertThat(refused.header("Retry-After").map(Integer::valueOf).orElseThrow())
          .isBetween(1, 60);
    } finally {
      strict.stop();
    }
  }

  /** The answer begins before the most is read, so its headers lack that. */
  @Test
  void export_isInTheMetricsOfItsRoute() {
    IntStream.range(0, 20).forEach(i -> ann.posts("post " + i));
    double before = readUnits();

    double headers =
        Double.parseDouble(
            Expect.status(200, server.as(ann).get(EXPORT))
                .header("X-Consumed-Read-Units")
                .orElseThrow());

    Polling.until(() -> readUnits() >= before + headers + 10);
  }

  private double readUnits() {
    return Pattern.compile("feed_read_units_total\\{route=\"" + EXPORT + "\\S*\"} (\\S+)")
        .matcher(server.anonymous().get("/metrics").text())
        .results()
        .mapToDouble(found -> Double.parseDouble(found.group(1)))
        .sum();
  }

  @Test
  void exports_inSequence_allSucceed() {
    for (int i = 0; i < 5; i++) {
      assertThat(export(ann)).isNotEmpty();
    }
    for (int i = 0; i < 5; i++) {
      Answer head = Expect.status(200, server.as(ann).send("HEAD", EXPORT, null));
      assertThat(head.header("Cache-Control")).hasValue("no-store");
    }
    assertThat(export(ann)).isNotEmpty();
  }
}
