package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import social.feed.streams.FunctionProcess.Launch;

/**
 * The zip under AWS's runtime interface emulator, which plays Lambda's side as AWS has written it,
 * where {@link ITPackagedFunction} has our reading of the same pages. Run by {@code
 * infra/function/emulate}, which has the emulator; without it there is nothing to run.
 */
class EmulatedFunction extends EntryContract {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static Resources resources;
  private static Path root;
  private static HttpClient client;
  private static URI invocations;
  private static FunctionProcess function;

  @BeforeAll
  static void start(@TempDir Path folder) throws IOException {
    resources = Resources.start();
    root = Files.createDirectory(folder.resolve("task"));
    FunctionProcess.unpack(root);
    client = HttpClient.newHttpClient();
    int port = freePort();
    invocations = invocations(port);
    function =
        emulated(
            port,
            new Launch(handler(), root, folder, List.of(), List.of(), resources.environment()));
  }

  @AfterAll
  static void stop() {
    function.close();
    client.close();
    resources.close();
  }

  /** Another than the stack names only where this is to fail. */
  private static String handler() {
    return System.getProperty("function.handler", FunctionProcess.HANDLER);
  }

  private static FunctionProcess emulated(int port, Launch launch) throws IOException {
    var emulator =
        Objects.requireNonNull(System.getProperty("function.emulator"), "function.emulator");
    return FunctionProcess.startBy(
        List.of(
            emulator,
            "--runtime-interface-emulator-address",
            "127.0.0.1:" + port,
            "--runtime-api-address",
            "127.0.0.1:" + freePort()),
        launch);
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static URI invocations(int port) {
    return URI.create("http://127.0.0.1:" + port + "/2015-03-31/functions/function/invocations");
  }

  @Override
  TimeWindowEventResponse handle(DynamodbTimeWindowEvent event) {
    var answer = answer(Events.write(event));
    assertThat(answer).doesNotContain("errorMessage").doesNotContain("errorType");
    return Events.response(answer);
  }

  /** The emulator answers 200 to what a function says, also of an error. */
  private static String answer(String event) {
    var request =
        HttpRequest.newBuilder(invocations)
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
