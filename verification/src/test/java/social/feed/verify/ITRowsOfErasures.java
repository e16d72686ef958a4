package social.feed.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.erasure.Erasures;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.TestTable;

/** Rows that handlers write late stay until the sweep of an erasure. */
@ExtendWith(EngineExtension.class)
class ITRowsOfErasures {
  @Test
  void rowsOfAnErasure_areLeftToItsSweep_andAreDriftAfterItsEnd(TestTable table, SeedWorld world) {
    var erased = world.user("erased");
    var other = world.user("other");
    var now = table.clock().instant();
    var own = SamplePosts.of(erased.id(), now, FanOutMode.PUSH);
    var kept = SamplePosts.of(other.id(), now, FanOutMode.PUSH);
    var edge = Follow.imported(erased.id(), other.id(), now.minusSeconds(1));
    table.table().putAll(List.of(own, kept, edge));
    assertThat(lacking(table)).containsExactlyInAnyOrder(own.key(), kept.key(), edge.key());

    var erasures = new Erasures(table.table(), world.users);
    erasures.begin(erased.id(), now);

    assertThat(lacking(table)).containsExactly(kept.key());

    end(erasures, table, erased.id());

    assertThat(drift(table, "erased accounts")).contains(own.key(), edge.key());
    assertThat(lacking(table)).contains(kept.key(), own.key());
  }

  private static void end(Erasures erasures, TestTable table, String id) {
    var now = table.clock().instant();
    for (var at = erasures.of(id).orElseThrow();
        at.step() != ErasureStep.ERASED;
        at = erasures.of(id).orElseThrow()) {
      var next = at.step().isUnderWay() ? at.done() : at.swept(true, now);
      assertThat(erasures.advance(at, next, now)).isTrue();
    }
  }

  private static List<Key> lacking(TestTable table) {
    return drift(table, "complete feeds");
  }

  private static List<Key> drift(TestTable table, String check) {
    var inspection =
        new Inspection(table.table(), table.clock(), Optional.empty(), TrendingTags.HALF_LIFE);
    return inspection.walk(_ -> {}).entrySet().stream()
        .filter(found -> found.getKey().name().equals(check))
        .flatMap(found -> inspection.checkAgain(found.getKey(), found.getValue()))
        .map(Drift::row)
        .toList();
  }
}
