package social.feed.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static social.feed.search.SearchIndexContract.post;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a rebuild reads of an index, and writes over what it read. */
interface IndexRebuildContract extends OpenIndex {
  @Test
  default void states_areThoseOfTheLastWrites() throws IOException {
    var kept = post("p1", "a", "text");
    index().putPost(kept, "1");
    index().putPost(post("p2", "a", "text"), "1");
    index().deletePost("p2", "2");
    index().putAccount(new IndexedAccount("p1", "ada", "Ada"), "7");

    assertThat(index().states(EntryKind.POST, List.of("p1", "p2", "p3")))
        .containsExactlyInAnyOrder(
            new IndexState(EntryKind.POST, "p1", "1", kept.fingerprint()),
            new IndexState(EntryKind.POST, "p2", "2", IndexState.DELETED));
    index().putPost(post("p1", "a", "other text"), "2");
    assertThat(index().states(EntryKind.POST, List.of("p1")))
        .singleElement()
        .satisfies(
            state -> {
              assertThat(state.version()).isEqualTo("2");
              assertThat(state.fingerprint()).isNotEqualTo(kept.fingerprint());
            });
    assertThat(index().states(EntryKind.POST, List.of())).isEmpty();
  }

  @Test
  default void statesInPages_areAllEntriesOfTheKind() throws IOException {
    for (int i = 0; i < 25; i++) {
      put("p%02d".formatted(i), "text");
    }
    index().deletePost("p07", "2");
    index().putAccount(new IndexedAccount("p00x", "ada", "Ada"), "1");
    for (int size : List.of(1, 5, 24, 100)) {
      var ids = new ArrayList<String>();
      var after = "";
      while (true) {
        var page = index().statesAfter(EntryKind.POST, after, size);
        page.forEach(state -> ids.add(state.id()));
        if (page.size() < size) {
          break;
        }
        after = page.getLast().id();
      }
      assertThat(ids).hasSize(24).doesNotContain("p07").isSorted().doesNotHaveDuplicates();
    }
    assertThat(index().statesAfter(EntryKind.ACCOUNT, "", 10))
        .extracting(IndexState::id)
        .containsExactly("p00x");
  }

  @Test
  default void statesOfAnAuthor_inPages_areAllItsPosts() throws IOException {
    for (int i = 0; i < 25; i++) {
      index().putPost(post("p%02d".formatted(i), i % 5 == 4 ? "b" : "a", "text"), "" + i);
    }
    index().deletePost("p07", "99");
    index().putAccount(new IndexedAccount("a", "ada", "Ada"), "1");
    index().refresh();

    for (int size : List.of(1, 5, 19, 100)) {
      var ids = new ArrayList<String>();
      var after = "";
      while (true) {
        var page = index().statesOf("a", after, size);
        page.forEach(state -> ids.add(state.id()));
        if (page.size() < size) {
          break;
        }
        after = page.getLast().id();
      }
      assertThat(ids).hasSize(19).doesNotContain("p04", "p07").isSorted().doesNotHaveDuplicates();
    }
    assertThat(index().statesOf("a", "p22", 10))
        .extracting(IndexState::kind, IndexState::id, IndexState::version)
        .containsExactly(tuple(EntryKind.POST, "p23", "23"));
    assertThat(index().statesOf("c", "", 10)).isEmpty();
  }

  @Test
  default void replacement_ofTheStateThatWasRead_keepsItsVersion() throws IOException {
    index().putPost(post("p", "a", "wrong"), "5");
    assertThat(index().replace(post("p", "a", "right"), "5")).isTrue();
    index().refresh();
    assertThat(ids(PostQuery.of("right"))).containsExactly("p");
    assertThat(ids(PostQuery.of("wrong"))).isEmpty();

    index().putPost(post("p", "a", "stale"), "5");
    index().putPost(post("p", "a", "stale"), "4");
    index().refresh();
    assertThat(ids(PostQuery.of("right"))).containsExactly("p");
    index().putPost(post("p", "a", "later"), "6");
    index().refresh();
    assertThat(ids(PostQuery.of("later"))).containsExactly("p");
  }

  @Test
  default void replacement_afterAnotherWrite_changesNothing() throws IOException {
    index().putPost(post("p", "a", "first"), "1");
    index().putPost(post("p", "a", "later"), "2");
    index().deletePost("gone", "3");

    assertThat(index().replace(post("p", "a", "stale"), "1")).isFalse();
    assertThat(index().remove(EntryKind.POST, "p", "1")).isFalse();
    assertThat(index().replace(post("gone", "a", "stale"), SearchIndex.NO_VERSION)).isFalse();
    index().refresh();
    assertThat(ids(PostQuery.of("later"))).containsExactly("p");
    assertThat(ids(PostQuery.of("stale"))).isEmpty();
  }

  @Test
  default void replacement_whereNothingWas_isBelowEachWrite() throws IOException {
    assertThat(index().replace(post("p", "a", "rebuilt"), SearchIndex.NO_VERSION)).isTrue();
    assertThat(index().replace(post("q", "a", "rebuilt"), "1")).isFalse();
    index().refresh();
    assertThat(ids(PostQuery.of("rebuilt"))).containsExactly("p");
    assertThat(index().replace(post("p", "a", "again"), SearchIndex.NO_VERSION)).isTrue();

    index().putPost(post("p", "a", "written"), "1");
    index().refresh();
    assertThat(ids(PostQuery.of(""))).containsExactly("p");
    assertThat(ids(PostQuery.of("written"))).containsExactly("p");
  }

  @Test
  default void removal_leavesATombstoneWithTheVersion() throws IOException {
    index().putAccount(new IndexedAccount("u", "ada", "Ada"), "5");
    assertThat(index().remove(EntryKind.ACCOUNT, "u", "5")).isTrue();
    index().putAccount(new IndexedAccount("u", "ada", "Ada"), "5");
    index().refresh();
    assertThat(accounts("ada", 10)).isEmpty();

    index().putAccount(new IndexedAccount("u", "ada", "Ada"), "6");
    index().refresh();
    assertThat(accounts("ada", 10)).containsExactly("u");
  }
}
