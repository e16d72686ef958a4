package social.feed.api.media;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Positive;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import social.feed.table.media.MediaQuota;

/**
 * Files of accounts. Their bytes are in a bucket, or on a local platform in a folder. Without
 * either, the API has no routes of media, and removals of files wait until there is one, with the
 * erasures of their owners.
 *
 * @param folder where the bytes of files are kept. Only for a local platform ({@code
 *     feed.dynamodb.local}), which shares it with its multiplexer: that of a deployed stage has no
 *     folder and could remove nothing, so the start fails
 * @param bucket the bucket of S3 where the bytes of files are kept, in place of a folder. API and
 *     multiplexer need the same one; clients send bytes to it and get them from it, at signed
 *     addresses
 * @param region of the bucket; by default for the API that of the table, for the function its own
 * @param endpoint of another service that speaks S3, which clients must reach as well; by default
 *     the region's own
 * @param maxBytes the maximum size of an uploaded file, at most two billion bytes: its content is
 *     read as one array
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
    @Nullable String bucket,
    @Nullable String region,
    @Nullable URI endpoint,
    @Bindable(defaultValue = "8388608") @Min(1) @Max(2_000_000_000) long maxBytes,
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
