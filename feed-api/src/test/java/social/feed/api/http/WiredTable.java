package social.feed.api.http;

import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.fault.WiredClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Puts the wire of a test between a server and its table. */
@Singleton
final class WiredTable implements BeanCreatedEventListener<DynamoDbClient> {
  private final @Nullable Wire wire;

  WiredTable(@Nullable Wire wire) {
    this.wire = wire;
  }

  @Override
  public DynamoDbClient onCreated(BeanCreatedEvent<DynamoDbClient> event) {
    return wire == null ? event.getBean() : new WiredClient(event.getBean(), wire);
  }
}
