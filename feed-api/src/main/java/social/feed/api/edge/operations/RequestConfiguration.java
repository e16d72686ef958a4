package social.feed.api.edge.operations;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.Positive;
import java.time.Duration;

/**
 * How long a client may take to send a request.
 *
 * @param requestTime the maximum time from the first byte of a request to the last byte of its
 *     body; after it the connection is closed
 * @param uploadTime the same for the upload of a file, which is larger
 */
@ConfigurationProperties("feed.limits")
record RequestConfiguration(
    @Bindable(defaultValue = "20s") @Positive Duration requestTime,
    @Bindable(defaultValue = "5m") @Positive Duration uploadTime) {}
