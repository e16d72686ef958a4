package social.feed.infra;

import software.amazon.awscdk.ArnComponents;
import software.amazon.awscdk.Stack;
import software.constructs.Construct;

/**
 * Which table the platform works on.
 *
 * @param name its name
 * @param stream ARN of its stream
 */
record TableAddress(String name, String stream) {
  /** Publishes name and stream for the stacks after this one. */
  void publish(Construct scope, Stage stage) {
    SsmParameter.TABLE_NAME.publish(scope, stage, name);
    SsmParameter.TABLE_STREAM.publish(scope, stage, stream);
  }

  /** The ARN of a table of this name in the account and region of a scope. */
  static String arn(Construct scope, String name) {
    return Stack.of(scope)
        .formatArn(
            ArnComponents.builder()
                .service("dynamodb")
                .resource("table")
                .resourceName(name)
                .build());
  }
}
