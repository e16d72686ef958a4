package social.feed.local;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import social.feed.local.ChildProcess.Program;
import social.feed.local.index.ServerIndex;

/** The API in a process of its own, next to others of the same platform. */
final class ApiProcess {
  /** Secrets are no arguments, because each user of the machine can read those. */
  private static final String CURSOR_SECRET = "FEED_CURSOR_SECRET";

  private static final String DEV_ISSUER_SECRET = "FEED_DEV_ISSUER_SECRET";

  /** May have a password. */
  private static final String SEARCH = "FEED_PLATFORM_SEARCH";

  private ApiProcess() {}

  /**
   * Returns the program of such a process.
   *
   * @param stream where the event source is controlled
   * @param media where the bytes of files are
   * @param search the server of the search index, if there is one
   */
  static Program program(
      URI dynamodb,
      URI stream,
      Path media,
      Secrets secrets,
      Optional<URI> search,
      boolean hasXray) {
    var environment = new HashMap<String, String>();
    environment.put(CURSOR_SECRET, secrets.cursor());
    environment.put(DEV_ISSUER_SECRET, secrets.devIssuer());
    search.ifPresent(server -> environment.put(SEARCH, server.toString()));
    return new Program(
        ApiProcess.class,
        List.of(
            dynamodb.toString(), stream.toString(), Boolean.toString(hasXray), media.toString()),
        environment,
        true);
  }

  /** Serves the API until its parent ends. */
  public static void main(String[] arguments) {
    var secrets = new Secrets(secret(CURSOR_SECRET), secret(DEV_ISSUER_SECRET));
    var xray = LocalMultiplexer.newXray(Boolean.parseBoolean(arguments[3]));
    var ofPage = new ArrayList<Object>(List.of(xray, xray.calls()));
    var search = System.getenv(SEARCH);
    if (search != null) {
      ofPage.add(ServerIndex.at(URI.create(search)));
    }
    var server =
        ApiServer.prepare(
            Integer.parseInt(arguments[0]),
            URI.create(arguments[1]),
            secrets,
            Path.of(arguments[4]),
            new RemoteStreamControl(URI.create(arguments[2])),
            ofPage.toArray());
    Runtime.getRuntime().addShutdownHook(new Thread(server::close, "stop"));
    server.listen();
    ChildProcess.isReady(server.url());
    ChildProcess.awaitEndOfParent();
  }

  private static String secret(String name) {
    return Objects.requireNonNull(System.getenv(name), name);
  }
}
