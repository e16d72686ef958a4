package social.feed.api.user;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.PositiveOrZero;
import java.time.Duration;

/**
 * Caching of posts and accounts in lists, and of the authors of single posts.
 *
 * @param cached how long lists show a post or an account before it is read again. A change or a
 *     delete can be that late in lists, and that of an author next to a single post. Zero reads
 *     them with every page. A celebrity's new post can be missing from a home feed as long.
 *     Searches read both strongly, and not from this cache.
 * @param remembered maximum number of cached posts, and of cached accounts; some 2 KB each
 */
@ConfigurationProperties("feed.hot")
public record CacheConfiguration(
    @Bindable(defaultValue = "1s") @PositiveOrZero Duration cached,
    @Bindable(defaultValue = "10000") @Min(0) long remembered) {}
