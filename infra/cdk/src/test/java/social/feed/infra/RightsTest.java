package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import social.feed.streams.lambda.SinkFunction;

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

  /** A publisher reads the row again, and writes nothing. */
  @Test
  void rightsOfTheSinks_equalTheCallsOfTheirCode() {
    var code = ReachableCalls.of(SinkFunction.class);

    assertThat(TableAccess.OF_SINKS.onTable()).containsExactlyElementsOf(code.actions());
    assertThat(TableAccess.OF_SINKS.queried()).containsExactlyElementsOf(code.indexes());
  }

  /** The search finds a call in a package that has no role. */
  @Test
  void scanOfTheWholeTable_isFound() {
    assertThat(ReachableCalls.of("social.feed.table.kernel.store").actions())
        .contains("dynamodb:Scan");
  }
}
