import java.util.List;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler;

/**
 * Starts DynamoDB Local as LocalStack does, but on 127.0.0.1: its own main class listens on all
 * interfaces. This class replaces the archive that LocalStack would download, and the agent that
 * goes with it, which only lifts the limit of twenty indexes.
 */
public final class LoopbackDynamoDb {
  private LoopbackDynamoDb() {}

  /** Called before {@link #main}, because LocalStack names an agent. */
  public static void premain(String arguments) {}

  /** Starts the server. Only the port matters: data is in memory, one database a region. */
  public static void main(String... arguments) throws Exception {
    var given = List.of(arguments);
    int port = Integer.parseInt(given.get(given.indexOf("-port") + 1));
    var server = new Server();
    var connector = new ServerConnector(server, 1, 1);
    connector.setHost("127.0.0.1");
    connector.setPort(port);
    server.addConnector(connector);
    var requests = new LocalDynamoDBRequestHandler(0, true, null, false, false);
    server.setHandler(new LocalDynamoDBServerHandler(requests, null));
    server.start();
    server.join();
  }
}
