package social.feed.search;

import static org.assertj.core.api.Assertions.assertThat;
import static social.feed.search.SearchIndexContract.NOW;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The order of the posts that a search finds, in pages of any size. */
interface PostOrderContract extends OpenIndex {
  @Test
  default void order_newerAndMoreRelevantPosts_comeFirst() throws IOException {
    putAt("p1", "coffee", NOW.minus(Duration.ofDays(400)));
    putAt("p2", "coffee", NOW.minus(Duration.ofDays(1)));
    putAt("p3", "coffee, once in a long text about many other things of the day", NOW);
    index().refresh();
    assertThat(ids(PostQuery.of("coffee"))).startsWith("p2").hasSize(3);

    putAt("p4", "tea tea tea", NOW);
    putAt("p5", "tea and bread, bread with butter, cheese, and a long walk home", NOW);
    index().refresh();
    assertThat(ids(PostQuery.of("tea"))).containsExactly("p4", "p5");
  }

  @Test
  default void order_ofEqualPosts_isByIdTheHighestFirst() throws IOException {
    put("p2", "same");
    put("p3", "same");
    put("p1", "same");
    index().refresh();

    assertThat(ids(PostQuery.of("same"))).containsExactly("p3", "p2", "p1");
  }

  /**
   * An index that skips posts skips none that it must return. What a post scores is found by a
   * search for its author, who has no other post.
   */
  @Test
  default void order_ofManyPosts_isThatOfTheirScoresAlone() throws IOException {
    int posts = manyPosts();
    var random = new Random(11);
    for (int i = 0; i < posts; i++) {
      var text =
          "tea ".repeat(random.nextInt(4))
              + "cup ".repeat(random.nextInt(3))
              + "milk ".repeat(random.nextInt(9));
      var at = NOW.minus(Duration.ofHours(random.nextInt(4) * random.nextInt(3_000)));
      index().putPost(new IndexedPost(id(i), "a" + i, text, Set.of(), at), "1");
      if (i % 10 == 9) {
        index().deletePost(id(random.nextInt(i)), "2");
      }
      if (i % (posts / 4) == 0) {
        index().refresh();
      }
    }
    index().refresh();
    for (var words : List.of("tea", "tea cup", "\"tea cup\"", "")) {
      var expected = new ArrayList<PostHit>();
      for (int i = 0; i < posts; i++) {
        expected.addAll(
            index().findPosts(new PostQuery(words, "a" + i, null, null, null), null, 1));
      }
      expected.sort(
          Comparator.comparing((PostHit hit) -> hit.position().score())
              .thenComparing(PostHit::id)
              .reversed());
      int deepest = Math.min(expected.size(), SearchIndex.MAX_DEPTH);
      for (int size : List.of(13, SearchIndex.MAX_HITS)) {
        assertThat(scores(listed(PostQuery.of(words), size)))
            .as("%s in pages of %d", words, size)
            .isEqualTo(scores(expected.subList(0, deepest)));
      }
    }
  }

  /** How many posts an order is checked with. */
  default int manyPosts() {
    return 200;
  }

  private static String id(int number) {
    return "p%05d".formatted(number);
  }

  private static List<String> scores(List<PostHit> hits) {
    return hits.stream().map(hit -> hit.id() + " " + hit.position().score()).toList();
  }

  private List<PostHit> listed(PostQuery query, int size) throws IOException {
    var all = new ArrayList<PostHit>();
    SearchPosition position = null;
    while (true) {
      var page = index().findPosts(query, position, size);
      if (page.isEmpty()) {
        return all;
      }
      all.addAll(page);
      position = page.getLast().position();
    }
  }

  @Test
  default void pages_ofAnySize_areTheSameListWhileOthersWrite() throws IOException {
    var random = new Random(7);
    for (int i = 0; i < 60; i++) {
      var text = "word " + "filler ".repeat(random.nextInt(4));
      putAt("p%03d".formatted(i), text, NOW.minus(Duration.ofHours(random.nextInt(5))));
    }
    index().refresh();
    var whole = ids(PostQuery.of("word"));
    assertThat(whole).hasSize(60).doesNotHaveDuplicates();

    int added = 0;
    for (int size : List.of(1, 7, 25, 60)) {
      now(NOW);
      var pages = new ArrayList<String>();
      SearchPosition position = null;
      for (var page = page(position, size); !page.isEmpty(); page = page(position, size)) {
        assertThat(page).hasSizeLessThanOrEqualTo(size);
        page.forEach(hit -> pages.add(hit.id()));
        position = page.getLast().position();
        now(now().plus(Duration.ofDays(3)));
        putAt("new%03d".formatted(added++), "word and other words", NOW);
        index().deletePost("new%03d".formatted(added / 2), "2");
        index().refresh();
      }
      pages.removeIf(id -> id.startsWith("new"));
      assertThat(pages).containsExactlyElementsOf(whole);
    }
  }

  private List<PostHit> page(@Nullable SearchPosition after, int size) throws IOException {
    return index().findPosts(PostQuery.of("word"), after, size);
  }

  @Test
  default void depth_isBounded() throws IOException {
    for (int i = 0; i < SearchIndex.MAX_DEPTH + 5; i++) {
      put("p%05d".formatted(i), "deep");
    }
    index().refresh();
    int found = 0;
    SearchPosition position = null;
    while (true) {
      var page = index().findPosts(PostQuery.of("deep"), position, 99);
      if (page.isEmpty()) {
        break;
      }
      found += page.size();
      position = page.getLast().position();
    }

    assertThat(found).isEqualTo(SearchIndex.MAX_DEPTH);
  }
}
