package social.feed.local;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import social.feed.local.ChildProcess.Program;

/** The API in a process of its own, next to others of the same platform. */
final class ApiProcess {
  /** Secrets are no arguments, because each user of the machine can read those. */
  private static final String CURSOR_SECRET = "FEED_CURSOR_SECRET";

  private static final String DEV_ISSUER_SECRET = "FEED_DEV_ISSUER_SECRET";

  private ApiProcess() {}

  /**
   * Returns the program of such a process.
   *
   * @param stream where the event source is controlled
   * @param media where the bytes of files are
   */
  static Program program(URI dynamodb, URI stream, Path media, Secrets secrets, boolean hasXray) {
    return new Program(
        ApiProcess.class,
        List.of(
            dynamodb.toString(), stream.toString(), Boolean.toString(hasXray), media.toString()),
        Map.of(CURSOR_SECRET, secrets.cursor(), DEV_ISSUER_SECRET, secrets.devIssuer()),
        true);
  }

  /** Serves the API until its parent ends. */
  public static void main(String[] arguments) {
    var secrets = new Secrets(secret(CURSOR_SECRET), secret(DEV_ISSUER_SECRET));
    var xray = LocalMultiplexer.newXray(Boolean.parseBoolean(arguments[3]));
    var server =
        ApiServer.prepare(
            Integer.parseInt(arguments[0]),
            URI.create(arguments[1]),
            secrets,
            Path.of(arguments[4]),
            new RemoteStreamControl(URI.create(arguments[2])),
            xray,
            xray.calls());
    Runtime.getRuntime().addShutdownHook(new Thread(server::close, "stop"));
    server.listen();
    ChildProcess.isReady(server.url());
    ChildProcess.awaitEndOfParent();
  }

  private static String secret(String name) {
    return Objects.requireNonNull(System.getenv(name), name);
  }
}
