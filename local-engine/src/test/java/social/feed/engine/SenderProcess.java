package social.feed.engine;

import java.net.URI;
import java.nio.file.Path;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Sends messages without end and prints the number of each when it is answered. Runs in a separate
 * JVM.
 */
final class SenderProcess {

  private SenderProcess() {}

  public static void main(String[] args) {
    try (LocalQueue server =
            LocalQueue.start(Storage.folder(Path.of(args[0])), ListenOn.anyPort());
        SqsClient client = server.newClient()) {
      URI queue = server.createQueue("dead-letters");
      for (int i = 1; ; i++) {
        String body = Integer.toString(i);
        client.sendMessage(send -> send.queueUrl(queue.toString()).messageBody(body));
        System.out.println(i);
      }
    }
  }
}
