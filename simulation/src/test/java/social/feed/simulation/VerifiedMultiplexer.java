package social.feed.simulation;

import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import social.feed.streams.simulated.MultiplexerSubject;
import social.feed.table.kernel.store.Table;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.fault.WiredClient;
import social.feed.testkit.simulation.Scale;
import social.feed.verify.Report;
import social.feed.verify.Verification;

/**
 * The multiplexer, and {@code ./feed verify} on its table when everything is delivered. {@code
 * --fix} repairs only what the same verification reports, so it writes nothing where that is
 * nothing.
 */
class VerifiedMultiplexer extends MultiplexerSubject {
  /** Returns a wire that alters what verify reads, for planted bugs. */
  Wire inspection() {
    return Wire.SOUND;
  }

  @Override
  public List<String> drift(Table table, Clock clock, Scale scale) {
    var rule = Optional.of(new CelebrityRule(scale.celebrityFrom()));
    var report =
        new Verification(
                WiredClient.table(table, inspection()), clock, rule, TrendingTags.HALF_LIFE)
            .run(() -> {}, _ -> {});
    return report.lines().stream().flatMap(VerifiedMultiplexer::sentences).toList();
  }

  private static Stream<String> sentences(Report.Line line) {
    return line.examples().stream().map(example -> line.check() + ": " + example);
  }
}
