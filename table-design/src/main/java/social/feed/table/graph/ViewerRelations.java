package social.feed.table.graph;

import static java.util.stream.Collectors.toSet;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import social.feed.table.access.AccessPattern;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.Block;
import social.feed.table.row.BlockOrMute;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.Key;
import social.feed.table.row.Mute;

/**
 * What stands between one user and others: every path that shows accounts, or what they made, asks
 * it. It is made for one request, and reads when it is first asked, strongly consistent: one query
 * for the blocks of both sides, and one for the mutes where those matter. That is all for nearly
 * everybody; of those who have more than a query brings, the rows of the accounts in question are
 * got in a batch. One read unit a query for some thirty rows, and two or one an account beyond. Not
 * thread-safe.
 */
public final class ViewerRelations {
  private final BlocksAndMutes barriers;
  private final String userId;
  private final Instant now;
  private final Part blocks = new Part(BlocksAndMutesList.BLOCKS_BOTH_WAYS);
  private final Part mutes = new Part(BlocksAndMutesList.MUTES);

  ViewerRelations(BlocksAndMutes barriers, String userId, Instant now) {
    this.barriers = barriers;
    this.userId = userId;
    this.now = now;
  }

  /** Which of some accounts must not be shown to the user: one of the two blocks the other. */
  public Set<String> separated(Collection<String> others) {
    return blocks.rows(keys(others, this::blocksWith)).map(BlockOrMute::otherId).collect(toSet());
  }

  /** Which of some accounts the user is not to hear of: separated, or muted now. */
  public Set<String> silenced(Collection<String> others) {
    var silenced = separated(others);
    mutes
        .rows(keys(others, this::muteOf))
        .filter(mute -> mute.isInForceAt(now))
        .forEach(mute -> silenced.add(mute.otherId()));
    return silenced;
  }

  /** Whether the user is not to hear of what another did at a time. */
  public boolean isDeafTo(String other, Instant at) {
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

  /** Nothing stands between the user and the user, so nothing is read for that. */
  private Set<Key> keys(Collection<String> others, Function<String, Stream<Key>> keysOf) {
    return others.stream().filter(id -> !id.equals(userId)).flatMap(keysOf).collect(toSet());
  }

  /** The rows of one kind, as far as they were needed. */
  private final class Part {
    private final BlocksAndMutesList list;
    private final Map<Key, BlockOrMute> found = new HashMap<>();
    private final Set<Key> examined = new HashSet<>();
    private boolean isBegun;
    private boolean isWhole;

    private Part(BlocksAndMutesList list) {
      this.list = list;
    }

    /** Those that are at some keys. */
    private Stream<BlockOrMute> rows(Set<Key> keys) {
      if (keys.isEmpty()) {
        return Stream.of();
      }
      begin();
      if (!isWhole) {
        examine(keys);
      }
      return keys.stream().flatMap(key -> Stream.ofNullable(found.get(key)));
    }

    private void begin() {
      if (!isBegun) {
        var page = barriers.of(userId, list, PageRequest.first(AccessPattern.FEED_014.maxPage()));
        page.items().forEach(this::add);
        isWhole = page.next() == null;
        isBegun = true;
      }
    }

    private void examine(Set<Key> keys) {
      var unknown =
          keys.stream()
              .filter(key -> !found.containsKey(key) && examined.add(key))
              .collect(toSet());
      barriers.at(unknown).forEach(this::add);
    }

    private void add(BlockOrMute barrier) {
      found.put(barrier.key(), barrier);
    }
  }
}
