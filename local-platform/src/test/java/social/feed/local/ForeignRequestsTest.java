package social.feed.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.simple.SimpleHttpRequest;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The names of servers that do not listen on 127.0.0.1, which no test starts. */
class ForeignRequestsTest {
  private static @Nullable HttpResponse<?> answer(String bound, String path, String... headers) {
    var request = new SimpleHttpRequest<>(HttpMethod.POST, path, null);
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return new ForeignRequests(bound, UUID::randomUUID).refusal(request);
  }

  @ParameterizedTest
  @CsvSource({
    "0.0.0.0, 0.0.0.0:8080",
    "0.0.0.0, 192.168.1.7:8080",
    "0.0.0.0, [fe80::1]",
    "0.0.0.0, localhost:8080",
    "0.0.0.0, 127.0.0.1",
    "'::', [2001:db8::7]:8080",
    "'::', 192.168.1.7",
    "2001:db8::7, [2001:DB8:0::7]:8080",
    "::1, [::1]:8080",
    "192.168.1.7, 192.168.1.7:8080",
    "feed.internal, feed.internal:8080",
    "feed.internal, FEED.internal"
  })
  void ownNames_areAnswered(String bound, String host) {
    assertThat(answer(bound, "/v1/dev/tokens", "Host", host)).isNull();
    assertThat(answer(bound, "/v1/dev/tokens", "Host", host, "Origin", "http://" + host)).isNull();
    assertThat(answer(bound, "/v1/dev/tokens", "Host", host, "Origin", "https://" + host)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "0.0.0.0, evil.example:8080",
    "0.0.0.0, 192.168.1.7.evil.example",
    "0.0.0.0, [evil.example]",
    "0.0.0.0, '[::1'",
    "0.0.0.0, '::'",
    "'::', evil.example",
    "2001:db8::7, [2001:db8::8]",
    "192.168.1.7, 192.168.1.8",
    "feed.internal, evil.internal"
  })
  void otherNames_areRefused(String bound, String host) {
    var response =
        answer(
            bound, "/", "Host", host, "Sec-Fetch-Site", "same-origin", "Origin", "http://" + host);

    assertThat(response).isNotNull().extracting(HttpResponse::code).isEqualTo(403);
  }
}
