package social.feed.table.suspicion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OpeningSketchTest {
  private static final List<String> TARGETS =
      IntStream.range(0, 30).mapToObj(i -> "target" + i).toList();

  @Test
  void sketch_ofTheSameOrder_isTheSame() {
    assertThat(OpeningSketch.of(TARGETS))
        .isEqualTo(OpeningSketch.of(new ArrayList<>(TARGETS)))
        .hasSize(OpeningSketch.HASHES)
        .isSorted();
  }

  @Test
  void sketch_ofAnotherOrder_sharesNothing() {
    var other = new ArrayList<>(TARGETS);
    Collections.reverse(other);

    assertThat(shared(TARGETS, other)).isZero();
  }

  @Test
  void sketch_withOneOfItsOwn_sharesEnough() {
    var other = new ArrayList<>(TARGETS);
    other.add(20, "own");

    assertThat(shared(TARGETS, other)).isGreaterThanOrEqualTo(OpeningSketch.SHARED);
  }

  @Test
  void sketch_leavesOutTheFirstTenAndAllBehindThirty() {
    var random = new Random(7);
    var one = new ArrayList<>(TARGETS);
    Collections.shuffle(one.subList(10, 30), random);
    var more = new ArrayList<>(TARGETS);
    more.add("later");

    assertThat(shared(TARGETS, one)).as("the same suggestions first").isZero();
    assertThat(OpeningSketch.of(more)).isEqualTo(OpeningSketch.of(TARGETS));
    assertThat(OpeningSketch.of(TARGETS.subList(0, 13))).isEmpty();
  }

  private static long shared(List<String> one, List<String> other) {
    var hashes = new HashSet<>(OpeningSketch.of(one));
    hashes.retainAll(OpeningSketch.of(other));
    return hashes.size();
  }
}
