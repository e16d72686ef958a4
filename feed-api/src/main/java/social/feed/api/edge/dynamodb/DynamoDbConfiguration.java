package social.feed.api.edge.dynamodb;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where the table is.
 *
 * @param endpoint where the service is, if not at its own address in the region
 * @param local whether a local engine is there: it takes fixed credentials, and none of the user's
 *     AWS settings are looked at; otherwise credentials come from the SDK's default chain
 * @param region e.g. {@code eu-central-1}
 * @param table its name
 * @param callTimeout how long a call may take, its retries included; far beyond what a healthy
 *     table needs
 */
@ConfigurationProperties("feed.dynamodb")
public record DynamoDbConfiguration(
    @Nullable URI endpoint,
    @Bindable(defaultValue = "false") boolean local,
    @Bindable(defaultValue = "us-east-1") String region,
    @Bindable(defaultValue = "feed") String table,
    @Bindable(defaultValue = "10s") Duration callTimeout) {

  public DynamoDbConfiguration {
    if (local && endpoint == null) {
      throw new IllegalArgumentException("feed.dynamodb.local needs feed.dynamodb.endpoint");
    }
    if (region.isBlank() || table.isBlank()) {
      throw new IllegalArgumentException("feed.dynamodb.region and .table must not be blank");
    }
    if (!callTimeout.isPositive()) {
      throw new IllegalArgumentException("feed.dynamodb.call-timeout is not positive");
    }
  }
}
