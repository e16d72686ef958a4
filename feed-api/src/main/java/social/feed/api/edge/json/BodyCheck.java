package social.feed.api.edge.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;

/**
 * Refuses bodies that are not exactly one JSON value in UTF-8, and {@code null}. The decoder alone
 * is not enough: it guesses other encodings, and its library fails on some of them with an error of
 * its own. It stops after the first value, so it accepts {@code {} x} and reports some broken JSON
 * as wrong fields. It reads {@code null} as an absent body where the body is optional. The check
 * parses a body of 64 KiB a second time, which costs microseconds. A compressed body is refused
 * with any content.
 */
public final class BodyCheck {
  private static final int BYTES_MAX = 65_536;

  private static final String BYTE_ORDER_MARK = "\ufeff";

  private static final JsonFactory JSON = new JsonFactory();

  private BodyCheck() {}

  /**
   * Checks the body of a request.
   *
   * @throws ProblemException {@code invalid_json}, {@code invalid_request}, {@code
   *     unsupported_media_type}, {@code too_large}
   */
  public static void check(HttpRequest<?> request, byte @Nullable [] body) {
    if (body == null || body.length == 0) {
      return;
    }
    if (body.length > BYTES_MAX) {
      throw new ProblemException(ProblemCode.TOO_LARGE);
    }
    if (request.getMethod().permitsRequestBody() && isEncoded(request)) {
      throw new ProblemException(
          ProblemCode.UNSUPPORTED_MEDIA_TYPE, "The body has a `Content-Encoding`");
    }
    if (isJson(request)) {
      readThrough(body);
    }
  }

  private static boolean isEncoded(HttpRequest<?> request) {
    return request.getHeaders().getAll(HttpHeaders.CONTENT_ENCODING).stream()
        .anyMatch(coding -> !coding.strip().equalsIgnoreCase("identity"));
  }

  private static boolean isJson(HttpRequest<?> request) {
    return request.getContentType().map(MediaType.APPLICATION_JSON_TYPE::matches).orElse(true);
  }

  private static void readThrough(byte[] body) {
    try (JsonParser parser = JSON.createParser(text(body))) {
      if (parser.nextToken() == JsonToken.VALUE_NULL) {
        throw ProblemException.invalid("body", "is null");
      }
      parser.skipChildren();
      parser.finishToken();
      if (parser.nextToken() != null) {
        throw ProblemException.invalidJson("has more than one value");
      }
    } catch (StreamConstraintsException e) {
      throw ProblemException.invalidJson(
          "is nested too deep, or has a name or a number that is too long");
    } catch (JsonProcessingException e) {
      JsonLocation where = e.getLocation();
      throw ProblemException.invalidJson(
          "is not JSON at line %d, column %d".formatted(where.getLineNr(), where.getColumnNr()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Decodes UTF-8, which JSON between separate systems must be (RFC 8259 section 8.1). */
  private static String text(byte[] body) {
    try {
      String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
      return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw ProblemException.invalidJson("is not UTF-8");
    }
  }
}
