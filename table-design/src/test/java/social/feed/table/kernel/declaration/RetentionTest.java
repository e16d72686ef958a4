package social.feed.table.kernel.declaration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import social.feed.table.kernel.declaration.Retention.Relation;

class RetentionTest {
  private static final Duration DAY = Duration.ofDays(1);

  /** Bounds of the services themselves, and sums of such bounds. */
  private static final Set<String> GIVEN =
      Set.of("STREAM", "DEAD_LETTERS", "LATEST_DELIVERY", "LATEST_EFFECT", "IDEMPOTENCY_RECORDS");

  @Test
  void eachDuration_thatWeChoose_isUnderARelation() {
    var chosen =
        Arrays.stream(Retention.class.getFields())
            .map(Field::getName)
            .filter(name -> !GIVEN.contains(name))
            .collect(Collectors.toSet());

    assertThat(Retention.RELATIONS.stream().map(Relation::name).collect(Collectors.toSet()))
        .isEqualTo(chosen);
  }

  /** The documents and the problems of the API name these. */
  @Test
  void durations_thatDocumentsName_areThese() {
    assertThat(Retention.IDEMPOTENCY_RECORDS).isEqualTo(DAY);
    assertThat(Retention.FINISHED_ERASURES).isEqualTo(DAY.multipliedBy(30));
    assertThat(Retention.PROCESSED_EVENTS).isEqualTo(DAY.multipliedBy(30));
  }

  @Test
  void relation_thatHolds_returnsItself() {
    var day = new Relation("DAY", DAY);

    assertThat(day.isLongerThan("B", DAY.minusSeconds(1), "or")).isEqualTo(day);
    assertThat(day.isAtLeast("B", DAY, "or")).isEqualTo(day);
    assertThat(day.isShorterThan("B", DAY.plusSeconds(1), "or")).isEqualTo(day);
  }

  @Test
  void relation_thatIsBroken_namesBothAndTheConsequence() {
    var day = new Relation("PROCESSED_EVENTS", DAY);

    assertThatThrownBy(() -> day.isLongerThan("LATEST_EFFECT", DAY, "or a count repeats"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Retention.PROCESSED_EVENTS (PT24H) must be longer than LATEST_EFFECT (PT24H),"
                + " or a count repeats");
    assertThatThrownBy(() -> day.isAtLeast("B", DAY.plusSeconds(1), "or"))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> day.isShorterThan("B", DAY, "or"))
        .isInstanceOf(IllegalStateException.class);
  }
}
