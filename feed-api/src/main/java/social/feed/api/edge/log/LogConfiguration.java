package social.feed.api.edge.log;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The log lines of the API.
 *
 * @param format {@code text} for people, or {@code json}: each line an object, with a line for each
 *     request. Lines before the settings are read have the format only from the variable
 * @param metrics whether the log has the latency and the units of each route in CloudWatch's
 *     embedded metric format; with {@code json} only
 * @param requestIdHeader the header that the proxy sets to the id of a request, over a value of the
 *     client; without it the API makes an id of its own
 */
@ConfigurationProperties("feed.log")
public record LogConfiguration(
    @Bindable(defaultValue = "text")
        @NotNull
        @Pattern(regexp = "text|json", message = "must be text or json")
        String format,
    @Bindable(defaultValue = "false") boolean metrics,
    @Nullable String requestIdHeader) {

  /** Returns whether each line is an object of JSON. */
  public boolean isJson() {
    return format.equals("json");
  }
}
