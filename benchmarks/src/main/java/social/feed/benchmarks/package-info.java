/** Benchmarks: ratios within one run. */
@NullMarked
package social.feed.benchmarks;

import org.jspecify.annotations.NullMarked;
