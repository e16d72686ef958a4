package social.feed.infra;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import social.feed.event.EventType;
import software.amazon.awscdk.ArnComponents;
import software.amazon.awscdk.Fn;
import software.amazon.awscdk.Stack;

/**
 * Where events for other systems are published, whether the webhooks of the table are called, and
 * whether there is a search index. The stacks create the bus and the index, and no brokers. A
 * template holds the address of brokers, so user and password are in a secret.
 *
 * @param hasEventBridge whether the bus of the data stack gets all public events
 * @param brokers {@code HOST:PORT} of brokers of Kafka, separated by commas
 * @param topic the topic of Kafka; the function's default without
 * @param secret ARN of a secret with properties of Kafka's client
 * @param privateEvents types of events that bus and brokers get although they are not public,
 *     separated by commas
 * @param hasWebhooks whether operators manage webhooks, which are called
 * @param search where posts and accounts are searched
 */
record SinkInputs(
    boolean hasEventBridge,
    Optional<String> brokers,
    Optional<String> topic,
    Optional<String> secret,
    Optional<String> privateEvents,
    boolean hasWebhooks,
    SearchInputs search) {
  static final String EVENTS = "events";
  static final String KAFKA_BOOTSTRAP = "kafkaBootstrap";
  static final String KAFKA_TOPIC = "kafkaTopic";
  static final String KAFKA_SECRET = "kafkaSecret";
  static final String PRIVATE_EVENTS = "privateEvents";
  static final String WEBHOOKS = "webhooks";

  /** Publishes nothing. */
  static final String NONE = "none";

  static final String EVENTBRIDGE = "eventbridge";

  /** Calls the webhooks of the table. */
  static final String TABLE = "table";

  private static final int NAME_IN_ARN = 5;

  private static final Pattern BROKERS =
      Pattern.compile("[A-Za-z0-9.-]+:\\d{2,5}(,[A-Za-z0-9.-]+:\\d{2,5})*");
  private static final Pattern TOPIC = Pattern.compile("[A-Za-z0-9._-]{1,249}");
  private static final Pattern SECRET =
      Pattern.compile("arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\\d{12}:secret:[\\w/+=.@-]+");

  SinkInputs {
    require(KAFKA_BOOTSTRAP, brokers, BROKERS, "HOST:PORT, separated by commas");
    require(KAFKA_TOPIC, topic, TOPIC, "the name of a topic");
    require(KAFKA_SECRET, secret, SECRET, "the ARN of a secret");
    if (brokers.isEmpty() && (topic.isPresent() || secret.isPresent())) {
      throw new MissingInputException(
          "%s and %s need %s".formatted(KAFKA_TOPIC, KAFKA_SECRET, KAFKA_BOOTSTRAP));
    }
    privateEvents.ifPresent(types -> requireSink(types, hasEventBridge || brokers.isPresent()));
  }

  private static void require(String name, Optional<String> value, Pattern form, String meaning) {
    if (value.isPresent() && !form.matcher(value.get()).matches()) {
      throw new MissingInputException("%s must be %s".formatted(name, meaning));
    }
  }

  /** Webhooks name the types that they want. */
  private static void requireSink(String types, boolean hasSink) {
    try {
      var _ = EventType.notPublic(List.of(types.split(",", -1)));
    } catch (IllegalArgumentException e) {
      throw new MissingInputException("%s: %s".formatted(PRIVATE_EVENTS, e.getMessage()));
    }
    if (!hasSink) {
      throw new MissingInputException(
          "%s needs %s or %s".formatted(PRIVATE_EVENTS, EVENTS, KAFKA_BOOTSTRAP));
    }
  }

  /**
   * Returns the inputs in the context of an app.
   *
   * @throws MissingInputException if one of them has no possible value
   */
  static SinkInputs of(InputContext context) {
    return new SinkInputs(
        isOn(context, EVENTS, EVENTBRIDGE),
        context.optional(KAFKA_BOOTSTRAP),
        context.optional(KAFKA_TOPIC),
        context.optional(KAFKA_SECRET),
        context.optional(PRIVATE_EVENTS),
        isOn(context, WEBHOOKS, TABLE),
        SearchInputs.of(context));
  }

  private static boolean isOn(InputContext context, String name, String on) {
    String value = context.value(name, NONE);
    if (!value.equals(NONE) && !value.equals(on)) {
      throw new MissingInputException(
          "%s must be %s or %s, not %s".formatted(name, NONE, on, value));
    }
    return value.equals(on);
  }

  /** Returns whether anything gets events. */
  boolean areOn() {
    return hasEventBridge || brokers.isPresent() || hasWebhooks || search.isOn();
  }

  /**
   * Returns the variables of the functions; none where nothing gets events.
   *
   * @param stack the stack of the functions
   */
  Map<String, String> variables(Stack stack, Stage stage) {
    var variables = new TreeMap<String, String>();
    if (areOn()) {
      variables.put(
          "FEED_SINKS_QUEUE_URL",
          "https://sqs.%s.%s/%s/%s"
              .formatted(
                  stack.getRegion(),
                  stack.getUrlSuffix(),
                  stack.getAccount(),
                  queueName(stack, stage)));
    }
    if (hasEventBridge) {
      variables.put("FEED_SINKS_EVENT_BUS", SsmParameter.SINKS_BUS.in(stack, stage));
    }
    brokers.ifPresent(address -> variables.put("FEED_SINKS_KAFKA_BROKERS", address));
    topic.ifPresent(name -> variables.put("FEED_SINKS_KAFKA_TOPIC", name));
    secret.ifPresent(arn -> variables.put("FEED_SINKS_KAFKA_SECRET_ARN", arn));
    privateEvents.ifPresent(types -> variables.put("FEED_SINKS_PRIVATE_EVENTS", types));
    if (hasWebhooks) {
      variables.put("FEED_SINKS_WEBHOOKS", "true");
    }
    return variables;
  }

  /** Returns the variables of the API; none where no webhooks are called. */
  Map<String, String> ofApi() {
    return hasWebhooks ? Map.of("FEED_WEBHOOKS_ENABLED", "true") : Map.of();
  }

  /** Returns the ARN of the queue, for a stack that is deployed after that of the data. */
  static String queueArn(Stack stack, Stage stage) {
    return SsmParameter.SINKS_QUEUE.in(stack, stage);
  }

  /** Returns the name of the queue, the last part of its ARN. */
  static String queueName(Stack stack, Stage stage) {
    return Fn.select(NAME_IN_ARN, Fn.split(":", queueArn(stack, stage)));
  }

  /** Returns the ARN of the bus, for a stack that is deployed after that of the data. */
  static String busArn(Stack stack, Stage stage) {
    return stack.formatArn(
        ArnComponents.builder()
            .service("events")
            .resource("event-bus")
            .resourceName(SsmParameter.SINKS_BUS.in(stack, stage))
            .build());
  }
}
