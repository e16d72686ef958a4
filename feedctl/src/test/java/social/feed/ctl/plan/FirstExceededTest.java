package social.feed.ctl.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The order of limits follows from what is needed, not from the order in which they are listed. */
class FirstExceededTest {
  @Test
  void limits_areInTheOrderInWhichTheyAreExceeded() {
    var section =
        FirstExceeded.of(
            users ->
                List.of(
                    new Limit("late", users, 5_000_000),
                    new Limit("never", users, 1e11),
                    new Limit("early", 2.0 * users, 1_000_000)));

    assertThat(section.rows())
        .containsExactly(
            List.of(490_000.0, "early", 1_000_000.0), List.of(4_900_000.0, "late", 5_000_000.0));
  }

  @Test
  void viralPost_isReadByEachServerAtMostAsOftenAsItEverReadsAPost() {
    var daily = new PlanInputs.Daily(10, 3, 1, 10, 2, 1, 0, 3, 2, 1, 10, 2, 1);
    var few =
        views(
            new PlanInputs(
                1_000_000, 1_000_000, 200_000, 200, 2.276, 0.1, daily, 1, 3, 100_000, 12, 36, 500));
    var rare = new PlanInputs.Daily(0.01, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    var many =
        views(
            new PlanInputs(
                100_000_000,
                100_000_000,
                20_000_000,
                200,
                2.276,
                0.1,
                rare,
                1,
                3,
                100_000,
                12,
                36,
                500));

    assertThat(few.needed()).isEqualTo(200_000 / 3_600.0);
    // Of three servers.
    assertThat(many.needed()).isEqualTo(3 * 175);
  }

  private static Limit views(PlanInputs inputs) {
    return new HotKeys(new PlannedLoad(inputs))
        .limits().stream()
            .filter(limit -> limit.name().startsWith("views of a viral post"))
            .findFirst()
            .orElseThrow();
  }
}
