package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;
import social.feed.local.PlatformSettings;
import social.feed.local.dlq.DeadLetterQueue;
import social.feed.table.notification.Notifications;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** Tests the commands that show and drop dead letters. */
class ITDlq extends DeadLetterScenario {
  @CommandLine.Command(name = "chosen")
  private static final class Chosen {
    @CommandLine.ArgGroup(multiplicity = "1")
    private DeadLetterChoice choice = new DeadLetterChoice();
  }

  @Test
  void emptyQueue_isReported() {
    assertThat(dlq("list"))
        .isEqualTo(new Result(0, "The queue is empty: there are no dead letters.\n"));
    assertThat(dlq("redrive", "--all")).isEqualTo(new Result(0, "0 applied, 0 kept.\n"));
    assertThat(dlq("drop", "--all")).isEqualTo(new Result(0, "0 dropped.\n"));
  }

  @Test
  void failedRecord_isOneDeadLetter_andTheNextRecordsAreApplied() {
    var id = poison();
    follow("bob", "cleo");
    drain();
    assertThat(followers("cleo")).isEqualTo(1);
    assertThat(new Notifications(table, Clock.systemUTC()).unreadCount("ann")).isEqualTo(1);
    for (int time = 1; time <= 3; time++) {
      var list = dlq("list");
      assertThat(list.code()).isZero();
      assertThat(list.text())
          .contains(
              id,
              "counts",
              "FOLLOW FOLLOWEE#ann / FOLLOWER#bob",
              "USER#ann / META lacks followers_count",
              "1 dead letter.")
          .hasLineCount(3);
    }
  }

  @Test
  void show_printsAllFields() {
    var result = dlq("show", poison());
    assertThat(result.code()).isZero();
    assertThat(result.text())
        .contains(
            "handler     counts at USER#ann / META\n",
            "event       INSERT\n",
            "shard       shardId-")
        .contains("reason      IllegalStateException: USER#ann / META lacks followers_count")
        .contains("old image   none\n", "\"followee_id\" : {\n    \"S\" : \"ann\"\n  }")
        .containsPattern("sequence    \\d{21,}\n");
    assertThat(dlq("show", "nonsense").code()).isEqualTo(1);
  }

  @Test
  void drop_deletesOnlyTheNamedDeadLetters() {
    var id = poison();
    client.putItem(
        p ->
            p.tableName(PlatformSettings.TABLE)
                .item(
                    Map.of(
                        "PK", AttributeValue.fromS("POST#1"),
                        "SK", AttributeValue.fromS("TEA\nPOT"),
                        "entity", AttributeValue.fromS("TEAPOT"))));
    drain();
    assertThat(dlq("list").text())
        .contains("3 dead letters.", "TEAPOT POST#1 / TEA?POT", "decode")
        .hasLineCount(5);
    assertThat(dlq("drop").code()).isEqualTo(2);
    var unknown = dlq("drop", "nonsense");
    assertThat(unknown.text()).contains("No dead letter has the id nonsense", "0 dropped.");
    assertThat(unknown.code()).isEqualTo(1);
    assertThat(dlq("drop", id).text()).contains("Dropped  " + id, "1 dropped.");
    assertThat(dlq("redrive", "--all").code()).isEqualTo(1);
    assertThat(dlq("drop", "--all").text()).contains("2 dropped.");
    assertThat(dlq("list").text()).contains("The queue is empty");
  }

  @Test
  void foreignMessage_isShownAndCanBeDropped() {
    queues.sendMessage(m -> m.queueUrl(url()).messageBody("hello"));
    assertThat(dlq("list").text()).contains("The message names no handler");
    var id = id();
    assertThat(dlq("show", id).text()).contains("hello");
    assertThat(dlq("redrive", id).code()).isEqualTo(1);
    assertThat(dlq("drop", id).code()).isZero();
    assertThat(dlq("list").text()).contains("The queue is empty");
  }

  @Test
  void moreThanTheMaximum_isReported_andNoneIsLost() {
    for (int batch = 0; batch < 3; batch++) {
      int first = batch * 10;
      queues.sendMessageBatch(
          s ->
              s.queueUrl(url())
                  .entries(Stream.iterate(first, i -> i + 1).limit(9).map(ITDlq::entry).toList()));
    }
    assertThat(dlq("list", "--max", "20").text())
        .contains("20 dead letters.", "There are about 7 more.");
    assertThat(dlq("list").text()).contains("27 dead letters.");
    var some = dlq("drop", "--all", "--max", "20");
    assertThat(some.text()).contains("20 dropped.", "There are about 7 more.");
    assertThat(some.code()).isEqualTo(1);
    var rest = dlq("drop", "--all");
    assertThat(rest.text()).contains("7 dropped.");
    assertThat(rest.code()).isZero();
  }

  /** Without a lease, each message is visible again before the next one is received. */
  @Test
  @Timeout(60)
  void messagesThatAreVisibleAgain_endTheReceive_andAreReported() {
    queues.sendMessageBatch(
        s ->
            s.queueUrl(url())
                .entries(Stream.iterate(0, i -> i + 1).limit(3).map(ITDlq::entry).toList()));
    try (var deadLetters =
            new DeadLetterQueue(
                local(SqsClient.builder(), platform.deadLetters().resolve("/")),
                url(),
                1_000,
                Duration.ZERO);
        var leased = deadLetters.receive(Duration.ZERO)) {
      assertThat(leased.deadLetters()).hasSize(3);
      assertThat(leased.isCutShort()).isTrue();
      assertThat(DlqListCommand.elsewhere(leased))
          .startsWith("There may be more")
          .contains("Receive fewer at a time with --max.")
          .hasLineCount(1);
      var all = new Chosen();
      new CommandLine(all).parseArgs("--all");
      assertThat(all.choice.isComplete(leased)).isFalse();
    }
    assertThat(dlq("list").text()).contains("3 dead letters.").doesNotContain("There may be more");
  }

  @Test
  void deadLettersThatAnotherConsumerHolds_areReported() {
    poison();
    queues.receiveMessage(r -> r.queueUrl(url()).visibilityTimeout(60));
    assertThat(dlq("list").text()).contains("Another consumer holds about 1 at the moment");
  }

  @Test
  void missingQueue_isReported() {
    assertThat(run("dlq", "list", "--queue", "http://127.0.0.1:1"))
        .isEqualTo(
            new Result(
                2,
                "feed: No queue answers at http://127.0.0.1:1. Start the platform with ./feed up, or"
                    + " name the endpoint of its queues with --queue.\n"));
    var other = platform.deadLetters().resolve("nothing").toString();
    assertThat(run("dlq", "list", "--queue-url", other).text())
        .contains("The queue does not exist");
    assertThat(run("dlq", "list", "--queue-url", url()).code()).isZero();
  }

  private static SendMessageBatchRequestEntry entry(int number) {
    return SendMessageBatchRequestEntry.builder()
        .id("m" + number)
        .messageBody("no dead letter")
        .build();
  }
}
