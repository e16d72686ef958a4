package social.feed.streams.lambda;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * Answers the calls of a client of DynamoDB without a network. Each batch of reads finds one item,
 * each other read finds none, and each write is done.
 */
final class CannedTable implements SdkHttpClient {
  private static final int OK = 200;

  private final String batch;
  private final String other;

  /**
   * @param table its name
   * @param item the item, as JSON for each attribute
   */
  CannedTable(String table, Map<String, String> item) {
    var units = "{\"TableName\":\"%s\",\"CapacityUnits\":1.0}".formatted(table);
    var attributes =
        item.entrySet().stream()
            .map(attribute -> "\"%s\":%s".formatted(attribute.getKey(), attribute.getValue()))
            .collect(Collectors.joining(",", "{", "}"));
    this.batch =
        "{\"Responses\":{\"%s\":[%s]},\"UnprocessedKeys\":{},\"ConsumedCapacity\":[%s]}"
            .formatted(table, attributes, units);
    this.other = "{\"ConsumedCapacity\":%s}".formatted(units);
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    var isBatch =
        request
            .httpRequest()
            .firstMatchingHeader("X-Amz-Target")
            .filter(target -> target.endsWith(".BatchGetItem"))
            .isPresent();
    return new Answer(isBatch ? batch : other);
  }

  private record Answer(String json) implements ExecutableHttpRequest {
    @Override
    public HttpExecuteResponse call() {
      var body = new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8));
      return HttpExecuteResponse.builder()
          .response(SdkHttpResponse.builder().statusCode(OK).build())
          .responseBody(AbortableInputStream.create(body))
          .build();
    }

    @Override
    public void abort() {
      // There is nothing to wait for.
    }
  }

  @Override
  public void close() {
    // There are no connections.
  }
}
