package social.feed.local.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import social.feed.local.page.Writes.Kind;
import social.feed.local.page.Writes.Write;
import social.feed.table.row.Key;

class ExpectedWritesTest {
  private static final Key KEY = new Key("P", "S");

  private final ExpectedWrites expected = new ExpectedWrites();
  private final List<Trace> traces = List.of(new Trace("request", "POST", "/v1/posts", 0));

  private List<Trace> take(double now) {
    return expected.take(KEY, "MODIFY", OptionalInt.empty(), now);
  }

  @Test
  void writeThatTheStreamDoesNotShow_isNotTheCauseOfAMuchLaterRecord() {
    var write = new Write(Kind.UPDATE, KEY, 0);
    expected.add(write, traces, 0);
    assertThat(take(30_000)).isEqualTo(traces);

    expected.add(write, traces, 0);
    assertThat(take(30_001)).isEmpty();
    assertThat(expected.size()).isZero();
    assertThat(expected.contains(KEY)).isFalse();
  }
}
