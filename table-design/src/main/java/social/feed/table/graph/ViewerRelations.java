package social.feed.table.graph;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.Block;
import social.feed.table.row.BlockOrMute;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.Key;
import social.feed.table.row.Mute;

/**
 * The blocks and mutes between one user and others. Every path that shows accounts, or their
 * content, reads it. Made for one request; it reads at its first use, strongly consistent. What it
 * reads is bounded by the accounts in question, whatever the number of rows. Not thread-safe.
 *
 * <ul>
 *   <li>No read for a user without any block or mute, if the quota was read before.
 *   <li>One account: a query for blocks, which answers for both sides where few rows lie between
 *       the two, and otherwise the other side's row by its key. So one read unit, or two. One unit
 *       for a mute.
 *   <li>Several accounts: a query that reads at most as many units of the list as the rows of these
 *       accounts would cost, and at most {@value #MAX} rows. One unit has about thirty rows, and
 *       nearly all users have no more. Of a longer list, a batch reads the rows that the query did
 *       not reach: up to two units an account for blocks, and one for mutes.
 * </ul>
 */
public final class ViewerRelations {
  /** The most rows that a query reads. */
  private static final int MAX = 500;

  /** Rows with ids of usual length in one read unit; longer ids need up to three. */
  private static final int ROWS_OF_UNIT = 30;

  /** Follows each sort key. */
  private static final String LAST = "\uffff";

  private static final Optional<Page<BlockOrMute>> NONE = Optional.empty();

  private final BlocksAndMutes store;
  private final String userId;
  private final Instant now;
  private final Known known;
  private final Part blocks = new Part(BlocksAndMutesList.BLOCKS_BOTH_WAYS);
  private final Part mutes = new Part(BlocksAndMutesList.MUTES);

  /** What a request knows from the user's quota, which it may have read before. */
  public interface Known {
    /** Nothing: the quota was not read. */
    Known NOTHING =
        new Known() {
          @Override
          public boolean isUnrelated() {
            return false;
          }

          @Override
          public Optional<Page<BlockOrMute>> mutes(Supplier<Page<BlockOrMute>> stored) {
            return Optional.empty();
          }
        };

    /** Whether the quota says that no block and no mute names the user. */
    boolean isUnrelated();

    /**
     * Returns the user's first mutes, as of the quota's version or later; empty if the quota was
     * not read. Each mute and its end change the version.
     *
     * @param stored reads them
     */
    Optional<Page<BlockOrMute>> mutes(Supplier<Page<BlockOrMute>> stored);
  }

  ViewerRelations(BlocksAndMutes store, String userId, Instant now, Known known) {
    this.store = store;
    this.userId = userId;
    this.now = now;
    this.known = known;
  }

  /** Returns the accounts that must not be shown to the user: one of the two blocks the other. */
  public Set<String> separated(Collection<String> others) {
    return blocks.rows(keys(others, this::blocksWith)).map(BlockOrMute::otherId).collect(toSet());
  }

  /** Returns the accounts whose content the user must not see: separated, or muted now. */
  public Set<String> silenced(Collection<String> others) {
    var silenced = separated(others);
    silenced.addAll(muted(others));
    return silenced;
  }

  /** Returns the accounts that the user mutes now. */
  public Set<String> muted(Collection<String> others) {
    return mutes
        .rows(keys(others, this::muteOf))
        .filter(mute -> mute.isInForceAt(now))
        .map(BlockOrMute::otherId)
        .collect(toSet());
  }

  /**
   * Returns those of some actions of others that the user may be notified of: the user and the
   * actor are not separated, and the user did not mute the actor at the time of the action.
   */
  public <A> List<A> audible(
      Collection<A> actions, Function<A, String> actorOf, Function<A, Instant> timeOf) {
    var actors = actions.stream().map(actorOf).toList();
    var separated = separated(actors);
    var muted =
        mutes
            .rows(keys(actors, this::muteOf))
            .collect(toMap(BlockOrMute::otherId, Function.identity()));
    return actions.stream()
        .filter(action -> !separated.contains(actorOf.apply(action)))
        .filter(
            action -> {
              var mute = muted.get(actorOf.apply(action));
              return mute == null || !mute.isInForceAt(timeOf.apply(action));
            })
        .toList();
  }

  /** Whether one of the two blocks the other. */
  public boolean separates(String other) {
    return !separated(Set.of(other)).isEmpty();
  }

  /** Whether the user blocks another. */
  public boolean blocks(String other) {
    return blocks.rows(Set.of(Block.key(userId, other))).findAny().isPresent();
  }

  /** Whether another blocks the user. */
  public boolean isBlockedBy(String other) {
    return blocks.rows(Set.of(BlockedBy.key(userId, other))).findAny().isPresent();
  }

  /** Whether the user mutes another now. */
  public boolean mutes(String other) {
    return mutes.rows(Set.of(Mute.key(userId, other))).anyMatch(mute -> mute.isInForceAt(now));
  }

  private Stream<Key> blocksWith(String other) {
    return Stream.of(Block.key(userId, other), BlockedBy.key(userId, other));
  }

  private Stream<Key> muteOf(String other) {
    return Stream.of(Mute.key(userId, other));
  }

  /** No user blocks or mutes themselves, so no key is read for that. */
  private Set<Key> keys(Collection<String> others, Function<String, Stream<Key>> keysOf) {
    return others.stream().filter(id -> !id.equals(userId)).flatMap(keysOf).collect(toSet());
  }

  /** The rows of one list, as far as they were needed. */
  private final class Part {
    private final BlocksAndMutesList list;
    private final Map<Key, BlockOrMute> found = new HashMap<>();

    /** Keys that were read, by themselves or in a range. */
    private final Set<Key> answered = new HashSet<>();

    /** The sort key down to which the list was read, null before it was read. */
    private @Nullable String listedTo;

    Part(BlocksAndMutesList list) {
      this.list = list;
    }

    /** Returns the rows at some keys. */
    private Stream<BlockOrMute> rows(Set<Key> keys) {
      if (keys.isEmpty() || (listedTo == null && answered.isEmpty() && known.isUnrelated())) {
        return Stream.of();
      }
      var open = open(keys);
      if (!open.isEmpty() && listedTo == null) {
        readSeveral(open);
        open = open(open);
      }
      store.at(open).forEach(this::add);
      answered.addAll(open);
      return keys.stream().flatMap(key -> Stream.ofNullable(found.get(key)));
    }

    private Set<Key> open(Set<Key> keys) {
      return keys.stream().filter(key -> !isAnswered(key)).collect(toSet());
    }

    private boolean isAnswered(Key key) {
      return answered.contains(key) || (listedTo != null && key.sort().compareTo(listedTo) <= 0);
    }

    /** Reads rows of many accounts at once, where that may cost less than reading the keys. */
    private void readSeveral(Set<Key> keys) {
      var cached = list == BlocksAndMutesList.MUTES ? known.mutes(() -> first(MAX)) : NONE;
      if (cached.isPresent()) {
        list(cached.get());
      } else if (!answered.isEmpty()) {
        list(first(MAX));
      } else if (keys.size() > 2) {
        list(first(Math.min(MAX, keys.size() * ROWS_OF_UNIT)));
      } else if (keys.size() == 2) {
        readBetween(keys);
      }
    }

    private void list(Page<BlockOrMute> page) {
      page.items().forEach(this::add);
      listedTo = page.next() == null ? LAST : page.next();
    }

    private Page<BlockOrMute> first(int limit) {
      return store.of(userId, list, PageRequest.first(limit));
    }

    /** For the two rows of one account, the first of which is always read. */
    private void readBetween(Set<Key> keys) {
      var sorted = keys.stream().sorted(Comparator.comparing(Key::sort)).toList();
      var rows = store.between(sorted.getFirst(), sorted.getLast(), ROWS_OF_UNIT);
      rows.forEach(this::add);
      answered.add(sorted.getFirst());
      if (rows.size() < ROWS_OF_UNIT || rows.getLast().key().equals(sorted.getLast())) {
        answered.add(sorted.getLast());
      }
    }

    private void add(BlockOrMute row) {
      found.put(row.key(), row);
    }
  }
}
