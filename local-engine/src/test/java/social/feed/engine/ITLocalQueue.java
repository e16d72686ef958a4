package social.feed.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ITLocalQueue {

  @TempDir Path folder;

  @Test
  void createQueue_anyPort_urlHasTheBoundPort() {
    try (LocalQueue server = LocalQueue.start()) {
      URI queue = server.createQueue("dead-letters");

      assertThat(queue.toString())
          .endsWith("/dead-letters")
          .contains(":" + server.endpoint().getPort());
      assertThat(server.createQueue("dead-letters")).isEqualTo(queue);
    }
  }

  @Test
  void createQueue_portGiven_urlHasThePort() throws IOException {
    FreePort.start(
        port -> {
          try (LocalQueue server = LocalQueue.start(Storage.inMemory(), ListenOn.port(port))) {
            assertThat(server.endpoint()).hasToString("http://127.0.0.1:" + port);
            assertThat(server.createQueue("dead-letters").getPort()).isEqualTo(port);
          }
        });
  }

  @Test
  void start_inMemory_twoServersShareNothing() {
    try (LocalQueue one = LocalQueue.start();
        LocalQueue two = LocalQueue.start();
        SqsClient toTwo = two.newClient()) {
      one.createQueue("dead-letters");

      assertThat(toTwo.listQueues().queueUrls()).isEmpty();
    }
  }

  @Test
  void start_portTaken_throwsWithThePort() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      ListenOn port = ListenOn.port(taken.getLocalPort());

      assertThatThrownBy(() -> LocalQueue.start(Storage.inMemory(), port))
          .isInstanceOf(PortTakenException.class)
          .hasMessageContaining("127.0.0.1:" + port.port())
          .hasMessageContaining("the port is taken");
    }
  }

  @Test
  void start_folderInUse_throws() {
    try (LocalQueue holder = startInFolder()) {
      assertThatThrownBy(this::startInFolder)
          .isInstanceOf(DataFolderException.class)
          .hasMessageContaining("in use by another server");
      assertThat(bodies(holder)).as("the first server continues").isEmpty();
    }
  }

  @Test
  void start_storedMessagesDamaged_throws() throws IOException {
    Files.writeString(folder.resolve("messages.mv.db"), "x".repeat(20_000));

    assertThatThrownBy(this::startInFolder)
        .isInstanceOf(DataFolderException.class)
        .hasMessageContaining("messages.mv.db");
  }

  @Test
  void close_inFolder_keepsUnreceivedMessagesAndNoDeletedOnes() {
    try (LocalQueue server = startInFolder();
        SqsClient client = server.newClient()) {
      String queue = server.createQueue("dead-letters").toString();
      client.sendMessage(send -> send.queueUrl(queue).messageBody("done"));
      Message done = client.receiveMessage(r -> r.queueUrl(queue)).messages().getFirst();
      client.deleteMessage(d -> d.queueUrl(queue).receiptHandle(done.receiptHandle()));
      client.sendMessage(send -> send.queueUrl(queue).messageBody("to do"));
    }
    try (LocalQueue server = startInFolder()) {
      assertThat(bodies(server)).containsExactly("to do");
    }
  }

  @Test
  void start_anotherFolder_doesNotServeTheFirstFoldersMessages() {
    try (LocalQueue server = startInFolder();
        SqsClient client = server.newClient()) {
      String queue = server.createQueue("dead-letters").toString();
      client.sendMessage(send -> send.queueUrl(queue).messageBody("first folder's"));
    }
    Storage another = Storage.folder(folder.resolve("another"));
    try (LocalQueue server = LocalQueue.start(another, ListenOn.anyPort())) {
      assertThat(bodies(server)).isEmpty();
    }
  }

  @Test
  void processKilled_keepsEveryAnsweredMessage() throws Exception {
    int answered;
    try (ForkedJvm sender = ForkedJvm.run(SenderProcess.class, folder)) {
      answered = sender.killedAfter(100);
    }
    try (LocalQueue server = startInFolder()) {
      SortedSet<String> bodies = bodies(server);

      assertThat(bodies.size()).isBetween(answered, answered + 1);
      assertThat(bodies).contains("1", Integer.toString(answered));
    }
  }

  private LocalQueue startInFolder() {
    return LocalQueue.start(Storage.folder(folder), ListenOn.anyPort());
  }

  private static SortedSet<String> bodies(LocalQueue server) {
    String queue = server.createQueue("dead-letters").toString();
    SortedSet<String> bodies = new TreeSet<>();
    try (SqsClient client = server.newClient()) {
      int before = -1;
      while (bodies.size() > before) {
        before = bodies.size();
        client.receiveMessage(r -> r.queueUrl(queue).maxNumberOfMessages(10)).messages().stream()
            .map(Message::body)
            .forEach(bodies::add);
      }
    }
    return bodies;
  }
}
