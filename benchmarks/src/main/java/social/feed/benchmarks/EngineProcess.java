package social.feed.benchmarks;

import java.io.IOException;
import social.feed.engine.ListenOn;
import social.feed.engine.LocalDynamoDb;
import social.feed.engine.Storage;

/**
 * Runs DynamoDB Local in memory, on loopback, until the standard input ends. Prints its address.
 * Argument: the port, or 0 for any free one.
 */
final class EngineProcess {
  private EngineProcess() {}

  public static void main(String[] arguments) throws IOException {
    var port = ListenOn.port(Integer.parseInt(arguments[0]));
    try (var engine = LocalDynamoDb.start(Storage.inMemory(), port)) {
      System.out.println(engine.endpoint());
      while (System.in.read() >= 0) {
        // Only the end matters.
      }
    }
  }
}
