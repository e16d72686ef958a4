package social.feed.table.kernel.store;

import static org.assertj.core.api.Assertions.assertThat;
import static social.feed.table.kernel.store.Condition.absent;
import static social.feed.table.kernel.store.Condition.equal;
import static social.feed.table.kernel.store.Condition.none;

import org.junit.jupiter.api.Test;

class ConditionTest {
  @Test
  void and_afterOr_bindsBothAlternatives() {
    assertThat(expression(absent().or(equal("a", 1)).and(equal("b", 2))))
        .isEqualTo("(attribute_not_exists(PK) OR #a = :if_a) AND #b = :if_b");
  }

  @Test
  void none_inACombination_addsNothing() {
    assertThat(expression(none().and(absent()))).isEqualTo(expression(absent()));
    assertThat(expression(absent().and(none()))).isEqualTo(expression(absent()));
    assertThat(none().or(absent())).isSameAs(none());
  }

  private static String expression(Condition condition) {
    return String.valueOf(condition.text());
  }
}
