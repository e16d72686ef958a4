package social.feed.api.edge.rate;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.Min;

/**
 * How fast the posts of one author may be delivered, and in a second bucket of the same size how
 * fast they may be withdrawn: deleted, hidden, or taken out of the feed of a removed follower. A
 * third one limits private posts. All hold at all processes of the API that share a cache ({@code
 * feed.cache.url}); without one, n processes allow n times as much. A post counts as the request
 * units that its delivery to all followers consumes: 3 599 for 1 000, as {@code ./feed plan}
 * computes them.
 *
 * @param unitsPerSecond read and write units a second
 * @param burst units that an author may cause at once after a pause; a post that exceeds them is
 *     accepted, and the next one waits
 * @param unitsPerPost the least that a post counts as. By default an author posts five times in a
 *     row, and then every five seconds
 * @param authors the number of authors in memory; beyond it the least recent ones start with a full
 *     burst again
 */
@ConfigurationProperties("feed.limits.deliveries")
record DeliveryRate(
    @Bindable(defaultValue = "1000") @Min(1) int unitsPerSecond,
    @Bindable(defaultValue = "20000") @Min(1) int burst,
    @Bindable(defaultValue = "5000") @Min(0) int unitsPerPost,
    @Bindable(defaultValue = "100000") @Min(1) int authors) {}
