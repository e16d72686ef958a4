package social.feed.search;

import static org.assertj.core.api.Assertions.assertThat;
import static social.feed.search.SearchIndexContract.NOW;
import static social.feed.search.SearchIndexContract.post;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which of several writes of one entry an index keeps. */
interface IndexWriteContract extends OpenIndex {
  /** A write of the same post, with the version that its number is. */
  interface Write {
    void to(SearchIndex index) throws IOException;
  }

  @Test
  default void writes_inAnyOrderAndRepeated_endWithTheLastVersion() throws IOException {
    List<Write> writes =
        List.of(
            at -> at.putPost(post("p", "a", "first"), "1"),
            at -> at.deletePost("p", "2"),
            at -> at.putPost(post("p", "a", "third"), "3"));
    for (var order : ordersOf(writes)) {
      try (var each = another()) {
        for (var write : order) {
          write.to(each);
          each.refresh();
          write.to(each);
        }
        each.refresh();
        assertThat(SearchIndexContract.ids(each, PostQuery.of("third"))).containsExactly("p");
        assertThat(SearchIndexContract.ids(each, PostQuery.of("first"))).isEmpty();
      }
    }
  }

  @Test
  default void deletion_inAnyOrderAndRepeated_remains() throws IOException {
    List<Write> writes =
        List.of(
            at -> at.putPost(post("p", "a", "first"), "1"),
            at -> at.putPost(post("p", "a", "second"), "2"),
            at -> at.deletePost("p", "3"));
    for (var order : ordersOf(writes)) {
      try (var each = another()) {
        for (var write : order) {
          write.to(each);
          write.to(each);
        }
        each.refresh();
        assertThat(SearchIndexContract.ids(each, PostQuery.of(""))).isEmpty();
      }
    }
  }

  @Test
  default void deletedAccount_withAnEarlierWrite_remainsDeleted() throws IOException {
    index().putAccount(new IndexedAccount("u", "ada", "Ada"), "1");
    index().deleteAccount("u", "3");
    index().refresh();
    index().putAccount(new IndexedAccount("u", "ada", "Ada"), "2");
    index().refresh();

    assertThat(accounts("ada", 10)).isEmpty();
  }

  @Test
  default void postAndAccount_withTheSameId_areTwo() throws IOException {
    index().putPost(post("x", "a", "text"), "1");
    index().deleteAccount("x", "2");
    index().refresh();

    assertThat(ids(PostQuery.of("text"))).containsExactly("x");
  }

  @Test
  default void forgottenDeletions_areThoseBeforeTheTime() throws IOException {
    index().deletePost("old", "5");
    now(NOW.plusSeconds(60));
    index().deletePost("young", "5");
    index().forgetDeletions(now());
    index().putPost(post("old", "a", "text"), "1");
    index().putPost(post("young", "a", "text"), "1");
    index().refresh();

    assertThat(ids(PostQuery.of("text"))).containsExactly("old");
  }

  private static <T> List<List<T>> ordersOf(List<T> items) {
    if (items.isEmpty()) {
      return List.of(List.of());
    }
    var orders = new ArrayList<List<T>>();
    for (int i = 0; i < items.size(); i++) {
      var others = new ArrayList<>(items);
      var first = others.remove(i);
      for (var order : ordersOf(others)) {
        var all = new ArrayList<T>(List.of(first));
        all.addAll(order);
        orders.add(all);
      }
    }
    return orders;
  }
}
