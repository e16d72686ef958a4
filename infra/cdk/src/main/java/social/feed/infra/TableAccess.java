package social.feed.infra;

import java.util.List;
import social.feed.table.kernel.declaration.Index;
import software.amazon.awscdk.services.iam.Effect;
import software.amazon.awscdk.services.iam.PolicyStatement;

/**
 * What a part of the platform may do to the table, and which indexes it may query. A test compares
 * both with what its code calls.
 *
 * @param onTable IAM actions on the table itself
 * @param queried the indexes that are queried
 */
record TableAccess(List<String> onTable, List<Index> queried) {

  static final TableAccess OF_API =
      new TableAccess(
          List.of(
              "dynamodb:BatchGetItem",
              "dynamodb:ConditionCheckItem",
              "dynamodb:DeleteItem",
              "dynamodb:DescribeTable",
              "dynamodb:GetItem",
              "dynamodb:PutItem",
              "dynamodb:Query",
              "dynamodb:Scan",
              "dynamodb:UpdateItem"),
          List.of(Index.values()));

  static final TableAccess OF_MULTIPLEXER =
      new TableAccess(
          List.of(
              "dynamodb:BatchGetItem",
              "dynamodb:BatchWriteItem",
              "dynamodb:DeleteItem",
              "dynamodb:GetItem",
              "dynamodb:PutItem",
              "dynamodb:Query",
              "dynamodb:Scan",
              "dynamodb:UpdateItem"),
          List.of(Index.POSTS_BY_AUTHOR, Index.FEED_BY_USER, Index.FOLLOWING));

  /**
   * What a role is given.
   *
   * @param table the ARN of the table
   */
  List<PolicyStatement> statements(String table) {
    return List.of(
        allow(onTable, List.of(table)),
        allow(
            List.of("dynamodb:Query"),
            queried.stream().map(index -> table + "/index/" + index.indexName()).toList()));
  }

  static PolicyStatement allow(List<String> actions, List<String> resources) {
    return PolicyStatement.Builder.create()
        .effect(Effect.ALLOW)
        .actions(actions)
        .resources(resources)
        .build();
  }
}
