package social.feed.search;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What each index must do. A test of an implementation extends this class. */
public abstract class SearchIndexContract
    implements IndexWriteContract,
        IndexRebuildContract,
        PostQueryContract,
        PostOrderContract,
        AccountSearchContract {
  protected static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private SearchIndex index;
  private Instant now;

  protected SearchIndexContract() {
    this.now = NOW;
  }

  /** Opens an empty index. */
  protected abstract SearchIndex opened(InstantSource clock) throws IOException;

  @BeforeEach
  void open() throws IOException {
    now = NOW;
    index = opened(() -> now);
  }

  @AfterEach
  void close() throws IOException {
    index.close();
  }

  @Override
  public SearchIndex index() {
    return index;
  }

  @Override
  public SearchIndex another() throws IOException {
    return opened(() -> now);
  }

  @Override
  public Instant now() {
    return now;
  }

  @Override
  public void now(Instant other) {
    now = other;
  }

  protected static List<String> accounts(SearchIndex index, String words, int limit)
      throws IOException {
    return index.findAccounts(words, null, limit).stream().map(AccountHit::id).toList();
  }

  protected static IndexedPost post(String id, String author, String text) {
    return new IndexedPost(id, author, text, Set.of(), NOW);
  }

  protected static List<String> ids(SearchIndex index, PostQuery query) throws IOException {
    return index.findPosts(query, null, SearchIndex.MAX_HITS).stream().map(PostHit::id).toList();
  }
}
