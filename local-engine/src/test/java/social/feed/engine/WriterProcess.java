package social.feed.engine;

import java.nio.file.Path;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Writes items without end and prints the number of each when it is answered. Runs in a separate
 * JVM.
 */
final class WriterProcess {

  private WriterProcess() {}

  public static void main(String[] args) {
    try (LocalDynamoDb engine =
            LocalDynamoDb.start(Storage.folder(Path.of(args[0])), ListenOn.anyPort());
        DynamoDbClient client = engine.newClient()) {
      StreamedTestTable table = new StreamedTestTable(client);
      table.create();
      for (int i = 1; ; i++) {
        table.put("p", "%09d".formatted(i));
        System.out.println(i);
      }
    }
  }
}
