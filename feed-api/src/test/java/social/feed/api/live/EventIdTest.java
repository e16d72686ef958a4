package social.feed.api.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.edge.problem.ProblemException;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.row.Keys;

class EventIdTest {
  private static final Instant TIME = Instant.parse("2026-11-20T09:15:00.500Z");
  private static final Instant NOW = TIME.plusSeconds(30);
  private static final String POST = TimeOrderedId.named(TIME, "post");
  private static final String OTHER = TimeOrderedId.named(TIME.plusMillis(1), "other");

  @Test
  void text_parsed_isTheSame() {
    ClientProgress progress =
        ClientProgress.from(EventCursor.at(TIME.minusSeconds(60)))
            .with(EventCursor.of(OTHER))
            .with(EventCursor.of(POST));
    EventId id = new EventId(Keys.feedSort(TIME, 3, POST), progress);

    assertThat(id.text()).startsWith("2026-11-20T09:15:00.500Z#3#POST#" + POST + "~");
    assertThat(EventId.parse(id.text(), NOW)).isEqualTo(id);
  }

  @Test
  void sortKeyAlone_meansEverythingUpToIt() {
    String pulled = Keys.timed(TIME, Keys.post(POST));
    for (String key : List.of(Keys.feedSort(TIME, 0, POST), pulled, Keys.unreadSort(TIME, POST))) {
      ClientProgress progress = EventId.parse(key, NOW).progress();

      assertThat(progress).isEqualTo(ClientProgress.from(EventCursor.of(POST)));
      assertThat(progress.lacks(EventCursor.of(POST))).isFalse();
      assertThat(progress.lacks(EventCursor.of(OTHER))).isTrue();
    }
    assertThat(EventId.parse(Keys.at(TIME), NOW).progress().lacks(EventCursor.of(POST))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "~",
        "2026-11-20",
        "2026-11-20T09:15:00Z",
        "2026-13-20T09:15:00.500Z",
        "2026-11-20T09:15:00.500Z~",
        "2026-11-20T09:15:00.500Z~x",
        "2026-11-20T09:15:00.500Z~0123456789ABCDE",
        "2026-11-20T09:15:00.500Z~0123456789ABCDEFG",
        "2026-11-20T09:15:00.500Z~0123456789abcdef",
        "2026-11-20T09:15:00.500Z~~0123456789ABCDEF",
        "2026-11-20T09:15:00.500Z#x",
        "2026-11-20T09:15:00.500Z#0#POST#01",
        "2026-11-20T09:17:00.500Z",
        "9999-11-20T09:15:00.500Z",
        "0000-01-01T00:00:00.000Z",
        "../../etc/passwd"
      })
  void text_ofNoEvent_isMalformed(String text) {
    assertThatExceptionOfType(ProblemException.class).isThrownBy(() -> EventId.parse(text, NOW));
  }

  @Test
  void text_thatIsTooLong_isMalformed() {
    String marks = "01M7Y70EV0DYSJ67".repeat(100);

    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(() -> EventId.parse(Keys.at(TIME) + "~" + marks, NOW));
  }
}
