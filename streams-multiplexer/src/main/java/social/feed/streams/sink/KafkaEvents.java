package social.feed.streams.sink;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import social.feed.event.DomainEvent;
import social.feed.event.EventJson;
import social.feed.streams.sink.KafkaTopic.Times;

/**
 * Publishes events in a topic of Kafka. The key of a record is the entity, so all events of an
 * entity are in one partition; its value is the event as JSON; its headers {@code id}, {@code type}
 * and {@code version} say what it is without a look at the value. In the partition events of an
 * entity may be in any order, and more than once.
 *
 * <p>An event is published when all replicas in sync have it. A broker that is away or hangs makes
 * the call fail within {@link #LONGEST}. The connection is made by the first event, so a program
 * starts without a broker.
 */
public final class KafkaEvents implements Publisher, AutoCloseable {
  /** The name of the sink. */
  public static final String NAME = "kafka";

  /** The time of a call with all its parts, shorter than a queue hides a message. */
  static final Duration LONGEST = Times.STANDARD.longest();

  private static final Duration END = Duration.ofSeconds(2);

  private final KafkaTopic topic;
  private final Times times;
  private final ReentrantLock creation = new ReentrantLock();
  private @Nullable Producer<String, String> producer;

  /** Creates a publisher, which does not connect yet. */
  public KafkaEvents(KafkaTopic topic) {
    this(topic, Times.STANDARD);
  }

  KafkaEvents(KafkaTopic topic, Times times) {
    this.topic = topic;
    this.times = times;
  }

  @Override
  public void publish(DomainEvent event) {
    long until = System.nanoTime() + times.longest().toNanos();
    var used = producer();
    try {
      var sent = used.send(message(event));
      var _ = sent.get(Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw failure(used, e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException | KafkaException e) {
      throw failure(used, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Kafka was not waited for", e);
    }
  }

  private ProducerRecord<String, String> message(DomainEvent event) {
    return new ProducerRecord<>(
        topic.name(),
        null,
        event.entity(),
        EventJson.write(event),
        List.of(
            header("id", event.id()),
            header("type", event.type().eventName()),
            header("version", event.version())));
  }

  private static Header header(String name, String value) {
    return new RecordHeader(name, value.getBytes(StandardCharsets.UTF_8));
  }

  private IllegalStateException failure(Producer<String, String> used, Throwable reason) {
    if (!(reason instanceof RetriableException)) {
      discard(used);
    }
    return new IllegalStateException(
        "Kafka did not confirm the event: %s: %s"
            .formatted(reason.getClass().getSimpleName(), reason.getMessage()),
        reason);
  }

  /** A failed look-up of the brokers' names is a failure of this event only. */
  private Producer<String, String> producer() {
    creation.lock();
    try {
      if (producer == null) {
        producer = new KafkaProducer<>(topic.all(times));
      }
      return producer;
    } catch (KafkaException e) {
      throw new IllegalStateException("Kafka cannot be reached: " + reason(e), e);
    } finally {
      creation.unlock();
    }
  }

  private static String reason(KafkaException e) {
    var cause = e.getCause() == null ? e : e.getCause();
    return String.valueOf(cause.getMessage());
  }

  /** A producer may not continue after some failures, and the next event needs another one. */
  private void discard(Producer<String, String> failed) {
    creation.lock();
    try {
      if (producer == failed) {
        producer = null;
      }
    } finally {
      creation.unlock();
    }
    failed.close(Duration.ZERO);
  }

  @Override
  public void close() {
    creation.lock();
    try {
      if (producer != null) {
        producer.close(END);
        producer = null;
      }
    } finally {
      creation.unlock();
    }
  }
}
