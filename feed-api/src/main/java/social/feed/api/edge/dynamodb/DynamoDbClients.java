package social.feed.api.edge.dynamodb;

import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import social.feed.table.kernel.store.CallTimeouts;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.trace.Tracing;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.defaultsmode.DefaultsMode;
import software.amazon.awssdk.awscore.endpoints.AccountIdEndpointMode;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/**
 * Creates the DynamoDB client. A test, or the platform that runs an engine in the same JVM,
 * replaces the bean.
 */
@Factory
final class DynamoDbClients {
  // Requests run on virtual threads, so this bounds the calls in flight. The default of 50 queues
  // under load.
  private static final int CONNECTIONS_MAX = 256;

  /**
   * @param around the interceptors that the context has: of a function, and of the local platform
   */
  @Singleton
  @Bean(preDestroy = "close")
  DynamoDbClient dynamoDbClient(
      DynamoDbConfiguration configuration,
      List<ExecutionInterceptor> around,
      Optional<Tracing> tracing) {
    DynamoDbClientBuilder builder =
        DynamoDbClient.builder()
            .region(Region.of(configuration.region()))
            .endpointOverride(configuration.endpoint())
            .overrideConfiguration(o -> CallTimeouts.limit(o, configuration.callTimeout()))
            .httpClientBuilder(Apache5HttpClient.builder().maxConnections(CONNECTIONS_MAX));
    Table.metered(Table.retrying(configuration.local() ? local(builder) : aws(builder)));
    ClientOverrideConfiguration.Builder metered = builder.overrideConfiguration().toBuilder();
    around.forEach(metered::addExecutionInterceptor);
    tracing.ifPresent(on -> metered.addExecutionInterceptor(Table.traced(on)));
    return builder.overrideConfiguration(metered.build()).build();
  }

  private static DynamoDbClientBuilder aws(DynamoDbClientBuilder builder) {
    return builder.credentialsProvider(DefaultCredentialsProvider.builder().build());
  }

  /**
   * Ignores a developer's credentials, profile and endpoint settings. They are for AWS; a local
   * engine refuses them, or they break the client.
   */
  private static DynamoDbClientBuilder local(DynamoDbClientBuilder builder) {
    return builder
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
        .overrideConfiguration(
            builder.overrideConfiguration().toBuilder()
                .defaultProfileFile(ProfileFile.aggregator().build())
                .build())
        .defaultsMode(DefaultsMode.LEGACY)
        .fipsEnabled(false)
        .dualstackEnabled(false)
        .accountIdEndpointMode(AccountIdEndpointMode.DISABLED);
  }
}
