package social.feed.engine;

import java.net.URI;
import java.util.List;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.defaultsmode.DefaultsMode;
import software.amazon.awssdk.awscore.endpoints.AccountIdEndpointMode;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Creates SDK clients for the servers of this package. They ignore the user's AWS settings. */
public final class EngineClients {

  /** Apache's default of 50 connections starves a test that starts hundreds of virtual threads. */
  private static final int MAX_CONNECTIONS = 256;

  private static final AwsCredentialsProvider CREDENTIALS =
      StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local"));

  private EngineClients() {}

  /** Returns a client of DynamoDB Local. The caller closes it. */
  public static DynamoDbClient dynamoDb(URI endpoint, ExecutionInterceptor... interceptors) {
    var builder =
        local(DynamoDbClient.builder(), endpoint)
            .accountIdEndpointMode(AccountIdEndpointMode.DISABLED)
            .httpClientBuilder(connections());
    var configuration = builder.overrideConfiguration().toBuilder();
    List.of(interceptors).forEach(configuration::addExecutionInterceptor);
    return builder.overrideConfiguration(configuration.build()).build();
  }

  /** Returns a client of the streams of DynamoDB Local. The caller closes it. */
  public static DynamoDbStreamsClient streams(URI endpoint) {
    return local(DynamoDbStreamsClient.builder(), endpoint)
        .httpClientBuilder(connections())
        .build();
  }

  /** Returns a client of the queue. The caller closes it. */
  public static SqsClient sqs(URI endpoint) {
    return local(SqsClient.builder(), endpoint).httpClientBuilder(connections()).build();
  }

  private static Apache5HttpClient.Builder connections() {
    return Apache5HttpClient.builder().maxConnections(MAX_CONNECTIONS);
  }

  /**
   * Configures a client for a server of this package. The user's AWS credentials, profiles and
   * endpoint variants have no effect.
   */
  public static <B extends AwsClientBuilder<B, C>, C> B local(B builder, URI endpoint) {
    return builder
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .credentialsProvider(CREDENTIALS)
        .defaultsMode(DefaultsMode.LEGACY)
        .fipsEnabled(false)
        .dualstackEnabled(false)
        .overrideConfiguration(o -> o.defaultProfileFile(ProfileFile.aggregator().build()));
  }
}
