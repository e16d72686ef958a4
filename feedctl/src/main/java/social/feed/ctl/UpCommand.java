package social.feed.ctl;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import social.feed.local.LocalPlatform;
import social.feed.local.PlatformSettings;

/** {@code ./feed up}: runs the whole platform until it is stopped. */
@Command(
    name = "up",
    description = "Runs the whole platform in this process until Ctrl-C.",
    mixinStandardHelpOptions = true)
final class UpCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @ArgGroup private @Nullable Where where;

  @Option(
      names = "--port",
      defaultValue = "8080",
      description = "port of the API (default: ${DEFAULT-VALUE}; 0 is any free one)")
  private int port;

  @Option(
      names = "--dynamodb-port",
      defaultValue = "8000",
      description = "port of DynamoDB Local (default: ${DEFAULT-VALUE})")
  private int dynamodbPort;

  @Option(
      names = "--queue-port",
      defaultValue = "9324",
      description = "port of the SQS-compatible queue (default: ${DEFAULT-VALUE})")
  private int queuePort;

  /** Either a folder or memory. */
  static final class Where {
    @Option(names = "--data", description = "folder that everything is kept in (default: ./data)")
    private @Nullable Path data;

    @Option(names = "--in-memory", description = "keep nothing")
    private boolean inMemory;
  }

  @Override
  public Integer call() throws InterruptedException {
    var out = spec.commandLine().getOut();
    var settings = new PlatformSettings(data(), port, dynamodbPort, queuePort);
    var started = System.nanoTime();
    var platform = LocalPlatform.start(settings);
    var stopped = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  out.println("Stopping.");
                  out.flush();
                  platform.close();
                  out.println("Stopped.");
                  out.flush();
                  stopped.countDown();
                }));
    print(out, platform, settings, (System.nanoTime() - started) / 1e9);
    stopped.await();
    return 0;
  }

  private Optional<Path> data() {
    if (where == null || (where.data == null && !where.inMemory)) {
      return Optional.of(Path.of("data"));
    }
    return Optional.ofNullable(where.data);
  }

  private static void print(
      PrintWriter out, LocalPlatform platform, PlatformSettings settings, double seconds) {
    out.printf(
        """
        The feed platform is up after %.1f s.

          API           %s
          Swagger UI    %s/swagger-ui
          health        %s/health
          token         curl -s %s/v1/dev/tokens -H 'Content-Type: application/json' -d '{"user_id":"alice"}'
          DynamoDB      %s  (table %s, region us-east-1, any alphanumeric credentials)
          dead letters  %s
          data          %s

        Ctrl-C stops it.
        """,
        seconds,
        platform.api(),
        platform.api(),
        platform.api(),
        platform.api(),
        platform.dynamodb(),
        PlatformSettings.TABLE,
        platform.deadLetters(),
        settings.data().map(path -> path.toAbsolutePath().toString()).orElse("in memory"));
    out.flush();
  }
}
