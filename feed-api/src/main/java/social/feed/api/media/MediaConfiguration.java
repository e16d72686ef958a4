package social.feed.api.media;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Positive;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import social.feed.table.media.MediaQuota;

/**
 * Files of accounts.
 *
 * @param folder where the bytes of files are kept; without it the routes of media do not exist.
 *     Only for a local platform ({@code feed.dynamodb.local}), which shares it with its
 *     multiplexer: that of a deployed stage has no folder and could remove nothing, so the start
 *     fails
 * @param maxBytes the maximum size of an uploaded file
 * @param maxPixels the maximum number of pixels of an image, by its declared dimensions; decoding
 *     takes up to nine bytes of memory each
 * @param completions the maximum number of uploads that a process completes or lets wait for it; it
 *     decodes one image at a time
 * @param quotaFiles the maximum number of files of an account, uploads in progress included
 * @param quotaBytes the maximum sum of the uploaded sizes of the files of an account
 * @param uploadWithin how long an announced upload can be sent and completed
 * @param addressesValid how long the address of a file stays valid, at least; at most twice as long
 */
@ConfigurationProperties("feed.media")
record MediaConfiguration(
    @Nullable Path folder,
    @Bindable(defaultValue = "8388608") @Min(1) long maxBytes,
    @Bindable(defaultValue = "25000000") @Min(1) long maxPixels,
    @Bindable(defaultValue = "8") @Min(0) int completions,
    @Bindable(defaultValue = "1000") @Min(1) long quotaFiles,
    @Bindable(defaultValue = "1073741824") @Min(1) long quotaBytes,
    @Bindable(defaultValue = "1h") @Positive Duration uploadWithin,
    @Bindable(defaultValue = "10m") @Positive Duration addressesValid) {

  MediaQuota quota() {
    return new MediaQuota(quotaFiles, quotaBytes);
  }
}
