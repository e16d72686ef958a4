package social.feed.search;

import static social.feed.search.SearchIndexContract.NOW;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** An index that is tested, and what tests do to it. */
interface OpenIndex {
  /** The index of the test, which is empty at its beginning. */
  SearchIndex index();

  /** Opens another empty index. */
  SearchIndex another() throws IOException;

  /** The time of the clock of both. */
  Instant now();

  void now(Instant now);

  default void putAccount(String id, String handle, String name) throws IOException {
    putAccount(id, handle, name, "1");
  }

  default void putAccount(String id, String handle, String name, String version)
      throws IOException {
    index().putAccount(new IndexedAccount(id, handle, name), version);
  }

  default void put(String id, String text) throws IOException {
    putAt(id, text, NOW);
  }

  default void putAt(String id, String text, Instant at) throws IOException {
    index().putPost(new IndexedPost(id, "a", text, Set.of(), at), "1");
  }

  default List<String> ids(PostQuery query) throws IOException {
    return SearchIndexContract.ids(index(), query);
  }

  default List<String> accounts(String words, int limit) throws IOException {
    return SearchIndexContract.accounts(index(), words, limit);
  }
}
