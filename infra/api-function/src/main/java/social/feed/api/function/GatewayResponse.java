package social.feed.api.function;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.function.BinaryTypeConfiguration;
import io.micronaut.function.aws.proxy.AbstractServletHttpResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A response to an HTTP API. Its format has one value for each header, and the body is a text in
 * JSON. A body that is no text, or a large one, is base64, so that its size there is known.
 */
final class GatewayResponse extends AbstractServletHttpResponse<APIGatewayV2HTTPResponse, Object> {
  /** Lambda's maximum is 6 MiB for the JSON of a response; base64 makes 4 bytes of 3. */
  static final int BODY_MAX = 4 * 1024 * 1024;

  /** A text may take six times its size in JSON. */
  private static final int TEXT_MAX = 512 * 1024;

  /** The gateway sets these itself. */
  private static final Set<String> OF_THE_GATEWAY =
      Set.of("connection", "content-length", "date", "transfer-encoding");

  private boolean isTooLarge;

  GatewayResponse(ConversionService conversions, BinaryTypeConfiguration binaryTypes) {
    super(conversions, binaryTypes);
  }

  @Override
  public OutputStream getOutputStream() {
    return new OutputStream() {
      @Override
      public void write(int octet) throws IOException {
        write(new byte[] {(byte) octet}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int from, int length) throws IOException {
        if (body.size() + length > BODY_MAX) {
          isTooLarge = true;
          throw new IOException("The response has more than %d bytes".formatted(BODY_MAX));
        }
        body.write(bytes, from, length);
      }
    };
  }

  /** Whether the body had more than the maximum, and is incomplete. */
  boolean isTooLarge() {
    return isTooLarge;
  }

  void dropBody() {
    body.reset();
  }

  @Override
  public APIGatewayV2HTTPResponse getNativeResponse() {
    APIGatewayV2HTTPResponse response = new APIGatewayV2HTTPResponse();
    response.setStatusCode(status);
    response.setHeaders(joinedHeaders());
    byte[] bytes = body.toByteArray();
    String text = text(bytes);
    response.setIsBase64Encoded(text == null);
    response.setBody(text == null ? Base64.getEncoder().encodeToString(bytes) : text);
    return response;
  }

  private Map<String, String> joinedHeaders() {
    Map<String, String> joined = new TreeMap<>();
    headers.forEach(
        (name, values) -> {
          if (!OF_THE_GATEWAY.contains(name.toLowerCase(Locale.ROOT))) {
            joined.put(name, String.join(", ", values));
          }
        });
    return joined;
  }

  private static @Nullable String text(byte[] bytes) {
    if (bytes.length > TEXT_MAX) {
      return null;
    }
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }
}
