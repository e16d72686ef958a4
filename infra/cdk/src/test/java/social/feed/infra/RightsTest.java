package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import social.feed.streams.event.EventContent;
import social.feed.streams.lambda.SinkFunction;
import social.feed.table.row.Webhook;
import social.feed.table.row.WebhookDeliveries;

/** Tests that each role has the rights that its code uses, and no others. */
class RightsTest {
  @Test
  void rightsOfTheApi_equalTheCallsOfItsCode() {
    var code = ReachableCalls.of("social.feed.api");

    assertThat(TableAccess.OF_API.onTable()).containsExactlyElementsOf(code.actions());
    assertThat(TableAccess.OF_API.queried()).containsExactlyElementsOf(code.indexes());
  }

  @Test
  void rightsOfTheMultiplexer_equalTheCallsOfItsCode() {
    var code = ReachableCalls.of("social.feed.streams");

    assertThat(TableAccess.OF_MULTIPLEXER.onTable()).containsExactlyElementsOf(code.actions());
    assertThat(TableAccess.OF_MULTIPLEXER.queried()).containsExactlyElementsOf(code.indexes());
  }

  /** S3 calls the right to list by the bucket, and the others by the object. */
  @Test
  void rightsOnMedia_equalTheCallsOfTheCode() {
    assertThat(ReachableCalls.of("social.feed.api").actionsOnMedia())
        .containsExactlyInAnyOrderElementsOf(withList(MediaAccess.OF_API));
    assertThat(ReachableCalls.of("social.feed.streams").actionsOnMedia())
        .containsExactlyInAnyOrderElementsOf(withList(MediaAccess.OF_MULTIPLEXER));
  }

  private static List<String> withList(MediaAccess access) {
    return Stream.concat(access.onObjects().stream(), Stream.of(MediaAccess.ON_BUCKET)).toList();
  }

  /**
   * A publisher reads rows again, in all partitions. Webhooks are read and get their deliveries.
   */
  @Test
  void rightsOfTheSinks_equalTheCallsOfTheirCode() {
    var code = ReachableCalls.of(SinkFunction.class);

    assertThat(Stream.of(TableAccess.OF_SINKS, TableAccess.OF_WEBHOOKS))
        .flatExtracting(TableAccess::onTable)
        .containsExactlyInAnyOrderElementsOf(code.actions());
    assertThat(TableAccess.OF_SINKS.queried()).containsExactlyElementsOf(code.indexes());
    assertThat(TableAccess.OF_SINKS.onTable())
        .containsAll(ReachableCalls.of(EventContent.class).actions());
  }

  /** A pattern that matches no key would take the right away. */
  @Test
  void rightsOnWebhooks_areOfTheirPartitions() {
    var prefix =
        TableAccess.OF_WEBHOOKS
            .onWebhooks("arn")
            .toStatementJson()
            .toString()
            .replaceFirst(".*LeadingKeys=\\[(\\w+#)\\*].*", "$1");

    assertThat(Webhook.key("x").partition()).isEqualTo(prefix + "x");
    assertThat(WebhookDeliveries.key("x").partition()).isEqualTo(prefix + "x");
  }

  /** The search finds a call in a package that has no role. */
  @Test
  void scanOfTheWholeTable_isFound() {
    assertThat(ReachableCalls.of("social.feed.table.kernel.store").actions())
        .contains("dynamodb:Scan");
  }
}
