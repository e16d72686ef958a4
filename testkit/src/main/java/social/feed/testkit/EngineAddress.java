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
 * The address of an engine and the credentials for it.
 *
 * @param region separates tables on an engine with several regions
 * @param isAws whether the engine is the service itself, whose calls cost money and need
 *     permissions
 */
public record EngineAddress(
    URI endpoint, String region, AwsCredentialsProvider credentials, boolean isAws) {

  /**
   * Returns the address of an engine that accepts any credentials, in the region of {@code
   * AWS_REGION}.
   */
  static EngineAddress local(URI endpoint) {
    var region = System.getenv("AWS_REGION");
    return new EngineAddress(
        endpoint,
        region == null || region.isEmpty() ? Region.US_EAST_1.id() : region,
        StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")),
        false);
  }

  /**
   * Returns the address of DynamoDB, with the SDK's default credentials chain. The SDK resolves the
   * endpoint, because not every region has the same domain.
   */
  static EngineAddress aws(String region) {
    var endpoint =
        DynamoDbEndpointProvider.defaultProvider()
            .resolveEndpoint(of -> of.region(Region.of(region)))
            .join();
    return new EngineAddress(
        endpoint.url(), region, DefaultCredentialsProvider.builder().build(), true);
  }

  /** Configures a client builder for this engine. */
  public <B extends AwsClientBuilder<B, C>, C> B direct(B builder) {
    return builder
        .endpointOverride(endpoint)
        .region(Region.of(region))
        .credentialsProvider(credentials);
  }
}
