package social.feed.api.edge.cors;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Browser apps that may call the API.
 *
 * @param origins the origins of browser apps that may call the API, such as {@code
 *     https://app.example.com}, separated by commas; by default there are none, and only apps that
 *     the API's own address serves may call it. A wildcard is refused
 */
@ConfigurationProperties("feed.cors")
record CorsConfiguration(@Bindable(defaultValue = "") List<String> origins) {
  private static final Pattern ORIGIN = Pattern.compile("https?://[a-z0-9.-]+(:\\d{1,5})?");

  CorsConfiguration {
    origins = origins.stream().map(String::strip).filter(origin -> !origin.isEmpty()).toList();
    for (String origin : origins) {
      if (!ORIGIN.matcher(origin).matches()) {
        throw new IllegalArgumentException(
            "feed.cors.origins must be origins such as https://app.example.com in lower case,"
                + " without a path or a wildcard, not "
                + origin);
      }
    }
  }
}
