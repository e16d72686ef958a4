package social.feed.local;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import social.feed.engine.LocalQueue;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * A table and two queues on another engine. The properties {@code feed.stack.*} name those that
 * CloudFormation created. Without the properties they are in this JVM.
 */
record BridgedStack(TestTable table, @Nullable LocalQueue own, SqsClient queue, Queues urls)
    implements AutoCloseable {
  private static final int WAIT_SECONDS = 10;

  static BridgedStack open() {
    var name = System.getProperty("feed.stack.table", "");
    if (name.isEmpty()) {
      var own = LocalQueue.start();
      return new BridgedStack(TestTable.start(), own, own.newClient(), Queues.in(own));
    }
    var table = TestTable.attached(name);
    var urls =
        new Queues(url("feed.stack.dead-letters"), url("feed.stack.events"), Optional.empty());
    return new BridgedStack(table, null, queueNextTo(table), urls);
  }

  /** LocalStack serves all services at one address. */
  private static SqsClient queueNextTo(TestTable table) {
    return table
        .address()
        .direct(SqsClient.builder())
        .httpClientBuilder(Apache5HttpClient.builder())
        .build();
  }

  private static URI url(String property) {
    return URI.create(System.getProperty(property, ""));
  }

  LocalMultiplexer multiplexer(CelebrityRule celebrities) {
    return new LocalMultiplexer(
        table.newClient(table.requests()),
        table.newStreamsClient(),
        own == null ? queueNextTo(table) : own.newClient(),
        table.table().name(),
        LocalMultiplexer.Setup.of(urls, celebrities));
  }

  /** Returns the bodies of the messages in a queue. The messages stay visible. */
  List<String> bodies(URI url) {
    return queue
        .receiveMessage(
            r ->
                r.queueUrl(url.toString())
                    .maxNumberOfMessages(10)
                    .visibilityTimeout(0)
                    .waitTimeSeconds(WAIT_SECONDS))
        .messages()
        .stream()
        .map(Message::body)
        .toList();
  }

  @Override
  public void close() {
    queue.close();
    if (own != null) {
      own.close();
    }
    table.close();
  }
}
