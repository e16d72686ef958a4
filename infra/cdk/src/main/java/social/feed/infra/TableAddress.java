package social.feed.infra;

import software.amazon.awscdk.ArnComponents;
import software.amazon.awscdk.Stack;
import software.constructs.Construct;

/**
 * The name and the stream of the table that the platform uses.
 *
 * @param name name of the table
 * @param stream ARN of its stream
 */
record TableAddress(String name, String stream) {
  /** Publishes both as parameters for the stacks that are deployed later. */
  void publish(Construct scope, Stage stage) {
    SsmParameter.TABLE_NAME.publish(scope, stage, name);
    SsmParameter.TABLE_STREAM.publish(scope, stage, stream);
  }

  /** Returns the ARN of a table with this name, in the account and region of a scope. */
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
