package social.feed.ctl;

import java.net.URI;
import picocli.CommandLine.Option;
import social.feed.engine.EngineClients;
import social.feed.table.store.Backoff;
import social.feed.table.store.Table;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Where the table is. */
final class TableOptions {
  @Option(
      names = "--endpoint",
      defaultValue = "http://127.0.0.1:8000",
      description = "DynamoDB endpoint of the running platform (default: ${DEFAULT-VALUE})")
  private URI endpoint = URI.create("http://127.0.0.1:8000");

  @Option(
      names = "--table",
      defaultValue = "feed",
      description = "name of the table (default: ${DEFAULT-VALUE})")
  private String table = "feed";

  @Option(
      names = "--url",
      defaultValue = "http://127.0.0.1:8080",
      description = "API of the running platform (default: ${DEFAULT-VALUE})")
  private URI url = URI.create("http://127.0.0.1:8080");

  /** The table, if it is there. */
  Table open() {
    var builder =
        EngineClients.local(DynamoDbClient.builder(), endpoint)
            .httpClientBuilder(Apache5HttpClient.builder());
    var client = Table.metered(builder).build();
    client.describeTable(t -> t.tableName(table));
    return new Table(client, table, Backoff.standard());
  }

  PlatformStream stream() {
    return new PlatformStream(url);
  }
}
