package social.feed.search;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import social.feed.search.lucene.LuceneIndex;

/** The contract finds indexes that break it. */
class PlantedIndexFaultsTest {
  private interface Law {
    void check(SearchIndexContract contract) throws IOException;
  }

  private interface Planting {
    FaultyIndex in(SearchIndex right);
  }

  private static void assertFound(Law law, Planting planting) throws IOException {
    var right = contract(FaultyIndex::new);
    right.open();
    law.check(right);
    right.close();

    var broken = contract(planting);
    broken.open();
    assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> law.check(broken));
    broken.close();
  }

  private static SearchIndexContract contract(Planting planting) {
    return new SearchIndexContract() {
      @Override
      protected SearchIndex opened(InstantSource clock) throws IOException {
        return planting.in(LuceneIndex.inMemory(clock));
      }
    };
  }

  @Test
  void versions_ignored_areFound() throws IOException {
    Planting ignoring = right -> new FaultyIndex(right, true, false, false, false);
    assertFound(SearchIndexContract::writes_inAnyOrderAndRepeated_endWithTheLastVersion, ignoring);
    assertFound(SearchIndexContract::deletion_inAnyOrderAndRepeated_remains, ignoring);
    assertFound(SearchIndexContract::deletedAccount_withAnEarlierWrite_remainsDeleted, ignoring);
    assertFound(SearchIndexContract::replacement_afterAnotherWrite_changesNothing, ignoring);
  }

  @Test
  void tombstones_forgottenAtOnce_areFound() throws IOException {
    assertFound(
        SearchIndexContract::deletion_inAnyOrderAndRepeated_remains,
        right -> new FaultyIndex(right, false, true, false, false));
  }

  @Test
  void time_ofTheFirstPageIgnored_isFound() throws IOException {
    assertFound(
        SearchIndexContract::pages_ofAnySize_areTheSameListWhileOthersWrite,
        right -> new FaultyIndex(right, false, false, true, false));
  }

  @Test
  void author_ignored_isFound() throws IOException {
    assertFound(
        SearchIndexContract::filters_authorTagAndTimes_allHold,
        right -> new FaultyIndex(right, false, false, false, true));
  }

  /** An index with mistakes that are on or off. */
  private static final class FaultyIndex implements SearchIndex {
    private final SearchIndex right;
    private final boolean ignoresVersions;
    private final boolean forgetsDeletions;
    private final boolean ignoresFirstPage;
    private final boolean ignoresAuthor;
    private int writes;

    FaultyIndex(SearchIndex right) {
      this(right, false, false, false, false);
    }

    FaultyIndex(
        SearchIndex right,
        boolean ignoresVersions,
        boolean forgetsDeletions,
        boolean ignoresFirstPage,
        boolean ignoresAuthor) {
      this.right = right;
      this.ignoresVersions = ignoresVersions;
      this.forgetsDeletions = forgetsDeletions;
      this.ignoresFirstPage = ignoresFirstPage;
      this.ignoresAuthor = ignoresAuthor;
    }

    private String version(String version) {
      return ignoresVersions ? "%09d".formatted(++writes) : version;
    }

    @Override
    public void putPost(IndexedPost post, String version) throws IOException {
      right.putPost(post, version(version));
    }

    @Override
    public void putAccount(IndexedAccount account, String version) throws IOException {
      right.putAccount(account, version(version));
    }

    @Override
    public void deletePost(String id, String version) throws IOException {
      right.deletePost(id, version(version));
      if (forgetsDeletions) {
        right.forgetDeletions(LATER);
      }
    }

    @Override
    public void deleteAccount(String id, String version) throws IOException {
      right.deleteAccount(id, version(version));
    }

    @Override
    public List<IndexState> states(EntryKind kind, Collection<String> ids) throws IOException {
      return right.states(kind, ids);
    }

    @Override
    public List<IndexState> statesAfter(EntryKind kind, String after, int limit)
        throws IOException {
      return right.statesAfter(kind, after, limit);
    }

    @Override
    public boolean replace(IndexEntry entry, String version) throws IOException {
      return right.replace(entry, replaced(entry.kind(), entry.id(), version));
    }

    @Override
    public boolean remove(EntryKind kind, String id, String version) throws IOException {
      return right.remove(kind, id, replaced(kind, id, version));
    }

    /** The version that the index has, or the one that the caller read. */
    private String replaced(EntryKind kind, String id, String version) throws IOException {
      return ignoresVersions
          ? right.states(kind, List.of(id)).stream()
              .map(IndexState::version)
              .findFirst()
              .orElse(NO_VERSION)
          : version;
    }

    @Override
    public void forgetDeletions(Instant before) throws IOException {
      right.forgetDeletions(before);
    }

    @Override
    public void refresh() throws IOException {
      right.refresh();
    }

    @Override
    public void commit() throws IOException {
      right.commit();
    }

    @Override
    public List<PostHit> findPosts(PostQuery query, @Nullable SearchPosition after, int limit)
        throws IOException {
      var asked =
          ignoresAuthor
              ? new PostQuery(query.words(), null, query.tag(), query.since(), query.until())
              : query;
      var from =
          after != null && ignoresFirstPage
              ? new SearchPosition(LATER, after.score(), after.id(), after.passed())
              : after;
      return right.findPosts(asked, from, limit);
    }

    @Override
    public List<String> findAccounts(String words, int limit) throws IOException {
      return right.findAccounts(words, limit);
    }

    @Override
    public List<Highlight> highlights(String text, String words) throws IOException {
      return right.highlights(text, words);
    }

    @Override
    public void close() throws IOException {
      right.close();
    }
  }

  private static final Instant LATER = Instant.parse("2027-01-01T00:00:00Z");
}
