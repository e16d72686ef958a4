package social.feed.streams.sink;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A topic of Kafka that gets events, and how its brokers are reached.
 *
 * @param brokers {@code HOST:PORT} of one broker or more, separated by commas
 * @param name the name of the topic
 * @param properties further properties of Kafka's own client, such as those for TLS and SASL
 */
public record KafkaTopic(String brokers, String name, Map<String, String> properties) {
  /** The topic of an address that names none. */
  public static final String DEFAULT_NAME = "feed.events";

  private static final int REQUESTS = 2;
  private static final int BUFFER_BYTES = 4 * 1024 * 1024;
  private static final Pattern BROKERS =
      Pattern.compile("[A-Za-z0-9._-]+:\\d{1,5}(,[A-Za-z0-9._-]+:\\d{1,5})*");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,249}");
  private static final Set<String> COMPRESSIONS = Set.of("none", "gzip");

  /** What the guarantees of the publisher depend on. */
  private static final Map<String, Object> FIXED =
      Map.of(
          ProducerConfig.ACKS_CONFIG,
          "all",
          ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
          true,
          ProducerConfig.LINGER_MS_CONFIG,
          0,
          ProducerConfig.BUFFER_MEMORY_CONFIG,
          BUFFER_BYTES,
          ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
          StringSerializer.class,
          ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
          StringSerializer.class);

  /**
   * What would take an event out of the partition of its entity, or needs transactions, which the
   * publisher does not begin.
   */
  private static final Set<String> REFUSED =
      Set.of(
          ProducerConfig.PARTITIONER_CLASS_CONFIG,
          ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG,
          ProducerConfig.TRANSACTIONAL_ID_CONFIG);

  /** What bounds the time of a call. */
  private static final Set<String> TIMES =
      Set.of(
          ProducerConfig.MAX_BLOCK_MS_CONFIG,
          ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
          ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG);

  /**
   * How long a call may take.
   *
   * @param lookUp how long the brokers of the topic are looked up
   * @param delivery how long the delivery of an event is tried, in which one request may fail
   */
  record Times(Duration lookUp, Duration delivery) {
    static final Times STANDARD = new Times(Duration.ofSeconds(3), Duration.ofSeconds(8));

    /** Returns the time of a call with all its parts. */
    Duration longest() {
      return lookUp.plus(delivery).plusSeconds(1);
    }

    private Map<String, Object> properties() {
      return Map.of(
          ProducerConfig.MAX_BLOCK_MS_CONFIG,
          lookUp.toMillis(),
          ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
          (int) delivery.dividedBy(REQUESTS).toMillis(),
          ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
          (int) delivery.toMillis());
    }
  }

  /**
   * @throws IllegalArgumentException for an address or a property that cannot be used, with a
   *     message for people
   */
  public KafkaTopic {
    properties = Map.copyOf(properties);
    if (!BROKERS.matcher(brokers).matches()) {
      throw new IllegalArgumentException(
          "The brokers of Kafka must be HOST:PORT, separated by commas, not " + brokers);
    }
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "The topic of Kafka must be of letters, digits, '.', '_' and '-', not " + name);
    }
    requireAllowed(properties);
    try {
      var _ = new ProducerConfig(all(brokers, properties, Times.STANDARD));
    } catch (ConfigException e) {
      throw new IllegalArgumentException("Kafka cannot use a property: " + e.getMessage(), e);
    }
  }

  private static void requireAllowed(Map<String, String> properties) {
    var fixed = new TreeSet<>(FIXED.keySet());
    fixed.addAll(REFUSED);
    fixed.addAll(TIMES);
    fixed.add(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG);
    fixed.retainAll(properties.keySet());
    if (!fixed.isEmpty()) {
      throw new IllegalArgumentException("These properties of Kafka cannot be set: " + fixed);
    }
    var unknown = new TreeSet<>(properties.keySet());
    unknown.removeAll(ProducerConfig.configNames());
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException("A producer of Kafka has no properties " + unknown);
    }
    var compression = properties.get(ProducerConfig.COMPRESSION_TYPE_CONFIG);
    if (compression != null && !COMPRESSIONS.contains(compression)) {
      throw new IllegalArgumentException(
          "compression.type must be none or gzip, not " + compression);
    }
  }

  /**
   * Returns the topic of an address.
   *
   * @param address {@code HOST:PORT[,HOST:PORT…][/TOPIC]}
   * @throws IllegalArgumentException if it is none
   */
  public static KafkaTopic at(String address, Map<String, String> properties) {
    int slash = address.indexOf('/');
    return slash < 0
        ? new KafkaTopic(address, DEFAULT_NAME, properties)
        : new KafkaTopic(address.substring(0, slash), address.substring(slash + 1), properties);
  }

  /** Returns all properties of the client. */
  Map<String, Object> all(Times times) {
    return all(brokers, properties, times);
  }

  private static Map<String, Object> all(
      String brokers, Map<String, String> properties, Times times) {
    var all = new HashMap<String, Object>(properties);
    all.putAll(FIXED);
    all.putAll(times.properties());
    all.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, brokers);
    return all;
  }

  /** Returns the address without properties, which may hold a password. */
  @Override
  public String toString() {
    return brokers + "/" + name;
  }
}
