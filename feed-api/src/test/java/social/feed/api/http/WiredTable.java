package social.feed.api.http;

import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;
import social.feed.testkit.TestTable;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.fault.WiredClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Puts the wire of a test between a server and its table. A server with the table of a test uses
 * its client, which calls an embedded engine without HTTP.
 */
@Singleton
final class WiredTable implements BeanCreatedEventListener<DynamoDbClient> {
  private final @Nullable TestTable table;
  private final @Nullable Wire wire;

  WiredTable(@Nullable TestTable table, @Nullable Wire wire) {
    this.table = table;
    this.wire = wire;
  }

  @Override
  public DynamoDbClient onCreated(BeanCreatedEvent<DynamoDbClient> event) {
    var client = table == null ? event.getBean() : table.newClient();
    return wire == null ? client : WiredClient.of(client, wire);
  }
}
