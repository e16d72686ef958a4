package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import social.feed.engine.eventsource.StreamTail;
import social.feed.engine.eventsource.StreamTail.Tailed;
import social.feed.local.PlatformSettings;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.deadletter.SqsDeadLetters;
import social.feed.table.graph.FollowRateLimit;
import social.feed.table.graph.FollowWriter;
import social.feed.table.post.Posts;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.RowKind;
import social.feed.table.row.TagTrend;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;
import social.feed.table.suspicion.Suspects;
import social.feed.table.user.Users;
import social.feed.testkit.LongRunning;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/** Tests dead letters that are applied again. */
@LongRunning
class ITDlqRedrive extends DeadLetterScenario {
  @Test
  void redrive_beforeTheCauseIsRepaired_keepsTheDeadLetterAndReportsTheReason() {
    var id = poison();
    var result = dlq("redrive", id);
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.text()).contains("Kept, because it failed again", "lacks followers_count");
    assertThat(dlq("list").text()).contains(id);
  }

  @Test
  void redrive_afterTheRepair_countsOnceDespiteRepeats() {
    var id = poison();
    var copy = visible();
    repair();
    var result = dlq("redrive", id);
    assertThat(result.code()).isZero();
    assertThat(result.text())
        .contains("Applied: +1 followers_count of USER#ann / META.", "1 applied, 0 kept.");
    assertThat(dlq("list").text()).contains("The queue is empty");
    assertThat(dlq("redrive", id).code()).isEqualTo(1);
    platform.replay();
    drain();
    assertThat(followers("ann")).isEqualTo(1);
    send(copy.body(), copy);
    assertThat(dlq("redrive", "--all").text()).contains(id, "It was applied before");
    assertThat(followers("ann")).isEqualTo(1);
    assertThat(dlq("list").text()).contains("The queue is empty");
  }

  /** The redrive has another threshold than the platform, or none. */
  @ParameterizedTest
  @CsvSource({
    "'', true",
    "--celebrity-threshold=50000, true",
    "--celebrity-threshold=90000, false"
  })
  void redrive_ofAFollower_decidesTheFlagOnlyWithAThreshold(String option, boolean isCelebrity) {
    var id = poison();
    update(
        "SET followers_count = :n, is_celebrity = :yes, celebrity_version = :first",
        Map.of(
            ":n", AttributeValue.fromN("50000"),
            ":yes", AttributeValue.fromBool(true),
            ":first", AttributeValue.fromN("1")));
    drain();

    var result = option.isEmpty() ? dlq("redrive", id) : dlq("redrive", id, option);

    assertThat(result.code()).as(result.text()).isZero();
    var ann = new Users(table).get("ann").orElseThrow();
    assertThat(ann.followersCount()).isEqualTo(50_001);
    assertThat(ann.isCelebrity()).isEqualTo(isCelebrity);
  }

  @Test
  void redriveOfAll_thatLeavesSome_exitsWith1() {
    poison();
    var copy = visible();
    send(copy.body(), copy);
    repair();

    var some = dlq("redrive", "--all", "--max", "1");
    var rest = dlq("redrive", "--all");

    assertThat(some.text()).contains("1 applied, 0 kept.", "There are about 1 more.");
    assertThat(some.code()).isEqualTo(1);
    assertThat(rest.code()).as(rest.text()).isZero();
    assertThat(followers("ann")).isEqualTo(1);
  }

  /** On a table elsewhere it would count as applied, without an effect, and be deleted. */
  @Test
  void redrive_fromAQueueThatIsNotWhereTheTableIs_isRefused() {
    var id = poison();
    repair();
    var aws = "https://sqs.eu-west-1.amazonaws.com/1/dead";

    var ofAws = run("dlq", "redrive", "--all", "--queue-url", aws);
    var ofAPlatform = dlq("redrive", id, "--region", "eu-west-1", "--table", "feed-prod");
    var elsewhere = run("dlq", "redrive", "--all", "--queue-url", aws, "--region", "us-east-1");
    var events = redriveByUrl("--event-queue-url", aws);
    var sinks = redriveByUrl("--sink-queue-url", aws);

    assertThat(List.of(ofAws, ofAPlatform, elsewhere, events, sinks))
        .extracting(Result::code)
        .containsOnly(2);
    assertThat(ofAws.text())
        .contains("the table is that of a local platform", "--region eu-west-1 and --table");
    assertThat(ofAPlatform.text()).contains("is not of AWS", "with --queue-url");
    assertThat(elsewhere.text()).contains("in us-east-1", "is in eu-west-1", "with --queue-url");
    assertThat(List.of(events, sinks))
        .extracting(Result::text)
        .allMatch(text -> text.contains("the table is that of a local platform"));
    assertThat(followers("ann")).isZero();
    assertThat(dlq("list").text()).contains(id);
  }

  /** Two stages may share a region. */
  @Test
  void redrive_ofARecordOfAnotherTable_keepsIt() {
    var id = poison();
    repair();
    var own = visible();
    var body = own.body().replace(":table/" + PlatformSettings.TABLE + "/", ":table/feed-prod/");
    assertThat(body).isNotEqualTo(own.body());
    send(body, own);

    var result = dlq("redrive", "--all");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.text())
        .contains("It is a record of the table feed-prod, not of feed", "1 applied, 1 kept.");
    assertThat(followers("ann")).isEqualTo(1);
    assertThat(dlq("list").text()).contains(id, "1 dead letter.");
  }

  @Test
  void redrive_afterARecount_addsNothing() {
    poison();
    repair();
    assertThat(verify("--fix").text()).contains("followers_count is 0, but 1 were counted");
    assertThat(followers("ann")).isEqualTo(1);
    var result = dlq("redrive", "--all");
    assertThat(result.code()).isZero();
    assertThat(result.text()).contains("It was applied before, or recounted since");
    assertExactAfterAReplay();
  }

  @Test
  void redrive_beforeARecount_isInTheCount() {
    poison();
    update("SET followers_count = :n", Map.of(":n", AttributeValue.fromN("5")));
    assertThat(dlq("redrive", "--all").text()).contains("1 applied");
    assertThat(followers("ann")).isEqualTo(6);
    assertThat(verify("--fix").code()).isZero();
    assertExactAfterAReplay();
  }

  @Test
  void redrive_ofARecountedPost_addsNothing() {
    drain();
    update("REMOVE posts_count", Map.of());
    new Posts(table).create(Written.post("ann", NOW, "Hello"));
    drain();
    assertThat(dlq("list").text()).contains("CountOnce", "1 dead letter.");
    update("SET posts_count = :n", Map.of(":n", AttributeValue.fromN("0")));
    assertThat(verify("--fix").text()).contains("posts_count is 0, but 1 were counted");
    assertThat(dlq("redrive", "--all").code()).isZero();
    assertThat(new Users(table).get("ann").orElseThrow().postsCount()).isEqualTo(1);
    platform.replay();
    drain();
    assertThat(new Users(table).get("ann").orElseThrow().postsCount()).isEqualTo(1);
    assertThat(verify().code()).isZero();
  }

  @Test
  void redrive_ofARecountedMonth_addsNothing() {
    follow("cleo", "ann");
    drain();
    poison(TopAuthor.key(NOW, "ann"), () -> follow("bob", "ann"));
    assertRecountedOnce("gained is 1, but 2 were counted");
    assertThat(followers("ann")).isEqualTo(2);
  }

  @Test
  void redrive_ofARecountedTagUse_addsNothing() {
    var posts = new Posts(table);
    posts.create(Written.post("ann", NOW, "Hello", "sea"));
    drain();
    poison(trend("sea"), () -> posts.create(Written.post("bob", NOW, "Hello", "sea")));
    assertRecountedOnce("was used 1 times at");
  }

  /** The record of the row that a shard counted in names the tag's row, with its half-life. */
  @Test
  void redrive_ofATagUse_withAnotherHalfLife_isApplied() {
    var posts = new Posts(table);
    posts.create(Written.post("ann", NOW, "Hello", "sea"));
    drain();
    poison(trend("sea"), () -> posts.create(Written.post("bob", NOW, "Hello", "sea")));
    var other = dlq("redrive", "--all", "--trend-half-life-hours", "12");
    assertThat(other.code()).as(other.text()).isZero();
    assertThat(other.text()).contains("1 applied, 0 kept.");
    assertThat(verify().code()).isZero();
  }

  /** On AWS, only URLs identify queues. */
  @Test
  void redrive_ofACrossing_publishesToTheNamedQueue() {
    drain();
    update(
        "SET is_celebrity = :yes, celebrity_version = :first",
        Map.of(":yes", AttributeValue.fromBool(true), ":first", AttributeValue.fromN("1")));
    drain();
    // Simulates that the multiplexer failed to register the celebrity.
    table.deleteAll(List.of(PulledAuthor.key("ann")));
    drain();
    new SqsDeadLetters(queues, url())
        .send(DeadLetter.of("Flip", "The queue of events is not there", crossing()));
    var elsewhere = queues.createQueue(q -> q.queueName("elsewhere")).queueUrl();

    var withoutQueue = redriveByUrl();
    var withQueue = redriveByUrl("--event-queue-url", elsewhere);

    assertThat(withoutQueue.code()).isEqualTo(1);
    assertThat(withoutQueue.text()).contains("--event-queue-url", "0 applied, 1 kept.");
    assertThat(withQueue.code()).as(withQueue.text()).isZero();
    assertThat(withQueue.text()).contains("name their queue with --sink-queue-url");
    assertThat(queues.receiveMessage(r -> r.queueUrl(elsewhere)).messages())
        .singleElement()
        .extracting(Message::body)
        .asString()
        .contains("\"user_id\":\"ann\",\"is_celebrity\":true");
  }

  /** With other thresholds than those of the platform, the record says nothing. */
  @Test
  void redrive_decidesAboutFollows_withTheGivenThresholds() {
    var writer = new FollowWriter(table, 10, 10, new FollowRateLimit(10, 10, Duration.ZERO));
    writer.follow(Follow.of("bob", "ann", NOW));
    writer.follow(Follow.of("bob", "cleo", NOW));
    drain();
    var quota =
        modified(
            record ->
                Optional.ofNullable(record.getDynamodb().getNewImage().get(RowKind.ATTRIBUTE))
                    .filter(kind -> RowKind.FOLLOW_QUOTA.name().equals(kind.getS()))
                    .isPresent());
    new SqsDeadLetters(queues, url()).send(DeadLetter.of("AssessFollows", "Throttled", quota));

    var standard = dlq("redrive", "--all");
    var given = dlq("redrive", "--all", "--suspicious", "follows=2,score=20");

    assertThat(standard.text())
        .contains("no longer causes any AssessFollows", "0 applied, 1 kept.");
    assertThat(given.code()).as(given.text()).isZero();
    assertThat(new Suspects(table).get("bob")).isPresent();
  }

  /** Returns the dead letter of the queue, which stays visible. */
  private Message visible() {
    return queues
        .receiveMessage(r -> r.queueUrl(url()).visibilityTimeout(0).messageAttributeNames("All"))
        .messages()
        .getFirst();
  }

  private void send(String body, Message like) {
    queues.sendMessage(
        m -> m.queueUrl(url()).messageBody(body).messageAttributes(like.messageAttributes()));
  }

  /** Returns the stream record by which an account became a celebrity. */
  private DynamodbStreamRecord crossing() {
    return modified(
        record ->
            Optional.ofNullable(record.getDynamodb().getNewImage().get(User.IS_CELEBRITY))
                .map(flag -> flag.getBOOL())
                .orElse(false));
  }

  /** Returns the first record of a wanted change. */
  private DynamodbStreamRecord modified(Predicate<DynamodbStreamRecord> isWanted) {
    var described = client.describeTable(d -> d.tableName(PlatformSettings.TABLE)).table();
    try (var streams = local(DynamoDbStreamsClient.builder(), platform.dynamodb())) {
      return new StreamTail(streams, described.latestStreamArn())
          .read().stream()
              .map(Tailed::record)
              .filter(record -> record.getEventName().equals("MODIFY"))
              .filter(isWanted)
              .findFirst()
              .orElseThrow();
    }
  }

  private Result redriveByUrl(String... more) {
    var own =
        List.of(
            "dlq",
            "redrive",
            "--all",
            "--queue-url",
            url(),
            "--endpoint",
            platform.dynamodb().toString());
    return run(Stream.concat(own.stream(), Stream.of(more)).toArray(String[]::new));
  }

  /** Makes an update of a ranking row fail, and repairs the row afterwards. */
  private void poison(Key ranked, Runnable cause) {
    update(ranked, "REMOVE revision", Map.of());
    cause.run();
    drain();
    assertThat(dlq("list").text()).contains("1 dead letter.", "counts at T");
    update(ranked, "SET revision = :n", Map.of(":n", AttributeValue.fromN("1")));
  }

  private void assertRecountedOnce(String drift) {
    assertThat(verify("--fix").text()).contains(drift);
    var result = dlq("redrive", "--all");
    assertThat(result.code()).as(result.text()).isZero();
    assertThat(result.text()).contains("It was applied before, or recounted since");
    platform.replay();
    drain();
    assertThat(verify().code()).isZero();
    assertThat(dlq("list").text()).contains("The queue is empty");
  }

  private static Key trend(String tag) {
    return TagTrend.key(TrendingTags.HALF_LIFE, tag);
  }

  private void assertExactAfterAReplay() {
    assertThat(followers("ann")).isEqualTo(1);
    platform.replay();
    drain();
    assertThat(followers("ann")).isEqualTo(1);
    assertThat(verify().code()).isZero();
    assertThat(dlq("list").text()).contains("The queue is empty");
  }

  private void repair() {
    update("SET followers_count = :n", Map.of(":n", AttributeValue.fromN("0")));
  }
}
