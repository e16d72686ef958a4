package social.feed.engine;

import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** SDK clients for the servers of this package; none of them looks at the user's AWS settings. */
final class EngineClients {

  /** Apache's default of 50 connections starves a test that starts hundreds of virtual threads. */
  private static final int MAX_CONNECTIONS = 256;

  private static final AwsCredentialsProvider CREDENTIALS =
      StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local"));

  private EngineClients() {}

  static DynamoDbClient dynamoDb(URI endpoint) {
    return DynamoDbClient.builder()
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .credentialsProvider(CREDENTIALS)
        .httpClientBuilder(Apache5HttpClient.builder().maxConnections(MAX_CONNECTIONS))
        .build();
  }

  static DynamoDbStreamsClient streams(URI endpoint) {
    return DynamoDbStreamsClient.builder()
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .credentialsProvider(CREDENTIALS)
        .httpClientBuilder(Apache5HttpClient.builder().maxConnections(MAX_CONNECTIONS))
        .build();
  }

  static SqsClient sqs(URI endpoint) {
    return SqsClient.builder()
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .credentialsProvider(CREDENTIALS)
        .httpClientBuilder(Apache5HttpClient.builder().maxConnections(MAX_CONNECTIONS))
        .build();
  }
}
