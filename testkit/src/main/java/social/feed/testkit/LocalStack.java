package social.feed.testkit;

import java.net.URI;
import java.util.Optional;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;

/** LocalStack in a container, for the rest of this JVM. */
final class LocalStack {
  /** The last one whose image needs no account. */
  private static final String IMAGE = "localstack/localstack:4.14.0";

  private static final int PORT = 4566;

  private LocalStack() {}

  /** Nothing where no Docker answers. Testcontainers removes it when the JVM has ended. */
  static Optional<URI> inContainer() {
    if (!DockerClientFactory.instance().isDockerAvailable()) {
      return Optional.empty();
    }
    var container =
        new GenericContainer<>(IMAGE)
            // The engine's own streams; without it they go through an emulation of Kinesis.
            .withEnv("PROVIDER_OVERRIDE_DYNAMODB", "v2")
            .withExposedPorts(PORT)
            .waitingFor(Wait.forHttp("/_localstack/health"));
    container.start();
    return Optional.of(
        URI.create("http://" + container.getHost() + ":" + container.getMappedPort(PORT)));
  }
}
