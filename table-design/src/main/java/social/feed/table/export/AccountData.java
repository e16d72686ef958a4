package social.feed.table.export;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import social.feed.table.access.AccessPattern;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Row;

/**
 * Reads all rows about one user through keys and indexes, with one page in memory at a time. Reads
 * no row of another user. Unreadable rows are skipped; {@code verify} reports them.
 */
public final class AccountData {
  private final AccountLists lists;
  private final PartitionQueries partitions;

  public AccountData(Table table) {
    this.lists = new AccountLists(table);
    this.partitions = new PartitionQueries(table);
  }

  /**
   * Returns the rows of a user, each once, a page at a time. The caller decides which of them the
   * user may see. One read unit a row of up to 4 KB, and half a unit for each 4 KB of the indexes
   * that find the rows.
   */
  public Iterator<List<Row>> of(String userId) {
    return new SequentialPages(
        List.<Function<String, Stream<List<Row>>>>of(
                this::partition,
                this::posts,
                this::following,
                this::followers,
                this::likes,
                this::comments,
                this::media)
            .stream()
            .<Supplier<Stream<List<Row>>>>map(source -> () -> source.apply(userId))
            .iterator());
  }

  /**
   * The pages of several sources. A flat map of streams would read a whole source before its first
   * page.
   */
  private static final class SequentialPages implements Iterator<List<Row>> {
    private final Iterator<Supplier<Stream<List<Row>>>> sources;
    private Iterator<List<Row>> current = Collections.emptyIterator();

    private SequentialPages(Iterator<Supplier<Stream<List<Row>>>> sources) {
      this.sources = sources;
    }

    @Override
    public boolean hasNext() {
      while (!current.hasNext() && sources.hasNext()) {
        current = sources.next().get().iterator();
      }
      return current.hasNext();
    }

    @Override
    public List<Row> next() {
      if (!hasNext()) {
        throw new NoSuchElementException("All pages were read");
      }
      return current.next();
    }
  }

  /**
   * Returns the rows in the user's own partition: the profile and all lists that only this user
   * has.
   */
  private Stream<List<Row>> partition(String userId) {
    return partitions.keys(Keys.user(userId)).map(lists::readable);
  }

  private Stream<List<Row>> posts(String userId) {
    return rows(AccessPattern.FEED_002, request -> lists.posts(userId, request));
  }

  private Stream<List<Row>> following(String userId) {
    return rows(AccessPattern.FEED_011, request -> lists.following(userId, request));
  }

  private Stream<List<Row>> followers(String userId) {
    return partitions.keys(Keys.followee(userId), Keys.FOLLOWERS).map(lists::readable);
  }

  private Stream<List<Row>> likes(String userId) {
    return rows(AccessPattern.FEED_016, request -> lists.likes(userId, request));
  }

  private Stream<List<Row>> comments(String userId) {
    return rows(AccessPattern.FEED_017, request -> lists.comments(userId, request));
  }

  private Stream<List<Row>> media(String userId) {
    return rows(AccessPattern.FEED_018, request -> lists.media(userId, request));
  }

  private Stream<List<Row>> rows(AccessPattern pattern, Function<PageRequest, Page<Key>> keys) {
    return Page.all(pattern.maxPage(), keys).map(page -> lists.readable(page.items()));
  }
}
