package social.feed.search;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.time.Duration;
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
        return planting.in(LuceneIndex.inMemory(clock, Duration.ofMinutes(1)));
      }
    };
  }

  @Test
  void versions_ignored_areFound() throws IOException {
    Planting ignoring = right -> new FaultyIndex(right, Fault.VERSIONS_IGNORED);
    assertFound(SearchIndexContract::writes_inAnyOrderAndRepeated_endWithTheLastVersion, ignoring);
    assertFound(SearchIndexContract::deletion_inAnyOrderAndRepeated_remains, ignoring);
    assertFound(SearchIndexContract::deletedAccount_withAnEarlierWrite_remainsDeleted, ignoring);
    assertFound(SearchIndexContract::replacement_afterAnotherWrite_changesNothing, ignoring);
  }

  @Test
  void tombstones_forgottenAtOnce_areFound() throws IOException {
    assertFound(
        SearchIndexContract::deletion_inAnyOrderAndRepeated_remains,
        right -> new FaultyIndex(right, Fault.TOMBSTONES_FORGOTTEN));
  }

  @Test
  void time_ofTheFirstPageIgnored_isFound() throws IOException {
    assertFound(
        SearchIndexContract::pages_ofAnySize_areTheSameListWhileOthersWrite,
        right -> new FaultyIndex(right, Fault.FIRST_PAGE_IGNORED));
  }

  @Test
  void author_ignored_isFound() throws IOException {
    assertFound(
        SearchIndexContract::filters_authorTagAndTimes_allHold,
        right -> new FaultyIndex(right, Fault.AUTHOR_IGNORED));
    assertFound(
        SearchIndexContract::statesOfAnAuthor_inPages_areAllItsPosts,
        right -> new FaultyIndex(right, Fault.AUTHOR_IGNORED));
  }

  @Test
  void posts_skippedTooEarly_areFound() throws IOException {
    assertFound(
        SearchIndexContract::order_ofManyPosts_isThatOfTheirScoresAlone,
        right -> new FaultyIndex(right, Fault.OLD_POSTS_SKIPPED));
  }

  @Test
  void accounts_omittedOrRepeatedBetweenPages_areFound() throws IOException {
    for (var fault : List.of(Fault.HANDLES_IGNORED, Fault.IDS_IGNORED, Fault.IDS_SKIPPED)) {
      assertFound(
          SearchIndexContract::pagesOfAccounts_ofAnySize_areTheSameListWhileOthersWrite,
          right -> new FaultyIndex(right, fault));
    }
    assertFound(
        SearchIndexContract::pagesOfAccounts_behindOneThatIsGone_goOnThere,
        right -> new FaultyIndex(right, Fault.PAGES_BY_PLACE));
    assertFound(
        SearchIndexContract::pagesOfAccounts_ofAnySize_areTheSameListWhileOthersWrite,
        right -> new FaultyIndex(right, Fault.PAGES_BY_PLACE));
  }

  private enum Fault {
    NONE,
    VERSIONS_IGNORED,
    TOMBSTONES_FORGOTTEN,
    FIRST_PAGE_IGNORED,
    AUTHOR_IGNORED,
    /** They are not looked at where newer ones fill the page. */
    OLD_POSTS_SKIPPED,
    /** Of accounts that are found equally well, those of the next page are missed. */
    HANDLES_IGNORED,
    /** Of accounts with one handle, all come again on the next page. */
    IDS_IGNORED,
    /** Of accounts with one handle, those of the next page are missed. */
    IDS_SKIPPED,
    /** A page of accounts begins after as many as there were on the pages before. */
    PAGES_BY_PLACE
  }

  /** An index with one mistake. */
  private static final class FaultyIndex implements SearchIndex {
    private final SearchIndex right;
    private final Fault fault;
    private int writes;

    FaultyIndex(SearchIndex right) {
      this(right, Fault.NONE);
    }

    FaultyIndex(SearchIndex right, Fault fault) {
      this.right = right;
      this.fault = fault;
    }

    private String version(String version) {
      return fault == Fault.VERSIONS_IGNORED ? "%09d".formatted(++writes) : version;
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
      if (fault == Fault.TOMBSTONES_FORGOTTEN) {
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
    public List<IndexState> statesOf(String authorId, String after, int limit) throws IOException {
      return fault == Fault.AUTHOR_IGNORED
          ? right.statesAfter(EntryKind.POST, after, limit)
          : right.statesOf(authorId, after, limit);
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
      return fault == Fault.VERSIONS_IGNORED
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
          fault == Fault.AUTHOR_IGNORED
              ? new PostQuery(query.words(), null, query.tag(), query.since(), query.until())
              : query;
      var from =
          after != null && fault == Fault.FIRST_PAGE_IGNORED
              ? new SearchPosition(LATER, after.score(), after.id(), after.passed())
              : after;
      if (fault == Fault.OLD_POSTS_SKIPPED) {
        var since = SearchIndexContract.NOW.minus(Duration.ofDays(60));
        var newer =
            new PostQuery(asked.words(), asked.authorId(), asked.tag(), since, asked.until());
        var page = right.findPosts(newer, from, limit);
        if (page.size() == limit) {
          return page;
        }
      }
      return right.findPosts(asked, from, limit);
    }

    @Override
    public List<AccountHit> findAccounts(String words, @Nullable AccountPosition after, int limit)
        throws IOException {
      if (after == null) {
        return right.findAccounts(words, null, limit);
      }
      return switch (fault) {
        case HANDLES_IGNORED -> right.findAccounts(words, behind(after, LAST, LAST), limit);
        case IDS_IGNORED -> right.findAccounts(words, behind(after, after.handle(), ""), limit);
        case IDS_SKIPPED -> right.findAccounts(words, behind(after, after.handle(), LAST), limit);
        case PAGES_BY_PLACE -> {
          var first = right.findAccounts(words, null, MAX_HITS);
          int from = Math.min(first.size(), after.passed());
          yield first.subList(from, Math.min(first.size(), from + limit));
        }
        default -> right.findAccounts(words, after, limit);
      };
    }

    private static AccountPosition behind(AccountPosition after, String handle, String id) {
      return new AccountPosition(after.score(), handle, id, after.passed());
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

  /** Behind all handles and ids. */
  private static final String LAST = "\uffff";

  private static final Instant LATER = Instant.parse("2027-01-01T00:00:00Z");
}
