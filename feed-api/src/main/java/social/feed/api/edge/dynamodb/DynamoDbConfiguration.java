package social.feed.api.edge.dynamodb;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Positive;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The location of the table.
 *
 * @param endpoint the endpoint of the service; absent for the region's own endpoint
 * @param local whether the endpoint is a local engine: it gets fixed credentials, and the user's
 *     AWS settings are ignored; otherwise credentials come from the SDK's default chain
 * @param region e.g. {@code eu-central-1}
 * @param table the name of the table
 * @param callTimeout the maximum duration of a call, retries included; far longer than a healthy
 *     table takes
 */
@ConfigurationProperties("feed.dynamodb")
public record DynamoDbConfiguration(
    @Nullable URI endpoint,
    @Bindable(defaultValue = "false") boolean local,
    @Bindable(defaultValue = "us-east-1") @NotBlank String region,
    @Bindable(defaultValue = "feed") @NotBlank String table,
    @Bindable(defaultValue = "10s") @Positive Duration callTimeout) {

  /** A local engine has no address of its own. */
  public DynamoDbConfiguration {
    if (local && endpoint == null) {
      throw new IllegalArgumentException("feed.dynamodb.local needs feed.dynamodb.endpoint");
    }
  }
}
