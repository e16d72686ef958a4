package social.feed.infra;

import java.util.Locale;
import software.amazon.awscdk.services.ssm.StringParameter;
import software.constructs.Construct;

/**
 * A value that one stack passes to later stacks by a parameter of Systems Manager. A CloudFormation
 * export cannot change while another stack imports it. Each of these values changes when its
 * resource is replaced, and the stack of the resource is deployed first. The other stacks read the
 * parameter at their next deployment.
 */
enum SsmParameter {
  /** Name of the table that the platform uses. */
  TABLE_NAME,

  /** ARN of its stream. */
  TABLE_STREAM,

  /** Name of the bucket of media, where there is one. */
  MEDIA_BUCKET,

  /** Domain name of the distribution in front of that bucket, where there is one. */
  MEDIA_DISTRIBUTION,

  /** Id of the public key of the addresses of that distribution. */
  MEDIA_KEY,

  /** Id of the event source mapping of the counts lane. */
  COUNTS_MAPPING,

  /** Id of the event source mapping of the effects lane. */
  EFFECTS_MAPPING,

  /** ARN of the queue of events for other systems, where any are published. */
  SINKS_QUEUE,

  /** Name of the bus, where it gets events for other systems. */
  SINKS_BUS,

  /** Name of the function that publishes events, where any are published. */
  SINKS_FUNCTION,

  /** Address of the server of the search index, where there is one. */
  SEARCH_URL,

  /** Name of the load balancer, as a dimension of its metrics. */
  BALANCER,

  /** Name of the balancer's target group, as a dimension of its metrics. */
  TARGET_GROUP,

  /** Name of the cluster of the API's tasks. */
  CLUSTER,

  /** Name of the service of the API's tasks. */
  SERVICE,

  /** Name of the API's function. */
  API_FUNCTION;

  /** Returns the name of the parameter, such as {@code /feed/prod/table-name}. */
  String parameter(Stage stage) {
    return "/feed/%s/%s"
        .formatted(stage.label(), name().toLowerCase(Locale.ROOT).replace('_', '-'));
  }

  /**
   * Creates the parameter with this value, in the stack of a scope. The construct id must not
   * change.
   */
  void publish(Construct scope, Stage stage, String value) {
    StringParameter.Builder.create(scope, "Told-" + name())
        .parameterName(parameter(stage))
        .stringValue(value)
        .build();
  }

  /** Returns the value of the parameter at the time when the stack of a scope is deployed. */
  String in(Construct scope, Stage stage) {
    return StringParameter.valueForStringParameter(scope, parameter(stage));
  }
}
