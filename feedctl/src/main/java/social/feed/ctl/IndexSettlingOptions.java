package social.feed.ctl;

import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The option of commands that compare the search index: how long the index may follow later. */
final class IndexSettlingOptions {
  private static final double MILLIS = 1e3;

  /** The longest time in seconds: an index that is later than an hour does not work. */
  private static final double MAX = 3_600;

  @Option(
      names = "--index-settle-seconds",
      defaultValue = "10",
      description =
          "how long no difference may disappear, or an entry of the account may remain, before it is"
              + " reported. More where the index follows slowly, at most 3600"
              + " (default: ${DEFAULT-VALUE})")
  private double seconds = 10;

  /**
   * Returns the time.
   *
   * @throws ParameterException if it is negative or longer than an hour
   */
  Duration valid(CommandSpec spec) {
    if (!(seconds >= 0 && seconds <= MAX)) {
      throw new ParameterException(
          spec.commandLine(), "--index-settle-seconds must be 0 to %,.0f".formatted(MAX));
    }
    return Duration.ofMillis((long) (seconds * MILLIS));
  }
}
