package social.feed.ctl.verify;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import social.feed.local.LocalPlatform;
import social.feed.local.PlatformSettings;
import social.feed.local.page.TableVerifier;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.user.CelebrityRule;

/** Verifies the table of a platform in this process, as {@code ./feed verify} does. */
public final class PlatformVerifier implements TableVerifier {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final LocalPlatform platform;
  private final CelebrityRule rule;
  private final Table table;

  /**
   * @param celebrityThreshold the threshold of the platform
   */
  public PlatformVerifier(LocalPlatform platform, long celebrityThreshold) {
    this.platform = platform;
    this.rule = new CelebrityRule(celebrityThreshold);
    this.table =
        new Table(platform.engine().directClient(), PlatformSettings.TABLE, Retry.standard());
  }

  @Override
  public List<CheckResult> verify(LongConsumer progress) {
    var report =
        new Verification(table, Optional.of(rule)).run(() -> platform.drain(PATIENCE), progress);
    return report.lines().stream()
        .map(line -> new CheckResult(line.check(), line.compared(), line.drifts(), line.examples()))
        .toList();
  }
}
