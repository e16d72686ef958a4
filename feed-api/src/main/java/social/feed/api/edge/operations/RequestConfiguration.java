package social.feed.api.edge.operations;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * How long a request may take to come.
 *
 * @param requestTime from the first byte of a request to the last of its body; then the connection
 *     is closed
 */
@ConfigurationProperties("feed.limits")
record RequestConfiguration(@Bindable(defaultValue = "20s") Duration requestTime) {}
