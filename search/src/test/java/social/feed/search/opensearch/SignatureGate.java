package social.feed.search.opensearch;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/**
 * The gate of a domain of AWS in front of a real server: it computes the signature of each request
 * again, and answers 403 where that differs.
 */
final class SignatureGate implements SdkHttpClient {
  private static final Pattern SIGNED = Pattern.compile("SignedHeaders=([^,]+)");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private final URI server;
  private final String region;
  private final AwsCredentialsIdentity known;
  private final SdkHttpClient behind = Apache5HttpClient.create();

  SignatureGate(URI server, String region, AwsCredentialsIdentity known) {
    this.server = server;
    this.region = region;
    this.known = known;
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    var sent = request.httpRequest();
    var signature = sent.firstMatchingHeader("Authorization").orElse("");
    if (!signature.isEmpty() && signature.equals(expected(sent, signature, request))) {
      var forwarded =
          sent.toBuilder()
              .protocol("http")
              .host(server.getHost())
              .port(server.getPort())
              .putHeader("Host", server.getAuthority())
              .removeHeader("Authorization")
              .build();
      return behind.prepareRequest(
          HttpExecuteRequest.builder()
              .request(forwarded)
              .contentStreamProvider(request.contentStreamProvider().orElse(null))
              .build());
    }
    return new Refused();
  }

  /** Signs what was signed, at the time that the request names. */
  private String expected(SdkHttpRequest sent, String signature, HttpExecuteRequest request) {
    var signed = SIGNED.matcher(signature);
    if (!signed.find()) {
      return "";
    }
    var names = List.of(signed.group(1).split(";"));
    var again = sent.toBuilder().clearHeaders();
    sent.forEachHeader(
        (name, values) -> {
          var lower = name.toLowerCase(Locale.ROOT);
          if (names.contains(lower) && !lower.startsWith("x-amz-")) {
            again.putHeader(name, values);
          }
        });
    var at = TIME.parse(sent.firstMatchingHeader("X-Amz-Date").orElseThrow(), Instant::from);
    return AwsV4HttpSigner.create()
        .sign(
            sign ->
                sign.identity(known)
                    .request(again.build())
                    .payload(body(request))
                    .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "es")
                    .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                    .putProperty(HttpSigner.SIGNING_CLOCK, Clock.fixed(at, ZoneOffset.UTC)))
        .request()
        .firstMatchingHeader("Authorization")
        .orElseThrow();
  }

  private static ContentStreamProvider body(HttpExecuteRequest request) {
    var provider = request.contentStreamProvider();
    if (provider.isEmpty()) {
      return ContentStreamProvider.fromByteArray(new byte[0]);
    }
    try (var stream = provider.get().newStream()) {
      return ContentStreamProvider.fromByteArray(stream.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The answer of a domain. */
  private record Refused() implements ExecutableHttpRequest {
    @Override
    public HttpExecuteResponse call() {
      var body = "{\"message\":\"The signature does not match\"}".getBytes(StandardCharsets.UTF_8);
      return HttpExecuteResponse.builder()
          .response(
              SdkHttpFullResponse.builder()
                  .statusCode(403)
                  .putHeader("Content-Type", "application/json")
                  .build())
          .responseBody(AbortableInputStream.create(new ByteArrayInputStream(body)))
          .build();
    }

    @Override
    public void abort() {}
  }

  @Override
  public void close() {
    behind.close();
  }
}
