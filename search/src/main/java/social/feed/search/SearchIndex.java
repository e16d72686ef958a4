package social.feed.search;

import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An index of public posts and of accounts. It decides nothing about who may see them: callers read
 * each hit from the table and filter it.
 *
 * <p><b>Versions.</b> Each write has the version of what it writes, a text that compares as the
 * versions do. A write with a version that is not above the one in the index changes nothing, so
 * writes may repeat and come in any order. A deletion leaves a tombstone with its version until
 * {@link #forgetDeletions}.
 *
 * <p><b>Durability.</b> A write is found at once after {@link #refresh}, which is expensive on a
 * server, and survives a crash after {@link #commit}. All methods may be called by several threads.
 *
 * <p>Methods throw {@link IOException} when the index cannot be read or written. What a write did
 * is then not known, and it should be repeated.
 */
public interface SearchIndex extends Closeable {
  /** The largest number of hits that one call returns. */
  int MAX_HITS = 100;

  /** Behind this many hits a search ends. */
  int MAX_DEPTH = 1_000;

  /** The length of a text to search for, in UTF-16 units. */
  int MAX_WORDS = 256;

  /**
   * How many terms of a text are searched for. A text of more finds nothing: what has only some of
   * them is no result. A text of 128 characters has no more.
   */
  int MAX_TERMS = 128;

  /** Below all versions of writes: what an index has that was rebuilt, or that it does not have. */
  String NO_VERSION = "";

  /** The largest number of ids that one call reads. */
  int MAX_STATES = 1_000;

  /** Writes a post, unless the index has this version or a later one. */
  void putPost(IndexedPost post, String version) throws IOException;

  /** Writes an account, unless the index has this version or a later one. */
  void putAccount(IndexedAccount account, String version) throws IOException;

  /** Deletes a post, also an unknown one, unless the index has this version or a later one. */
  void deletePost(String id, String version) throws IOException;

  /** Deletes an account, also an unknown one, unless the index has this version or a later one. */
  void deleteAccount(String id, String version) throws IOException;

  /**
   * Returns what the index has at some ids, tombstones included. It knows all earlier writes,
   * refreshed or not. In no order; absent ones are left out.
   *
   * @param ids at most {@link #MAX_STATES}
   */
  List<IndexState> states(EntryKind kind, Collection<String> ids) throws IOException;

  /**
   * Returns the entries of a kind without tombstones, ordered by id. Knows all earlier writes. An
   * entry that exists all the time is in exactly one page.
   *
   * @param after the last id of the page before, or an empty text
   * @param limit from 1 to {@link #MAX_STATES}; fewer entries mean the end
   */
  List<IndexState> statesAfter(EntryKind kind, String after, int limit) throws IOException;

  /**
   * Returns the posts of an author without tombstones, ordered by id, as of the last {@link
   * #refresh}. There may be any number of pages.
   *
   * @param after the last id of the page before, or an empty text
   * @param limit from 1 to {@link #MAX_STATES}; fewer posts mean the end
   */
  List<IndexState> statesOf(String authorId, String after, int limit) throws IOException;

  /**
   * Writes an entry in place of what the index has in a version, and leaves the version as it is.
   * For rebuilds: a caller that reads the state, then the table, then calls this method, neither
   * replaces a later write nor keeps one out.
   *
   * @param version the version of the state that was read, or {@link #NO_VERSION} where there was
   *     none
   * @return false if the index has another version by now; nothing changes then
   */
  boolean replace(IndexEntry entry, String version) throws IOException;

  /**
   * Deletes an entry like {@link #replace}. Its tombstone has the same version.
   *
   * @return false if the index has another version by now
   */
  boolean remove(EntryKind kind, String id, String version) throws IOException;

  /**
   * Removes the tombstones of deletions before a time. It must lie further back than any message
   * about the deleted may still arrive: a write with an earlier version is accepted afterwards.
   */
  void forgetDeletions(Instant before) throws IOException;

  /** Makes all earlier writes findable. */
  void refresh() throws IOException;

  /** Makes all earlier writes durable. Without a refresh they are found within about a second. */
  void commit() throws IOException;

  /**
   * Returns the most relevant posts behind a position. Relevance grows with the number of
   * occurrences, and is higher for short and for recent posts. Equally relevant posts are ordered
   * by id, the highest first.
   *
   * <p>It depends on nothing but the post, the query and the time of the first page. So pages of
   * any size make up the same list, whatever is written meanwhile: what existed at the first page
   * is in exactly one page if it is neither changed nor deleted.
   *
   * @param after the position of the last hit of the page before, or null for the first page
   * @param limit from 1 to {@link #MAX_HITS}
   * @return at most {@code limit} hits; an empty list behind the last, or behind {@link #MAX_DEPTH}
   * @throws SearchTimeoutException if it takes too long
   * @throws IllegalArgumentException if the limit is outside of its range
   */
  List<PostHit> findPosts(PostQuery query, @Nullable SearchPosition after, int limit)
      throws IOException;

  /**
   * Returns the accounts behind a position whose handle or name begins with the words, or has words
   * that do. A typing error is forgiven in words of four or more characters, two in words of eight
   * or more, but not in the first character. Exact words come first, then beginnings, then
   * misspelled ones, each by handle, and accounts of one handle by id.
   *
   * <p>Pages of any size make up the same list, in which an account is at most once, unless it gets
   * another handle or name meanwhile. What existed at the first page is in exactly one page if it
   * is neither changed nor deleted. An exception are accounts that only a misspelled word finds: an
   * index looks for some fifty words near one, so new words may take the place of others.
   *
   * @param words blank finds nothing. At most {@link #MAX_WORDS} UTF-16 units
   * @param after the position of the last hit of the page before, or null for the first page
   * @param limit from 1 to {@link #MAX_HITS}
   * @return at most {@code limit} hits; an empty list behind the last, or behind {@link #MAX_DEPTH}
   * @throws SearchTimeoutException if it takes too long
   * @throws IllegalArgumentException if words are too long or the limit is outside of its range
   */
  List<AccountHit> findAccounts(String words, @Nullable AccountPosition after, int limit)
      throws IOException;

  /**
   * Returns where words occur in a text that was read from the table, as a search of posts finds
   * them: in order, and without overlaps. Reads nothing of the index.
   *
   * @throws IllegalArgumentException if the words are too long
   */
  List<Highlight> highlights(String text, String words) throws IOException;

  /**
   * Checks the length of a text to search for.
   *
   * @throws IllegalArgumentException if it is too long
   */
  static void checkWords(String words) {
    if (words.length() > MAX_WORDS) {
      throw new IllegalArgumentException("Words are longer than %d".formatted(MAX_WORDS));
    }
  }

  /**
   * Checks the number of hits to return.
   *
   * @throws IllegalArgumentException if it is outside of its range
   */
  static void checkLimit(int limit) {
    requireRange(limit, MAX_HITS);
  }

  /**
   * Checks the number of states to return.
   *
   * @throws IllegalArgumentException if it is outside of its range
   */
  static void checkStates(int limit) {
    requireRange(limit, MAX_STATES);
  }

  private static void requireRange(int limit, int max) {
    if (limit < 1 || limit > max) {
      throw new IllegalArgumentException("The limit must be from 1 to %d".formatted(max));
    }
  }
}
