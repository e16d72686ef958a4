package social.feed.search.opensearch;

import java.time.Duration;
import org.opensearch.client.json.jackson.JacksonJsonpMapper;
import org.opensearch.client.transport.OpenSearchTransport;
import org.opensearch.client.transport.aws.AwsSdk2Transport;
import org.opensearch.client.transport.aws.AwsSdk2TransportOptions;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;

/**
 * Signs requests to a domain of Amazon OpenSearch Service (signature version 4), with the client's
 * own transport for AWS. Not loaded for any other server.
 */
final class SignedTransport {
  private static final String SERVICE = "es";

  private SignedTransport() {}

  /** Returns the HTTP client for a domain. The transport does not close it. */
  static SdkHttpClient newClient(Duration connection, Duration response) {
    return Apache5HttpClient.builder()
        .connectionTimeout(connection)
        .connectionAcquisitionTimeout(connection)
        .socketTimeout(response)
        .build();
  }

  /** Returns a transport with the credentials of the process, such as the role of a function. */
  static OpenSearchTransport of(SdkHttpClient http, ServerAddress address, String region) {
    return of(http, address, region, DefaultCredentialsProvider.builder().build());
  }

  static OpenSearchTransport of(
      SdkHttpClient http,
      ServerAddress address,
      String region,
      AwsCredentialsProvider credentials) {
    var options =
        AwsSdk2TransportOptions.builder()
            .setCredentials(credentials)
            .setMapper(new JacksonJsonpMapper())
            // A domain may refuse compressed bodies.
            .setRequestCompressionSize(Integer.MAX_VALUE)
            .build();
    return new AwsSdk2Transport(http, address.authority(), SERVICE, Region.of(region), options);
  }
}
