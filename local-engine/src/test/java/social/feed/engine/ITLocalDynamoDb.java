package social.feed.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.StreamSpecification;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ITLocalDynamoDb {

  private static final int SIGKILL_EXIT = 137;

  @TempDir Path folder;

  @Test
  void start_inMemory_twoEnginesShareNothing() {
    try (LocalDynamoDb one = LocalDynamoDb.start();
        LocalDynamoDb two = LocalDynamoDb.start();
        DynamoDbClient toOne = one.newClient();
        DynamoDbClient toTwo = two.newClient()) {
      new StreamedTestTable(toOne).create();

      assertThat(toOne.listTables().tableNames()).containsExactly(StreamedTestTable.NAME);
      assertThat(toTwo.listTables().tableNames()).isEmpty();
    }
  }

  @Test
  void start_portGiven_listensThereOnLoopbackOnly() throws IOException {
    FreePort.start(
        port -> {
          try (LocalDynamoDb engine =
              LocalDynamoDb.start(Storage.inMemory(), ListenOn.port(port))) {
            assertThat(engine.endpoint()).hasToString("http://127.0.0.1:" + port);
            for (InetAddress outside : outsideAddresses()) {
              assertThatThrownBy(() -> connect(outside, port)).isInstanceOf(IOException.class);
            }
          }
        });
  }

  @Test
  void start_portTaken_throwsWithThePort() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      int port = taken.getLocalPort();

      assertThatThrownBy(() -> LocalDynamoDb.start(Storage.inMemory(), ListenOn.port(port)))
          .isInstanceOfSatisfying(
              PortTakenException.class, e -> assertThat(e.port()).isEqualTo(port))
          .hasMessageContaining("127.0.0.1:" + port)
          .hasMessageContaining("the port is taken");
    }
  }

  @Test
  void bound_opened_answersRequests() {
    try (BoundDynamoDb bound = LocalDynamoDb.bind(ListenOn.anyPort());
        LocalDynamoDb engine = bound.open(Storage.inMemory());
        DynamoDbClient client = engine.newClient()) {
      assertThat(engine.endpoint()).isEqualTo(bound.endpoint());
      assertThat(client.listTables().tableNames()).isEmpty();
    }
  }

  @Test
  void bound_closedUnopened_freesThePort() throws IOException {
    FreePort.start(
        port -> {
          try (BoundDynamoDb bound = LocalDynamoDb.bind(ListenOn.port(port))) {
            assertThat(bound.endpoint().getPort()).isEqualTo(port);
            assertThatThrownBy(() -> ListenOn.port(port).requireFree("Another"))
                .isInstanceOf(PortTakenException.class)
                .hasMessageContaining("Another cannot listen on 127.0.0.1:" + port);
          }
          ListenOn.port(port).requireFree("Another");
        });
  }

  @Test
  void start_folderInUse_throws() {
    try (LocalDynamoDb holder = startInFolder()) {
      assertThat(holder.endpoint()).isNotNull();
      assertThatThrownBy(this::startInFolder)
          .isInstanceOf(DataFolderException.class)
          .hasMessageContaining(folder.toString())
          .hasMessageContaining("in use by another server");
    }
  }

  @Test
  void start_folderLockedByAnotherProcess_throws() throws Exception {
    try (ForkedJvm other = ForkedJvm.run(LockHolderProcess.class, folder)) {
      assertThat(other.firstLine()).isEqualTo("locked");
      assertThatThrownBy(this::startInFolder)
          .isInstanceOf(DataFolderException.class)
          .hasMessageContaining("in use by another server");
    }
  }

  @Test
  void start_folderIsAFile_throws() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));

    assertThatThrownBy(() -> LocalDynamoDb.start(Storage.folder(file), ListenOn.anyPort()))
        .isInstanceOf(DataFolderException.class)
        .hasMessageContaining("not a file");
  }

  @Test
  void start_databaseDamaged_throwsInsteadOfWaiting() throws IOException {
    Files.writeString(folder.resolve("shared-local-instance.db"), "this is not a database file");

    assertThatThrownBy(this::startInFolder)
        .isInstanceOf(DataFolderException.class)
        .hasMessageContaining("not a readable database");
  }

  @Test
  void close_inFolder_keepsItemsAndStream() {
    try (LocalDynamoDb engine = startInFolder();
        DynamoDbClient client = engine.newClient()) {
      StreamedTestTable table = new StreamedTestTable(client);
      table.create();
      table.put("p", "1");
      table.put("p", "2");
    }
    try (LocalDynamoDb engine = startInFolder();
        DynamoDbClient client = engine.newClient();
        DynamoDbStreamsClient streams = engine.newStreamsClient()) {
      assertThat(new StreamedTestTable(client).size()).isEqualTo(2);
      assertThat(sortKeys(StreamedTestTable.records(streams))).containsExactly("1", "2");
    }
  }

  @Test
  void processKilled_keepsEveryAnsweredWriteAndItsRecord() throws Exception {
    int answered;
    try (ForkedJvm writer = ForkedJvm.run(WriterProcess.class, folder)) {
      answered = writer.killedAfter(200);
      assertThat(writer.exitCode()).isEqualTo(SIGKILL_EXIT);
    }
    assertThat(answered).isGreaterThanOrEqualTo(200);
    try (LocalDynamoDb engine = startInFolder();
        DynamoDbClient client = engine.newClient();
        DynamoDbStreamsClient streams = engine.newStreamsClient()) {
      StreamedTestTable table = new StreamedTestTable(client);
      // The last write may be stored although its number was not printed.
      assertThat(table.size()).isBetween((long) answered, answered + 1L);
      assertThat(StreamedTestTable.records(streams)).hasSize((int) table.size());
      table.put("q", "after");
      assertThat(sortKeys(StreamedTestTable.records(streams)).getLast()).isEqualTo("after");
    }
  }

  @Test
  void rollShards_openShard_getsAChild() {
    try (LocalDynamoDb engine = LocalDynamoDb.start();
        DynamoDbClient client = engine.newClient();
        DynamoDbStreamsClient streams = engine.newStreamsClient()) {
      StreamedTestTable table = new StreamedTestTable(client);
      String arn = table.create();
      table.put("p", "1");
      engine.rollShards();
      table.put("p", "2");

      var shards = streams.describeStream(d -> d.streamArn(arn)).streamDescription().shards();
      assertThat(shards).hasSize(2);
      assertThat(shards.get(1).parentShardId()).isEqualTo(shards.get(0).shardId());
      assertThat(shards.get(0).sequenceNumberRange().endingSequenceNumber()).isNotNull();
      assertThat(sortKeys(StreamedTestTable.records(streams))).containsExactly("1", "2");
    }
  }

  /** All engines of a JVM find their operations in one map, which each new handler fills again. */
  @Test
  void handlersThatAreCreated_leaveAnotherEngineItsOperations() throws Exception {
    try (LocalDynamoDb engine = LocalDynamoDb.start();
        EngineDatabase other = EngineDatabase.open(Storage.inMemory());
        DynamoDbClient client = engine.newClient();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var created =
          threads.submit(() -> IntStream.range(0, 2_000).forEach(_ -> other.httpHandler()));

      while (!created.isDone()) {
        assertThat(client.listTables().tableNames()).isEmpty();
      }
      created.get();
    }
  }

  @Test
  void writesOfManyThreads_areAllApplied() {
    try (LocalDynamoDb engine = LocalDynamoDb.start();
        DynamoDbClient client = engine.newClient();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      StreamedTestTable table = new StreamedTestTable(client);
      table.create();
      var writes =
          IntStream.range(0, 200)
              .mapToObj(i -> threads.submit(() -> table.put("p", "" + i)))
              .toList();

      assertThat(writes).allSatisfy(write -> assertThat(write.get()).isNull());
      assertThat(table.size()).isEqualTo(200);
    }
  }

  @Test
  void transactionsOfManyThreads_areEachAppliedOrCanceled() {
    try (LocalDynamoDb engine = LocalDynamoDb.start();
        DynamoDbClient client = engine.directClient();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      StreamedTestTable table = new StreamedTestTable(client);
      table.create();
      table.put("a", "0");
      var writes =
          IntStream.range(0, 100)
              .mapToObj(
                  i ->
                      threads.submit(
                          () -> {
                            table.put("p", "" + i);
                            return isApplied(client, "" + i, i % 2 == 0 ? "a" : "missing");
                          }))
              .toList();
      threads.close();

      assertThat(writes).extracting(Future::resultNow).filteredOn(applied -> applied).hasSize(50);
      assertThat(table.size()).isEqualTo(1 + 100 + 50);
    }
  }

  /** Puts an item in a transaction that requires another one. */
  private static boolean isApplied(DynamoDbClient client, String sk, String required) {
    try {
      client.transactWriteItems(
          t ->
              t.transactItems(
                  i -> i.put(p -> p.tableName(StreamedTestTable.NAME).item(key("t", sk))),
                  i ->
                      i.conditionCheck(
                          c ->
                              c.tableName(StreamedTestTable.NAME)
                                  .key(key(required, "0"))
                                  .conditionExpression("attribute_exists(pk)"))));
      return true;
    } catch (TransactionCanceledException e) {
      return false;
    }
  }

  private static Map<String, AttributeValue> key(String pk, String sk) {
    return Map.of("pk", AttributeValue.fromS(pk), "sk", AttributeValue.fromS(sk));
  }

  @Test
  void changedTable_isDescribedAsChanged() {
    try (LocalDynamoDb engine = LocalDynamoDb.start();
        DynamoDbClient client = engine.directClient()) {
      new StreamedTestTable(client).create();
      assertThat(timeToLive(client)).isEqualTo(TimeToLiveStatus.DISABLED);
      assertThat(isStreamed(client)).isTrue();
      client.updateTimeToLive(
          t ->
              t.tableName(StreamedTestTable.NAME)
                  .timeToLiveSpecification(ttl -> ttl.enabled(true).attributeName("at")));
      assertThat(timeToLive(client)).isEqualTo(TimeToLiveStatus.ENABLED);

      client.updateTable(
          t ->
              t.tableName(StreamedTestTable.NAME).streamSpecification(s -> s.streamEnabled(false)));
      assertThat(isStreamed(client)).isFalse();
      client.deleteTable(t -> t.tableName(StreamedTestTable.NAME));
      assertThatThrownBy(() -> describe(client)).isInstanceOf(ResourceNotFoundException.class);
    }
  }

  private static boolean isStreamed(DynamoDbClient client) {
    StreamSpecification stream = describe(client).streamSpecification();
    return stream != null && stream.streamEnabled();
  }

  private static TableDescription describe(DynamoDbClient client) {
    return client.describeTable(t -> t.tableName(StreamedTestTable.NAME)).table();
  }

  private static TimeToLiveStatus timeToLive(DynamoDbClient client) {
    return client
        .describeTimeToLive(t -> t.tableName(StreamedTestTable.NAME))
        .timeToLiveDescription()
        .timeToLiveStatus();
  }

  private LocalDynamoDb startInFolder() {
    return LocalDynamoDb.start(Storage.folder(folder), ListenOn.anyPort());
  }

  private static List<String> sortKeys(List<Record> records) {
    return records.stream().map(StreamedTestTable::sortKey).toList();
  }

  private static List<InetAddress> outsideAddresses() throws IOException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(address -> !address.isLoopbackAddress())
        .toList();
  }

  private static void connect(InetAddress address, int port) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address, port), 1_000);
    }
  }
}
