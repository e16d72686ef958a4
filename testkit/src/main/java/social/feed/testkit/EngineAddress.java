package social.feed.testkit;

import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.endpoints.DynamoDbEndpointProvider;

/**
 * Where an engine is, and as whom it is called.
 *
 * @param region an engine with several keeps their tables apart
 * @param isAws whether it is the service itself: its calls cost money and need somebody's rights
 */
public record EngineAddress(
    URI endpoint, String region, AwsCredentialsProvider credentials, boolean isAws) {

  /** An engine that takes any credentials, in the region of {@code AWS_REGION}. */
  static EngineAddress local(URI endpoint) {
    var region = System.getenv("AWS_REGION");
    return new EngineAddress(
        endpoint,
        region == null || region.isEmpty() ? Region.US_EAST_1.id() : region,
        StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")),
        false);
  }

  /**
   * DynamoDB itself, as whoever the default chain of the SDK says. Not every region ends in the
   * same domain, so the SDK is asked.
   */
  static EngineAddress aws(String region) {
    var endpoint =
        DynamoDbEndpointProvider.defaultProvider()
            .resolveEndpoint(of -> of.region(Region.of(region)))
            .join();
    return new EngineAddress(
        endpoint.url(), region, DefaultCredentialsProvider.builder().build(), true);
  }

  /** Directs a client of this engine there. */
  public <B extends AwsClientBuilder<B, C>, C> B direct(B builder) {
    return builder
        .endpointOverride(endpoint)
        .region(Region.of(region))
        .credentialsProvider(credentials);
  }
}
