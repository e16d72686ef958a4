package social.feed.testkit;

import java.net.URI;
import java.util.Optional;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;

/** LocalStack in a container that runs until this JVM ends. */
final class LocalStack {
  /** The last version whose image needs no account. */
  private static final String IMAGE = "localstack/localstack:4.14.0";

  private static final int PORT = 4566;

  private LocalStack() {}

  /**
   * Starts the container. Testcontainers removes it after this JVM has ended.
   *
   * @return the endpoint; empty where no Docker daemon answers
   */
  static Optional<URI> inContainer() {
    if (!DockerClientFactory.instance().isDockerAvailable()) {
      return Optional.empty();
    }
    var container =
        new GenericContainer<>(IMAGE)
            // Uses the engine's own streams instead of an emulation of Kinesis.
            .withEnv("PROVIDER_OVERRIDE_DYNAMODB", "v2")
            .withExposedPorts(PORT)
            .waitingFor(Wait.forHttp("/_localstack/health"));
    container.start();
    return Optional.of(
        URI.create("http://" + container.getHost() + ":" + container.getMappedPort(PORT)));
  }
}
