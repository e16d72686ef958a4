package social.feed.table.graph;

import static java.util.stream.Collectors.toSet;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import social.feed.table.access.AccessPattern;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.Block;
import social.feed.table.row.BlockOrMute;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.Key;
import social.feed.table.row.Mute;

/**
 * The blocks and mutes between one user and others. Every path that shows accounts, or their
 * content, reads it. Made for one request; it reads at its first use, strongly consistent: one
 * query for the blocks of both sides, and one for the mutes where those matter, and neither for a
 * user without any, if the quota was read before. Nearly all users need no more. A user can have
 * more rows than one query returns; then a batch reads the rows of the accounts in question. One
 * read unit a query for about thirty rows; beyond that two an account for blocks and one for mutes.
 * Not thread-safe.
 */
public final class ViewerRelations {
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
          public Page<BlockOrMute> mutes(Supplier<Page<BlockOrMute>> stored) {
            return stored.get();
          }
        };

    /** Whether the quota says that no block and no mute names the user. */
    boolean isUnrelated();

    /**
     * Returns the user's first mutes, as of the quota's version or later. Each mute and its end
     * change the version.
     *
     * @param stored reads them
     */
    Page<BlockOrMute> mutes(Supplier<Page<BlockOrMute>> stored);
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
    mutes
        .rows(keys(others, this::muteOf))
        .filter(mute -> mute.isInForceAt(now))
        .forEach(mute -> silenced.add(mute.otherId()));
    return silenced;
  }

  /** Whether the user must not be notified of an action of another account at a time. */
  public boolean isSilencedAt(String other, Instant at) {
    return separates(other)
        || mutes.rows(keys(Set.of(other), this::muteOf)).anyMatch(mute -> mute.isInForceAt(at));
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
    private final Set<Key> queried = new HashSet<>();
    private boolean isStarted;
    private boolean isComplete;

    private Part(BlocksAndMutesList list) {
      this.list = list;
    }

    /** Returns the rows at some keys. */
    private Stream<BlockOrMute> rows(Set<Key> keys) {
      if (keys.isEmpty() || (!isStarted && known.isUnrelated())) {
        return Stream.of();
      }
      readFirstPage();
      if (!isComplete) {
        readMissing(keys);
      }
      return keys.stream().flatMap(key -> Stream.ofNullable(found.get(key)));
    }

    private void readFirstPage() {
      if (!isStarted) {
        var page = list == BlocksAndMutesList.MUTES ? known.mutes(this::stored) : stored();
        page.items().forEach(this::add);
        isComplete = page.next() == null;
        isStarted = true;
      }
    }

    private Page<BlockOrMute> stored() {
      return store.of(userId, list, PageRequest.first(AccessPattern.FEED_014.maxPage()));
    }

    private void readMissing(Set<Key> keys) {
      var unknown =
          keys.stream().filter(key -> !found.containsKey(key) && queried.add(key)).collect(toSet());
      store.at(unknown).forEach(this::add);
    }

    private void add(BlockOrMute row) {
      found.put(row.key(), row);
    }
  }
}
