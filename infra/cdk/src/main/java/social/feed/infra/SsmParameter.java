package social.feed.infra;

import java.util.Locale;
import software.amazon.awscdk.services.ssm.StringParameter;
import software.constructs.Construct;

/**
 * A value that one stack passes to later stacks by a parameter of Systems Manager. An export could
 * not be changed while another stack imports it, and each of these changes when what it names is
 * replaced: the stack that makes it has to go first. The others follow when they are deployed,
 * since parameters are read at each deployment.
 */
enum SsmParameter {
  /** Name of the table that the platform works on. */
  TABLE_NAME,

  /** ARN of its stream. */
  TABLE_STREAM,

  /** The event source mapping of the lane that counts. */
  COUNTS_MAPPING,

  /** That of the lane of all other effects. */
  EFFECTS_MAPPING;

  /** Such as {@code /feed/prod/table-name}. */
  String parameter(Stage stage) {
    return "/feed/%s/%s"
        .formatted(stage.label(), name().toLowerCase(Locale.ROOT).replace('_', '-'));
  }

  /** Says it, in the stack of a scope. */
  void publish(Construct scope, Stage stage, String value) {
    StringParameter.Builder.create(scope, "Told-" + name())
        .parameterName(parameter(stage))
        .stringValue(value)
        .build();
  }

  /** What was said when the stack of a scope is deployed. */
  String in(Construct scope, Stage stage) {
    return StringParameter.valueForStringParameter(scope, parameter(stage));
  }
}
