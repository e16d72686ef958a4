package social.feed.engine;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.net.BindException;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.http.scaladsl.Http;
import org.elasticmq.NodeAddress;
import org.elasticmq.StrictSQSLimits$;
import org.elasticmq.actor.QueueManagerActor;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import org.elasticmq.util.NowProvider;
import scala.Option;
import scala.concurrent.duration.FiniteDuration;
import scala.jdk.javaapi.FutureConverters;

/**
 * The actors of ElasticMQ behind its HTTP server, assembled here because its launcher does not
 * expose the bound port.
 */
final class QueueServer implements AutoCloseable {

  private static final long STOP_SECONDS = 10;

  /** The time of requests under way. A receive that waits for messages would take all of its. */
  private static final FiniteDuration LAST_REQUESTS =
      FiniteDuration.apply(100, TimeUnit.MILLISECONDS);

  private final ActorSystem actors;
  private final StoredMessages stored;
  private final SQSRestServer http;
  private final int port;

  private QueueServer(ActorSystem actors, StoredMessages stored, SQSRestServer http, int port) {
    this.actors = actors;
    this.stored = stored;
    this.http = http;
    this.port = port;
  }

  static QueueServer start(Storage storage, ListenOn listenOn) {
    StoredMessages stored = StoredMessages.open(storage);
    ActorSystem actors = ActorSystem.create("local-queue", configuration());
    try {
      Option<ActorRef> store = stored.actor(actors);
      ActorRef queues = actors.actorOf(queues(store));
      stored.restoreInto(queues, store);
      SQSRestServer http = http(listenOn, actors, queues, store);
      int port = bound(http, listenOn).localAddress().getPort();
      return new QueueServer(actors, stored, http, port);
    } catch (RuntimeException e) {
      stop(actors);
      stored.close();
      throw e;
    }
  }

  /**
   * The library's own file sets DEBUG. The time-out must exceed SQS's longest poll of 20 seconds.
   * The URI limit admits a message that is sent in the query string.
   */
  private static Config configuration() {
    return ConfigFactory.parseString(
            """
            pekko.loglevel = "WARNING"
            pekko.stdout-loglevel = "OFF"
            pekko.loggers = ["org.apache.pekko.event.slf4j.Slf4jLogger"]
            pekko.logging-filter = "org.apache.pekko.event.slf4j.Slf4jLoggingFilter"
            pekko.log-dead-letters = off
            pekko.daemonic = on
            pekko.jvm-exit-on-fatal-error = off
            pekko.coordinated-shutdown.run-by-jvm-shutdown-hook = off
            pekko.http.server.request-timeout = 25s
            pekko.http.server.parsing.max-uri-length = 256k
            pekko.http.server.parsing.illegal-header-warnings = off
            """)
        .withFallback(ConfigFactory.defaultReference());
  }

  private static Props queues(Option<ActorRef> store) {
    return Props.create(
        QueueManagerActor.class,
        () -> new QueueManagerActor(new NowProvider(), StrictSQSLimits$.MODULE$, store));
  }

  private static SQSRestServer http(
      ListenOn listenOn, ActorSystem actors, ActorRef queues, Option<ActorRef> store) {
    var builder =
        SQSRestServerBuilder.withActorSystem(actors)
            .withQueueManagerActor(queues)
            .withInterface(ListenOn.LOOPBACK)
            .withSQSLimits(StrictSQSLimits$.MODULE$);
    var withPort =
        listenOn.port() == 0
            ? builder.withDynamicPort()
            : builder.withPort(listenOn.port()).withServerAddress(urlAddress(listenOn.port()));
    return (store.isDefined() ? withPort.withQueueEventListener(store.get()) : withPort).start();
  }

  /** Returns the address that ElasticMQ writes into queue URLs. Without it, all name port 9324. */
  private static NodeAddress urlAddress(int port) {
    return new NodeAddress("http", ListenOn.LOOPBACK, port, "");
  }

  private static Http.ServerBinding bound(SQSRestServer http, ListenOn listenOn) {
    try {
      return http.waitUntilStarted();
    } catch (Exception e) {
      if (Stream.iterate((Throwable) e, t -> t != null, Throwable::getCause)
          .anyMatch(BindException.class::isInstance)) {
        throw new PortTakenException("ElasticMQ", listenOn.port(), e);
      }
      throw new IllegalStateException("ElasticMQ cannot start on loopback", e);
    }
  }

  URI endpoint() {
    return URI.create("http://" + ListenOn.LOOPBACK + ":" + port);
  }

  @Override
  public void close() {
    try (stored) {
      try {
        stop(http);
      } finally {
        stop(actors);
      }
    }
  }

  private static void stop(SQSRestServer http) {
    var stopped = http.waitUntilStarted().terminate(LAST_REQUESTS);
    FutureConverters.asJava(stopped)
        .toCompletableFuture()
        .orTimeout(STOP_SECONDS, TimeUnit.SECONDS)
        .join();
  }

  private static void stop(ActorSystem actors) {
    actors.terminate();
    try {
      actors
          .getWhenTerminated()
          .toCompletableFuture()
          .orTimeout(STOP_SECONDS, TimeUnit.SECONDS)
          .join();
    } catch (RuntimeException e) {
      throw new IllegalStateException("ElasticMQ did not stop within " + STOP_SECONDS + " s", e);
    }
  }
}
