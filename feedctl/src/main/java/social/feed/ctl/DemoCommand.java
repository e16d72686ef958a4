package social.feed.ctl;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import social.feed.ctl.demo.DemoMotion;
import social.feed.ctl.load.ApiCalls;

/** {@code ./feed demo}: makes the accounts of a running local platform act for a while. */
@Command(
    name = "demo",
    description =
        "Makes the accounts of a running local platform post, like, comment and follow for a while.",
    mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {
  private static final int LONGEST_SECONDS = 3_600;

  @Spec private CommandSpec spec;

  @Option(
      names = "--url",
      defaultValue = "http://127.0.0.1:8080",
      description = "address of the local platform (default: ${DEFAULT-VALUE})")
  private URI url = URI.create("http://127.0.0.1:8080");

  @Option(
      names = "--seconds",
      defaultValue = "60",
      description = "how long, at most an hour (default: ${DEFAULT-VALUE})")
  private int seconds = 60;

  @Override
  public Integer call() throws Exception {
    if (seconds < 1 || seconds > LONGEST_SECONDS) {
      throw new IllegalStateException(
          "--seconds must be 1 to %d, not %d".formatted(LONGEST_SECONDS, seconds));
    }
    try (var api = new ApiCalls(url, Map.of());
        var progress = new ConsoleProgress().step("seconds", seconds)) {
      var done = new DemoMotion(api).run(Duration.ofSeconds(seconds), progress::advance);
      progress.close();
      var out = spec.commandLine().getOut();
      out.println(done);
      out.flush();
    }
    return 0;
  }
}
