package social.feed.table.post;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.PostRef;
import social.feed.table.row.Visibility;

class RecentDeliveriesTest {
  private static final Instant START = Instant.parse("2026-11-20T09:15:00Z");

  @Test
  void merge_ordersByTimeAndId() {
    var merged =
        merge(
            List.of(post("f", 6), post("d", 4), post("a", 1)),
            Stream.of(post("e", 5), post("c", 4), post("b", 2)));

    assertThat(merged).extracting(PostRef::postId).containsExactly("f", "e", "d", "c", "b", "a");
  }

  @Test
  void merge_leavesOutWhatIsKnown_alsoWhereItIsNotInTheFirstList() {
    var merged =
        RecentDeliveries.merge(
            List.of(post("c", 3)).iterator(),
            Set.of("c", "b"),
            Stream.of(post("c", 3), post("b", 2), post("a", 1)));

    assertThat(merged).extracting(PostRef::postId).containsExactly("c", "a");
  }

  @Test
  void merge_withoutOneSide_isTheOther() {
    assertThat(merge(List.of(), Stream.of(post("a", 1)))).hasSize(1);
    assertThat(merge(List.of(post("a", 1)), Stream.of())).hasSize(1);
    assertThat(merge(List.of(), Stream.of())).isEmpty();
  }

  @Test
  void merge_readsBothListsOnlyAsFarAsTheyAreConsumed() {
    var read = new ArrayList<String>();
    var recent = Stream.of(post("d", 4), post("x", 0)).peek(ref -> read.add(ref.postId()));
    var listed =
        Stream.of(post("c", 3), post("b", 2), post("a", 1)).peek(ref -> read.add(ref.postId()));

    var first = RecentDeliveries.merge(recent.iterator(), Set.of(), listed).limit(1).toList();

    assertThat(first).extracting(PostRef::postId).containsExactly("d");
    assertThat(read).containsExactly("d", "c");
  }

  private static Stream<PostRef> merge(List<PostRef> recent, Stream<PostRef> listed) {
    return RecentDeliveries.merge(recent.iterator(), Set.of(), listed);
  }

  private static PostRef post(String id, int second) {
    return new PostRef(id, "ann", START.plusSeconds(second), Visibility.PUBLIC, 4, FanOutMode.PUSH);
  }
}
