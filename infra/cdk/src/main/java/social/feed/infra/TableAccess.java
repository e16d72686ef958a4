package social.feed.infra;

import java.util.List;
import java.util.Map;
import social.feed.table.kernel.declaration.Index;
import software.amazon.awscdk.services.iam.Effect;
import software.amazon.awscdk.services.iam.PolicyStatement;

/**
 * The rights of a part of the platform: its actions on the table and the indexes that it may query.
 * A test compares both with the calls in the code.
 *
 * @param onTable IAM actions on the table itself
 * @param queried indexes that the part queries
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
              "dynamodb:UpdateItem"),
          List.of(Index.values()));

  static final TableAccess OF_MULTIPLEXER =
      new TableAccess(
          List.of(
              "dynamodb:BatchGetItem",
              "dynamodb:BatchWriteItem",
              "dynamodb:ConditionCheckItem",
              "dynamodb:DeleteItem",
              "dynamodb:GetItem",
              "dynamodb:PutItem",
              "dynamodb:Query",
              "dynamodb:Scan",
              "dynamodb:UpdateItem"),
          List.of(
              Index.POSTS_BY_AUTHOR,
              Index.POSTS_BY_TAG,
              Index.FEED_BY_USER,
              Index.FOLLOWING,
              Index.UNREAD));

  /**
   * Of the function that publishes events: it reads the rows of an event again, with the accounts
   * and what is between them.
   */
  static final TableAccess OF_SINKS =
      new TableAccess(
          List.of("dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:Query"), List.of());

  /**
   * What it may do as well where it calls the webhooks of the table: write their deliveries. Only
   * in the partitions of webhooks.
   */
  static final TableAccess OF_WEBHOOKS = new TableAccess(List.of("dynamodb:PutItem"), List.of());

  private static final String WEBHOOKS = "WEBHOOK#*";

  /**
   * Returns the policy statements for a role.
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

  /** Returns the statement for a part that may use the partitions of webhooks only. */
  PolicyStatement onWebhooks(String table) {
    return PolicyStatement.Builder.create()
        .effect(Effect.ALLOW)
        .actions(onTable)
        .resources(List.of(table))
        .conditions(
            Map.of(
                "ForAllValues:StringLike", Map.of("dynamodb:LeadingKeys", List.of(WEBHOOKS)),
                // Otherwise a request without keys would have all of them.
                "Null", Map.of("dynamodb:LeadingKeys", "false")))
        .build();
  }

  static PolicyStatement allow(List<String> actions, List<String> resources) {
    return PolicyStatement.Builder.create()
        .effect(Effect.ALLOW)
        .actions(actions)
        .resources(resources)
        .build();
  }
}
