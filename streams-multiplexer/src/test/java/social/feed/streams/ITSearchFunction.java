package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.engine.LocalQueue;
import social.feed.search.AccountHit;
import social.feed.search.PostHit;
import social.feed.search.PostQuery;
import social.feed.search.opensearch.OpenSearchIndex;
import social.feed.streams.ITLambdaEntry.InvokedBy;
import social.feed.streams.ITLambdaEntry.TimeLeft;
import social.feed.streams.lambda.MultiplexerFunction;
import social.feed.streams.lambda.SinkFunction;
import social.feed.table.row.Like;
import social.feed.testkit.OpenSearchServer;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * The functions with a search index, as Lambda creates and invokes them: changes of the table's
 * stream become messages, and these become entries on a real server of OpenSearch.
 */
class ITSearchFunction {
  private static final String ALIAS =
      "arn:aws:lambda:us-east-1:000000000000:function:feed-multiplexer:effects";
  private static final Map<String, String> PROPERTIES = new HashMap<>();

  /** Longer than a first search takes on a busy machine. */
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static TestTable table;
  private static LocalQueue queues;
  private static SqsClient client;
  private static String sinks;
  private static OpenSearchServer server;

  @BeforeAll
  static void start(@TempDir Path folder) {
    table = TestTable.start();
    queues = LocalQueue.start();
    client = queues.newClient();
    sinks = queues.createQueue("sinks").toString();
    server = OpenSearchServer.start(folder);
    var deadLetters = queues.createQueue("dead").toString();
    PROPERTIES.put("aws.endpointUrlDynamoDb", table.endpoint().toString());
    PROPERTIES.put("aws.endpointUrlSqs", queues.endpoint().toString());
    PROPERTIES.put("aws.region", "us-east-1");
    PROPERTIES.put("aws.accessKeyId", "test");
    PROPERTIES.put("aws.secretAccessKey", "test");
    PROPERTIES.put("feed.multiplexer.table", table.table().name());
    PROPERTIES.put("feed.multiplexer.dead-letter-queue-url", deadLetters);
    PROPERTIES.put("feed.multiplexer.event-queue-url", deadLetters);
    PROPERTIES.put("feed.sinks.queue-url", sinks);
    PROPERTIES.put("feed.search.url", server.url().toString());
    PROPERTIES.forEach(System::setProperty);
  }

  @AfterAll
  static void stop() {
    PROPERTIES.keySet().forEach(System::clearProperty);
    server.close();
    client.close();
    queues.close();
    table.close();
  }

  /** The first event creates the indexes. What the index does not want is no message. */
  @Test
  void changes_areWrittenIntoTheIndex() throws IOException {
    var world = new SeedWorld(table.table(), table.clock());
    var ann = world.user("ann");
    var post = ann.posts("some tea");
    var id = post.postId();
    var account = world.users.get(ann.id()).orElseThrow();
    try (var lane = new MultiplexerFunction()) {
      var response =
          lane.handleRequest(
              EntryContract.event(
                  StreamRecords.inserted(1, account),
                  StreamRecords.inserted(2, post),
                  StreamRecords.inserted(3, like(id, ann.id()))),
              new InvokedBy(ALIAS, new TimeLeft(Integer.MAX_VALUE)));
      assertThat(response.getBatchItemFailures()).isEmpty();
    }
    var messages = received();
    assertThat(messages)
        .extracting(Message::body)
        .hasSize(2)
        .allMatch(body -> body.contains("\"sink\":\"search\""));

    assertThat(published(messages).getBatchItemFailures()).isEmpty();

    try (var index =
        OpenSearchIndex.at(server.url(), OpenSearchIndex.NAME, InstantSource.system(), LIMIT)) {
      index.refresh();
      assertThat(index.findPosts(PostQuery.of("tea"), null, 10))
          .extracting(PostHit::id)
          .containsExactly(id);
      assertThat(index.findAccounts("ann", null, 10))
          .extracting(AccountHit::id)
          .containsExactly(ann.id());
    }
  }

  private static Like like(String post, String user) {
    return new Like(post, user, user, table.clock().instant());
  }

  private static List<Message> received() {
    return client.receiveMessage(r -> r.queueUrl(sinks).maxNumberOfMessages(10)).messages();
  }

  private static SQSBatchResponse published(List<Message> messages) {
    var event = new SQSEvent();
    event.setRecords(
        messages.stream()
            .map(
                message -> {
                  var record = new SQSMessage();
                  record.setMessageId(message.messageId());
                  record.setBody(message.body());
                  return record;
                })
            .toList());
    try (var function = new SinkFunction()) {
      return function.handleRequest(event, new InvokedBy("arn", new TimeLeft(Integer.MAX_VALUE)));
    }
  }
}
