package social.feed.ctl;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import social.feed.ctl.search.IndexComparison;
import social.feed.local.LocalPlatform;
import social.feed.local.PlatformSettings;
import social.feed.local.page.TableVerifier;
import social.feed.streams.index.TableIndex;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.user.CelebrityRule;
import social.feed.verify.Report;
import social.feed.verify.Verification;

/**
 * Verifies the table of a platform in this process and compares its search index, as {@code ./feed
 * verify} does.
 */
public final class PlatformVerifier implements TableVerifier {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final LocalPlatform platform;
  private final CelebrityRule rule;
  private final Table table;
  private final Duration settling;

  /**
   * @param celebrityThreshold the threshold of the platform
   */
  public PlatformVerifier(LocalPlatform platform, long celebrityThreshold) {
    this(platform, celebrityThreshold, IndexComparison.SETTLING);
  }

  PlatformVerifier(LocalPlatform platform, long celebrityThreshold, Duration settling) {
    this.platform = platform;
    this.rule = new CelebrityRule(celebrityThreshold);
    this.table =
        new Table(platform.engine().directClient(), PlatformSettings.TABLE, Retry.standard());
    this.settling = settling;
  }

  @Override
  public List<CheckResult> verify(LongConsumer progress) {
    var report = new Verification(table, Optional.of(rule)).run(this::drain, progress);
    return withIndex(report).lines().stream()
        .map(line -> new CheckResult(line.check(), line.compared(), line.drifts(), line.examples()))
        .toList();
  }

  private Report withIndex(Report report) {
    return platform
        .search()
        .map(index -> new IndexComparison(table, new TableIndex(table, index), settling))
        .map(comparison -> report.and(comparison.compare(this::drain, false)))
        .orElse(report);
  }

  private void drain() {
    platform.drain(PATIENCE);
  }
}
