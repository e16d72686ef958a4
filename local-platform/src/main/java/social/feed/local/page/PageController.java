package social.feed.local.page;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.security.annotation.Secured;
import io.micronaut.security.rules.SecurityRule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Serves the page at {@code /}, and its files. On the local platform only. The page loads nothing
 * from elsewhere, and its policy forbids scripts and styles that are not files of this server.
 */
@Controller
@Secured(SecurityRule.IS_ANONYMOUS)
final class PageController {
  /** Lit makes its templates through the one policy of trusted types that is allowed. */
  private static final String POLICY =
      String.join(
          "; ",
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self'",
          "img-src 'self'",
          "connect-src 'self'",
          "base-uri 'none'",
          "form-action 'none'",
          "frame-ancestors 'none'",
          "require-trusted-types-for 'script'",
          "trusted-types lit-html");

  private static final String LIT = "lit-html/";

  /** No file outside of the folders below has such a path. */
  private static final Pattern PATH = Pattern.compile("([a-z-]+/)*[a-z-]+\\.([a-z]+)");

  private static final Map<String, MediaType> TYPES =
      Map.of(
          "html", MediaType.of("text/html;charset=utf-8"),
          "js", MediaType.of("text/javascript;charset=utf-8"),
          "css", MediaType.of("text/css;charset=utf-8"),
          "svg", MediaType.of("image/svg+xml"));

  /** The folder of Lit in its WebJar, which has the version. */
  private final String lit = "/META-INF/resources/webjars/lit-html/" + version() + "/";

  @Get("/")
  HttpResponse<byte[]> page() {
    return file("index.html").orElseThrow();
  }

  @Get("/page/{+path}")
  @Nullable HttpResponse<byte[]> part(@PathVariable String path) {
    return file(path).orElse(null);
  }

  private Optional<HttpResponse<byte[]>> file(String path) {
    var matcher = PATH.matcher(path);
    var type = matcher.matches() ? TYPES.get(matcher.group(2)) : null;
    if (type == null) {
      return Optional.empty();
    }
    var resource = path.startsWith(LIT) ? lit + path.substring(LIT.length()) : "/page/" + path;
    try (var in = PageController.class.getResourceAsStream(resource)) {
      return in == null
          ? Optional.empty()
          : Optional.of(
              HttpResponse.ok(in.readAllBytes())
                  .contentType(type)
                  .header(HttpHeaders.CACHE_CONTROL, "no-cache")
                  .header("Content-Security-Policy", POLICY)
                  .header("Referrer-Policy", "no-referrer"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String version() {
    var name = "/META-INF/maven/org.webjars.npm/lit-html/pom.properties";
    try (var in = Objects.requireNonNull(PageController.class.getResourceAsStream(name), name)) {
      var properties = new Properties();
      properties.load(in);
      return properties.getProperty("version");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
