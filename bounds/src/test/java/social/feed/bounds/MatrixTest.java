package social.feed.bounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MatrixTest {
  private static final KnownGrowth NONE = KnownGrowth.parse("# nothing");

  private static Matrix with(Work small, Work large) {
    var matrix = Matrix.empty();
    matrix.addSmall("read", small);
    matrix.addLarge("read", Knob.CELEBRITIES, large);
    return matrix;
  }

  private static KnownGrowth listed(String read) {
    return KnownGrowth.parse("read | CELEBRITIES | - | " + read + " | - | - | must be bounded");
  }

  @Test
  void growth_thatIsNotListed_isADifference() {
    var matrix = with(new Work(1, 1, 0), new Work(1, 601, 0));

    assertThat(matrix.differences(NONE))
        .containsExactly(
            "grows, and is not listed: read | CELEBRITIES | - | 2*n | - | - | must be bounded");
    assertThat(matrix.differences(listed("2*n"))).isEmpty();
  }

  @Test
  void costThatStays_andRounding_areNoDifference() {
    assertThat(with(new Work(1, 1, 1), new Work(2, 2, 1)).differences(NONE)).isEmpty();
    assertThat(with(new Work(9, 9, 9), new Work(1, 1, 1)).differences(NONE)).isEmpty();
  }

  @Test
  void oneMessageMore_isADifference() {
    var matrix = with(new Work(1, 1, 0, 1), new Work(1, 1, 0, 2));

    assertThat(matrix.differences(NONE))
        .containsExactly(
            "grows, and is not listed: read | CELEBRITIES | - | - | - | n/300 | must be bounded");
  }

  @Test
  void growth_ofAnotherFormula_isADifference() {
    var matrix = with(new Work(1, 1, 0), new Work(1, 601, 0));

    assertThat(matrix.differences(listed("n"))).singleElement().asString().contains("600", "300");
    assertThat(matrix.differences(listed("3*n"))).hasSize(1);
  }

  /** 300 celebrities: six more units than 1.6 times the formula. */
  @Test
  void growth_thatExceedsAFormula_isAnExcess() {
    var matrix = with(new Work(1, 1, 0), new Work(1, 601, 0));

    assertThat(matrix.excesses(NONE)).singleElement().asString().contains("is not listed");
    assertThat(matrix.excesses(listed("n"))).singleElement().asString().contains("600", "300");
    assertThat(matrix.excesses(listed("1.2*n"))).hasSize(1);
    assertThat(matrix.excesses(listed("1.3*n"))).isEmpty();
    assertThat(matrix.excesses(listed("3*n"))).isEmpty();
  }

  @Test
  void listedCell_thatNoLongerGrows_isADifference() {
    var matrix = with(new Work(1, 1, 0), new Work(1, 1, 0));

    assertThat(matrix.differences(listed("2*n")))
        .containsExactly("no longer grows in READ: read | CELEBRITIES");
  }

  @Test
  void listedOperation_thatDoesNotExist_isADifference() {
    assertThat(Matrix.empty().differences(listed("2*n")))
        .containsExactly("listed, but is no operation: read");
  }

  @Test
  void knownGrowth_withoutPacingOrTwice_isRefused() {
    var line = "read | CELEBRITIES | - | n | - | - | charged";
    assertThatThrownBy(() -> KnownGrowth.parse("read | CELEBRITIES | - | n | - | - | "))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> KnownGrowth.parse(line + "\n" + line))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> KnownGrowth.parse("read | CELEBRITIES | n"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void formula_computesGrowth() {
    assertThat(new Formula("-").between(0, 300)).isZero();
    assertThat(new Formula("2*n").between(10, 300)).isEqualTo(580);
    assertThat(new Formula("n/50 + 3").between(0, 300)).isEqualTo(6);
    assertThat(new Formula("min(n, 100)*2").between(0, 300)).isEqualTo(200);
    assertThat(new Formula("max(1, (n - 10)/2)").between(0, 300)).isEqualTo(144);
    assertThatThrownBy(() -> new Formula("2*m").between(0, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Formula("2 n").between(0, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** A command is measured, or the page says why it is not. */
  @Test
  void commands_areThoseOfTheCommandLine() {
    var measured = Commands.operations();
    var known = measured.stream().map(Commands::commandOf).collect(Collectors.toSet());

    assertThat(known).doesNotContainAnyElementsOf(Commands.omitted().keySet());
    known.addAll(Commands.omitted().keySet());
    assertThat(new TreeSet<>(known)).isEqualTo(Commands.declared());

    var matrix = Matrix.empty();
    measured.forEach(operation -> matrix.addSmall(operation.name(), Work.NONE));
    var page = BoundsPage.render(matrix, NONE, Commands.omitted());
    assertThat(Commands.declared()).allMatch(name -> page.contains("| `" + name), "is in the page");
  }
}
