package social.feed.api.function;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.function.aws.proxy.ApiGatewayServletRequest;
import io.micronaut.http.CaseInsensitiveMutableHttpHeaders;
import io.micronaut.http.MutableHttpHeaders;
import io.micronaut.http.MutableHttpParameters;
import io.micronaut.http.exceptions.ContentLengthExceededException;
import io.micronaut.servlet.http.BodyBuilder;
import io.micronaut.servlet.http.ServletHttpResponse;
import java.net.InetSocketAddress;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.slf4j.LoggerFactory;

/**
 * A request of an HTTP API. The framework's own class reads the decoded and joined query variables
 * of the event, so it would split a value at its commas; this class reads the query as it was sent.
 */
final class GatewayRequest
    extends ApiGatewayServletRequest<Object, APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse> {
  /** The header in which the API finds the gateway's id of the request. */
  static final String REQUEST_ID = "Feed-Request-Id";

  private final GatewayResponse response;
  private final MutableHttpHeaders headers;
  private final GatewayQuery query;
  private final long bodyMax;

  /**
   * @param bodyMax the maximum number of bytes of a body
   */
  GatewayRequest(
      ConversionService conversions,
      APIGatewayV2HTTPEvent event,
      GatewayResponse response,
      BodyBuilder bodies,
      long bodyMax) {
    super(
        conversions,
        event,
        GatewayAddress.of(event.getRawPath(), event.getRawQueryString()),
        parseMethod(() -> event.getRequestContext().getHttp().getMethod()),
        LoggerFactory.getLogger(GatewayRequest.class),
        bodies);
    this.response = response;
    this.headers = headers(event, conversions);
    this.query = new GatewayQuery(event.getRawQueryString(), conversions);
    this.bodyMax = bodyMax;
  }

  /** The gateway has joined the values of a header that was sent several times. */
  private static MutableHttpHeaders headers(
      APIGatewayV2HTTPEvent event, ConversionService conversions) {
    Map<String, List<String>> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    Objects.requireNonNullElse(event.getHeaders(), Map.<String, String>of())
        .forEach((name, value) -> values.put(name, List.of(value)));
    // Over a value of the client.
    values.remove(REQUEST_ID);
    if (event.getRequestContext().getRequestId() instanceof String id) {
      values.put(REQUEST_ID, List.of(id));
    }
    return new CaseInsensitiveMutableHttpHeaders(values, conversions);
  }

  boolean hasBody() {
    String body = requestEvent.getBody();
    return body != null && !body.isEmpty();
  }

  @Override
  public byte[] getBodyBytes() throws EmptyBodyException {
    if (!hasBody()) {
      throw new EmptyBodyException();
    }
    String body = requestEvent.getBody();
    byte[] bytes =
        requestEvent.getIsBase64Encoded() ? Base64.getDecoder().decode(body) : body.getBytes(UTF_8);
    if (bytes.length > bodyMax) {
      throw new ContentLengthExceededException(bodyMax, bytes.length);
    }
    return bytes;
  }

  @Override
  public MutableHttpHeaders getHeaders() {
    return headers;
  }

  @Override
  public MutableHttpParameters getParameters() {
    return query;
  }

  @Override
  public String getMethodName() {
    return requestEvent.getRequestContext().getHttp().getMethod();
  }

  /** Returns the address of the client, which the gateway has seen. */
  @Override
  public InetSocketAddress getRemoteAddress() {
    return new InetSocketAddress(requestEvent.getRequestContext().getHttp().getSourceIp(), 0);
  }

  @Override
  public ServletHttpResponse<APIGatewayV2HTTPResponse, ?> getResponse() {
    return response;
  }
}
