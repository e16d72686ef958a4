package social.feed.infra;

import software.amazon.awscdk.Stack;
import software.amazon.awscdk.StackProps;
import software.amazon.awscdk.services.dynamodb.CfnTable;
import software.constructs.Construct;

/** What must outlive every deployment: the table. */
final class DataStack extends Stack {
  private final CfnTable table;

  DataStack(Construct scope, String id, StackProps props, Stage stage) {
    super(scope, id, props);
    this.table = TableResource.in(this, stage);
  }

  CfnTable table() {
    return table;
  }
}
