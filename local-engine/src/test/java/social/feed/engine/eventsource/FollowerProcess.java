package social.feed.engine.eventsource;

import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.engine.ListenOn;
import social.feed.engine.LocalDynamoDb;
import social.feed.engine.Storage;
import social.feed.engine.StreamedTestTable;

/**
 * Writes numbered items without end and delivers them to a function that prints each number, with
 * checkpoints in a file. Runs in a separate JVM.
 */
public final class FollowerProcess {

  private FollowerProcess() {}

  public static void main(String[] args) {
    Path folder = Path.of(args[0]);
    try (LocalDynamoDb engine = LocalDynamoDb.start(Storage.folder(folder), ListenOn.anyPort());
        var client = engine.newClient();
        var streams = engine.newStreamsClient()) {
      StreamedTestTable table = new StreamedTestTable(client);
      String arn = table.create();
      try (EventSource source =
          EventSource.start(
              streams,
              arn,
              Checkpoints.inFile(folder.resolve("checkpoints.json")),
              List.of(new Subscription(mapping(), FollowerProcess::print)))) {
        for (int i = 1; ; i++) {
          table.put("p", Integer.toString(i));
          source.wake();
        }
      }
    }
  }

  static EventSourceMapping mapping() {
    return EventSourceMapping.named("printer").batchSize(10).build();
  }

  private static @Nullable TimeWindowEventResponse print(DynamodbTimeWindowEvent event) {
    event.getRecords().forEach(record -> System.out.println(TestRecords.number(record)));
    return null;
  }
}
