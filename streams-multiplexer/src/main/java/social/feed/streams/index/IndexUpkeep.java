package social.feed.streams.index;

import java.util.Collection;
import java.util.List;
import social.feed.search.EntryKind;
import social.feed.search.IndexState;
import social.feed.search.SearchIndex;

/**
 * Compares a search index with the table and corrects it, while both are in use.
 *
 * @see TableIndex in the process that has the index open
 */
public interface IndexUpkeep {
  /**
   * The work of a correction.
   *
   * @param written entries that were missing or had another content
   * @param removed entries whose row is gone, or is not public
   * @param readUnits the units of the table
   */
  record Alignment(int written, int removed, double readUnits) {
    /** Nothing. */
    public static final Alignment NONE = new Alignment(0, 0, 0);

    /** Returns the sum. */
    public Alignment plus(Alignment more) {
      return new Alignment(
          written + more.written, removed + more.removed, readUnits + more.readUnits);
    }
  }

  /**
   * Makes the index agree with the table at some ids. What already agrees is not written. A write
   * that the index receives meanwhile is neither lost nor replaced. One read unit for each row.
   *
   * @param ids at most {@value SearchIndex#MAX_STATES}
   */
  Alignment align(EntryKind kind, Collection<String> ids);

  /** Returns what the index has, as {@link SearchIndex#states}. */
  List<IndexState> states(EntryKind kind, Collection<String> ids);

  /** Returns the entries of the index in pages, as {@link SearchIndex#statesAfter}. */
  List<IndexState> statesAfter(EntryKind kind, String after, int limit);

  /** Returns ids of posts of an author that a search finds, at most a hundred. */
  List<String> postsOf(String authorId);
}
