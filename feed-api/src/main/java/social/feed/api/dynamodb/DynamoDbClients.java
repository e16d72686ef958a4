package social.feed.api.dynamodb;

import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import social.feed.table.store.Table;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.EnvironmentVariableCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/**
 * Makes the client. A test, or the platform that runs an engine in the same JVM, puts its own bean
 * in place.
 */
@Factory
final class DynamoDbClients {
  // Requests run on virtual threads, so this is what bounds the calls in flight. The default of 50
  // queues under load.
  private static final int CONNECTIONS_MAX = 256;

  @Singleton
  @Bean(preDestroy = "close")
  DynamoDbClient dynamoDbClient(DynamoDbConfiguration configuration) {
    URI endpoint = configuration.endpoint();
    DynamoDbClientBuilder builder =
        DynamoDbClient.builder()
            .region(Region.of(configuration.region()))
            .endpointOverride(endpoint)
            .credentialsProvider(credentials(endpoint))
            .overrideConfiguration(o -> o.apiCallTimeout(configuration.callTimeout()))
            .httpClientBuilder(Apache5HttpClient.builder().maxConnections(CONNECTIONS_MAX));
    return Table.metered(builder).build();
  }

  private static AwsCredentialsProvider credentials(@Nullable URI endpoint) {
    if (endpoint == null) {
      return DefaultCredentialsProvider.builder().build();
    }
    // DynamoDB Local takes any key that is alphanumeric.
    return AwsCredentialsProviderChain.of(
        SystemPropertyCredentialsProvider.create(),
        EnvironmentVariableCredentialsProvider.create(),
        StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")));
  }
}
