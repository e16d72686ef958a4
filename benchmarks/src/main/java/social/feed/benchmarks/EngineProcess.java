package social.feed.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import social.feed.engine.EngineClients;
import social.feed.engine.ListenOn;
import social.feed.engine.LocalDynamoDb;
import social.feed.engine.Storage;
import social.feed.table.kernel.declaration.TableProvisioning;
import social.feed.table.kernel.schema.FeedTable;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** DynamoDB Local in memory, in a process of its own, on loopback. */
final class EngineProcess implements AutoCloseable {
  private static final int CONNECTIONS_MAX = 256;

  private final Process process;
  private final AttachedJvm jvm;
  private final URI endpoint;

  /** Starts an engine on a port, or on any free one for 0. */
  EngineProcess(int port) throws IOException, InterruptedException, ExecutionException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    this.process =
        new ProcessBuilder(
                java,
                "-XX:+UseSerialGC",
                // SQLite keeps the rows outside the heap. By default the young generation would be
                // gigabytes on a large machine, and one collection 0.4 s.
                "-Xmx2g",
                "-Xmn64m",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                EngineProcess.class.getName(),
                Integer.toString(port))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    this.jvm = new AttachedJvm(process.pid());
    this.endpoint = address(process);
  }

  /** The engine itself. Prints its address, and ends with the standard input. */
  public static void main(String[] arguments) throws IOException {
    var port = ListenOn.port(Integer.parseInt(arguments[0]));
    try (var engine = LocalDynamoDb.start(Storage.inMemory(), port)) {
      System.out.println(engine.endpoint());
      while (System.in.read() >= 0) {
        // Only the end matters.
      }
    }
    System.exit(0);
  }

  /** Returns the address that the engine prints between its log, and discards the rest. */
  private static URI address(Process engine) throws InterruptedException, ExecutionException {
    var address = new CompletableFuture<URI>();
    Thread.ofVirtual()
        .start(
            () -> {
              try (var lines = engine.inputReader(UTF_8).lines()) {
                lines
                    .filter(line -> line.startsWith("http:"))
                    .forEach(line -> address.complete(URI.create(line)));
              } catch (UncheckedIOException e) {
                // The run has ended.
              } finally {
                address.completeExceptionally(new IllegalStateException("The engine has ended"));
              }
            });
    return address.get();
  }

  AttachedJvm jvm() {
    return jvm;
  }

  URI endpoint() {
    return endpoint;
  }

  /** Returns the processor time of the engine so far. */
  Duration processorTime() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Returns a client of the API's type, which the caller closes. */
  DynamoDbClient newClient() {
    return newClient(endpoint);
  }

  /** Returns a client for the engine, or for what forwards calls to it. */
  static DynamoDbClient newClient(URI endpoint) {
    return Table.metered(
            EngineClients.local(DynamoDbClient.builder(), endpoint)
                .httpClientBuilder(Apache5HttpClient.builder().maxConnections(CONNECTIONS_MAX)))
        .build();
  }

  /**
   * Creates the declared table, without its stream: with each record that the stream keeps, the
   * engine takes longer for a write.
   */
  static Table create(DynamoDbClient client, String name) {
    new TableProvisioning(client, FeedTable.DECLARATION.unprotected()).ensure(name);
    client.updateTable(
        b -> b.tableName(name).streamSpecification(stream -> stream.streamEnabled(false)));
    return new Table(client, name, Retry.standard());
  }

  @Override
  public void close() throws IOException, InterruptedException {
    jvm.close();
    process.getOutputStream().close();
    process.destroy();
    process.waitFor();
  }
}
