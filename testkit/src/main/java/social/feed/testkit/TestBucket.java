package social.feed.testkit;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import social.feed.table.media.BucketSettings;
import social.feed.table.media.MediaBucket;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * A bucket of a test class, on the server at {@code AWS_ENDPOINT_URL}. Tests that open one have the
 * tag {@value #TAG}, and only the profile of that name runs them. A bucket has the secret of
 * LocalStack, which checks signatures with it.
 */
public final class TestBucket implements AutoCloseable {
  public static final String TAG = "s3";

  private static final String ACCESS_KEY = "aws.accessKeyId";
  private static final String SECRET_KEY = "aws.secretAccessKey";

  private static final Region REGION = Region.EU_CENTRAL_1;
  private static final AwsCredentialsProvider CREDENTIALS =
      StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test"));

  private final URI endpoint;
  private final String name = "feed-test-" + UUID.randomUUID();
  private final S3Client client;
  private final MediaBucket store;

  private TestBucket(URI endpoint) {
    this.endpoint = endpoint;
    this.client =
        S3Client.builder()
            .region(REGION)
            .endpointOverride(endpoint)
            .forcePathStyle(true)
            .credentialsProvider(CREDENTIALS)
            .httpClientBuilder(Apache5HttpClient.builder())
            .build();
    this.store = new MediaBucket(settings(), CREDENTIALS);
  }

  /**
   * Creates a bucket. Until it is closed, the SDK's default credentials are those of the server.
   *
   * @throws IllegalStateException without {@code AWS_ENDPOINT_URL}
   */
  public static TestBucket open() {
    var url = System.getenv("AWS_ENDPOINT_URL");
    if (url == null || url.isEmpty()) {
      throw new IllegalStateException(
          "The test needs S3. Run .ci/localstack, or set AWS_ENDPOINT_URL to a server with S3");
    }
    var opened = new TestBucket(URI.create(url));
    opened.client.createBucket(
        bucket ->
            bucket
                .bucket(opened.name)
                .createBucketConfiguration(it -> it.locationConstraint(REGION.id())));
    System.setProperty(ACCESS_KEY, "test");
    System.setProperty(SECRET_KEY, "test");
    return opened;
  }

  /** Returns the settings that API and multiplexer have for the bucket. */
  public Map<String, String> properties() {
    return Map.of(
        "feed.media.bucket", name,
        "feed.media.region", REGION.id(),
        "feed.media.endpoint", endpoint.toString());
  }

  /** Returns where the bucket is. */
  public BucketSettings settings() {
    return new BucketSettings(name, REGION.id(), endpoint, Duration.ofSeconds(30));
  }

  /** Returns a store in the bucket, which ends with it. */
  public MediaBucket store() {
    return store;
  }

  /** Returns a client of the same server. */
  public S3Client client() {
    return client;
  }

  /** Removes the bucket with its objects. */
  @Override
  public void close() {
    System.clearProperty(ACCESS_KEY);
    System.clearProperty(SECRET_KEY);
    client
        .listObjectsV2Paginator(list -> list.bucket(name))
        .contents()
        .forEach(object -> remove(object));
    client.deleteBucket(bucket -> bucket.bucket(name));
    store.close();
    client.close();
  }

  private void remove(S3Object object) {
    client.deleteObject(delete -> delete.bucket(name).key(object.key()));
  }
}
