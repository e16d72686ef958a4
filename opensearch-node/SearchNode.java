import org.codelibs.opensearch.runner.OpenSearchRunner;

/**
 * Runs a server of OpenSearch on loopback until its input ends: {@code java -cp … SearchNode.java
 * FOLDER PORT}. Prints a line when it answers.
 */
public final class SearchNode {
  private SearchNode() {}

  public static void main(String[] arguments) throws Exception {
    var folder = arguments[0];
    var port = arguments[1];
    var runner = new OpenSearchRunner();
    runner.onBuild(
        (_, settings) -> {
          settings.put("network.host", "127.0.0.1");
          settings.put("http.port", port);
          settings.put("transport.port", "0");
          settings.put("discovery.type", "single-node");
          // The disk of a developer may be nearly full.
          settings.put("cluster.routing.allocation.disk.threshold_enabled", false);
        });
    try {
      runner.build(
          OpenSearchRunner.newConfigs()
              .basePath(folder)
              .numOfNode(1)
              .printOnFailure()
              .disableESLogger()
              .useLogger());
    } catch (RuntimeException e) {
      e.printStackTrace();
      // Threads of the node would keep the process.
      Runtime.getRuntime().halt(1);
    }
    System.out.println("The server answers at port " + port);
    while (System.in.read() >= 0) {
      // Nothing is expected but the end.
    }
    runner.close();
  }
}
