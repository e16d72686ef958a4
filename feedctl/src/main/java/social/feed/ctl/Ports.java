package social.feed.ctl;

import java.util.stream.IntStream;
import picocli.CommandLine.Option;
import social.feed.engine.PortTakenException;

/** Options for the ports of the platform's servers. */
final class Ports {
  private static final String API = "--port";
  private static final String DYNAMODB = "--dynamodb-port";
  private static final String QUEUE = "--queue-port";
  private static final int MAX = 65_535;

  @Option(
      names = API,
      defaultValue = "8080",
      description = "port of the API (default: ${DEFAULT-VALUE}; 0 is any free one)")
  private int api;

  @Option(
      names = DYNAMODB,
      defaultValue = "8000",
      description = "port of DynamoDB Local (default: ${DEFAULT-VALUE}; 0 is any free one)")
  private int dynamodb;

  @Option(
      names = QUEUE,
      defaultValue = "9324",
      description =
          "port of the SQS-compatible queue (default: ${DEFAULT-VALUE}; 0 is any free one)")
  private int queue;

  int api() {
    return api;
  }

  int dynamodb() {
    return dynamodb;
  }

  int queue() {
    return queue;
  }

  /** Returns the failure with the option that selects another port. */
  IllegalStateException remedied(PortTakenException e) {
    var option = option(e.port());
    return new IllegalStateException(
        "%s: choose another with %s %d, or %s 0 for any free one."
            .formatted(e.getMessage(), option, other(e.port()), option),
        e);
  }

  private String option(int taken) {
    if (taken == dynamodb) {
      return DYNAMODB;
    }
    return taken == queue ? QUEUE : API;
  }

  /** Returns the next port that the platform does not use. */
  private int other(int taken) {
    return IntStream.iterate(taken, port -> port == MAX ? 1024 : port + 1)
        .filter(port -> port != api && port != dynamodb && port != queue)
        .findFirst()
        .orElseThrow();
  }
}
