package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import social.feed.streams.FunctionProcess.Launch;
import social.feed.streams.plan.Lane;
import social.feed.testkit.Polling;
import social.feed.testkit.ServerPort;

/**
 * The zip under AWS's runtime interface emulator, which plays Lambda's side as AWS wrote it; {@link
 * ITPackagedFunction} has our reading of the same pages. Run by {@code infra/function/emulate},
 * which has the emulator.
 *
 * <p>The emulator ends the ARN of an invocation with the name of the function, and accepts no
 * alias. So each lane has a process of its own, with the alias in its name.
 */
class EmulatedFunction extends EntryContract {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static Resources resources;
  private static Path root;
  private static HttpClient client;
  private static final Map<Lane, URI> INVOCATIONS = new EnumMap<>(Lane.class);
  private static final List<FunctionProcess> FUNCTIONS = new ArrayList<>();

  @BeforeAll
  static void start(@TempDir Path folder) throws IOException {
    resources = Resources.start();
    root = Files.createDirectory(folder.resolve("task"));
    FunctionProcess.unpack(root);
    client = HttpClient.newHttpClient();
    for (var lane : Lane.values()) {
      var settings = new HashMap<>(resources.environment());
      settings.put("AWS_LAMBDA_FUNCTION_NAME", "feed-multiplexer:" + lane.alias());
      var work = Files.createDirectory(folder.resolve(lane.alias()));
      var launch = new Launch(handler(), root, work, List.of(), List.of(), settings);
      int port =
          ServerPort.start(invoked -> ServerPort.start(api -> started(invoked, api, launch)));
      INVOCATIONS.put(lane, invocations(port));
    }
  }

  @AfterAll
  static void stop() {
    FUNCTIONS.forEach(FunctionProcess::close);
    client.close();
    resources.close();
  }

  /** The handler that the stack names, or another one in a run that must fail. */
  private static String handler() {
    return System.getProperty("function.handler", FunctionProcess.HANDLER);
  }

  /**
   * Starts an emulator, and returns when it accepts invocations.
   *
   * @param port of invocations, which it returns
   * @param api the port of Lambda's side
   */
  private static int started(int port, int api, Launch launch) {
    try {
      var function = emulated(port, api, launch);
      Polling.until(() -> accepts(port) || !function.isAlive());
      if (!function.isAlive()) {
        function.close();
        var log = Files.readString(FunctionProcess.log(launch.work()));
        throw new IllegalStateException("The emulator ended: " + log);
      }
      FUNCTIONS.add(function);
      return port;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean accepts(int port) {
    try (var _ = new Socket("127.0.0.1", port)) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static FunctionProcess emulated(int port, int api, Launch launch) throws IOException {
    var emulator =
        Objects.requireNonNull(System.getProperty("function.emulator"), "function.emulator");
    return FunctionProcess.startBy(
        List.of(
            emulator,
            "--runtime-interface-emulator-address",
            "127.0.0.1:" + port,
            "--runtime-api-address",
            "127.0.0.1:" + api),
        launch);
  }

  private static URI invocations(int port) {
    return URI.create("http://127.0.0.1:" + port + "/2015-03-31/functions/function/invocations");
  }

  @Override
  TimeWindowEventResponse handle(Lane lane, DynamodbTimeWindowEvent event) {
    var answer = answer(lane, Events.write(event));
    assertThat(answer).doesNotContain("errorMessage").doesNotContain("errorType");
    return Events.response(answer);
  }

  /** The emulator answers 200 with the response of the function, even for an error. */
  private static String answer(Lane lane, String event) {
    var request =
        HttpRequest.newBuilder(INVOCATIONS.get(lane))
            .POST(BodyPublishers.ofString(event))
            .timeout(PATIENCE)
            .build();
    try {
      return client.send(request, BodyHandlers.ofString()).body();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  Resources resources() {
    return resources;
  }
}
