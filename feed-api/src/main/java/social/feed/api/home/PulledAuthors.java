package social.feed.api.home;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.cache.CachedReads;
import social.feed.api.edge.security.Viewer;
import social.feed.api.graph.FollowedLists;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.RetainedPostsStore;
import social.feed.table.home.PullRegistry;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.RetainedPosts;

/**
 * Finds the pulled authors whose posts belong into a reader's feed, each with the period of these
 * posts. That of an author whom the reader no longer follows ends with the follow. The result is
 * cached for one version of the reader's quota, so a follow or unfollow on another server counts at
 * once. While the registry of pulled authors is empty, nothing else is read.
 *
 * <p>Otherwise costs one read unit for the quota, once a request. Pulled authors that are not
 * cached for the version cost the less of two: two units each for the edge and the retained posts,
 * or a list of what the reader follows and retains, one unit for some 20 accounts of each. So the
 * cost never grows with the number of celebrities whom the reader does not follow.
 *
 * <p>While its revision is the same, the registry costs half a read unit for each {@link
 * PullConfiguration#registryCached}, and once in five minutes or more one unit for 20 authors.
 *
 * <p>The list of followed accounts comes from an index, which may be late. It is read again after
 * growing intervals until the quota proves it. A quota without a hash proves nothing: a list of its
 * length is read once more when the version is ten seconds old for this process. A late index only
 * delays the posts of a celebrity. It shows nothing that the reader may not see, because {@link
 * social.feed.api.post.PostHydration} reads the edge or the retained posts of each author strongly
 * consistent.
 */
@Singleton
final class PulledAuthors {
  private static final Duration REMEMBERED = Duration.ofMinutes(10);

  /** Longer than the index of followed accounts is late. */
  private static final Duration INDEX_LAG = Duration.ofSeconds(10);

  /**
   * How long the registry is used while its revision is the same. A process may end between a
   * change and its revision, and rows may be removed without one.
   */
  private static final Duration MAX_AGE = Duration.ofMinutes(5);

  /** Authors of the registry that are read a second on average, for half a read unit. */
  private static final int READ_A_SECOND = 10;

  /** An edge in the index has up to 400 bytes. */
  private static final long LISTED_PER_UNIT = 20;

  /** A list of followed accounts, and one of retained posts, costs at least this. */
  private static final long UNITS_OF_A_LIST = 2;

  private static final int UNITS_OF_AN_AUTHOR = 2;

  /**
   * A reader who follows more pulled authors counts as several in the cache. Its size is some 25 MB
   * with the default settings.
   */
  private static final int AUTHORS_PER_READER = 20;

  private final FollowEdges follows;
  private final FollowedLists lists;
  private final RetainedPostsStore retained;
  private final InstantSource clock;
  private final PullRegistry stored;
  private final CachedReads<Boolean, Registry> registry;
  private final Cache<Reader, Answer> readers;
  private volatile Registry latest = Registry.UNREAD;

  /**
   * The registry of pulled authors.
   *
   * @param revision the revision before the authors were read
   * @param numbers of the authors by id, in the order in which this process found them
   * @param last the highest number given so far
   * @param readAgain when to read the authors again, whatever the revision
   */
  private record Registry(
      long revision,
      List<PulledAuthor> authors,
      Map<String, Long> numbers,
      long last,
      Instant readAgain) {
    static final Registry UNREAD = new Registry(0, List.of(), Map.of(), 0, Instant.MIN);

    boolean isCurrent(long stored, Instant now) {
      return stored <= revision && now.isBefore(readAgain);
    }

    Registry with(long stored, List<PulledAuthor> current, Instant now) {
      Map<String, Long> numbered = new HashMap<>();
      long number = last;
      for (PulledAuthor author : current) {
        @Nullable Long known = numbers.get(author.authorId());
        numbered.put(author.authorId(), known == null ? ++number : known);
      }
      return new Registry(stored, current, numbered, number, now.plus(intervalFor(current)));
    }

    private static Duration intervalFor(List<PulledAuthor> authors) {
      Duration paced = Duration.ofSeconds(authors.size() / READ_A_SECOND);
      return paced.compareTo(MAX_AGE) < 0 ? MAX_AGE : paced;
    }

    Set<String> foundAfter(long number) {
      return number == last
          ? Set.of()
          : numbers.entrySet().stream()
              .filter(author -> author.getValue() > number)
              .map(Map.Entry::getKey)
              .collect(Collectors.toSet());
    }
  }

  /** A reader, in a version of the quota. */
  private record Reader(String userId, long version) {}

  /**
   * The pulled authors that a reader follows, or whose posts the reader retained.
   *
   * @param begun when this process first saw the version of the quota
   * @param examined the highest number of the authors that were examined
   * @param ends by author, when the posts that belong in the feed end; empty for a followed author
   * @param listAgain when to read the index again, which may have been late; absent for a final
   *     answer
   */
  private record Answer(
      Instant begun,
      long examined,
      Map<String, Optional<Instant>> ends,
      @Nullable Instant listAgain) {

    boolean isDue(Instant now) {
      return listAgain != null && !now.isBefore(listAgain);
    }
  }

  PulledAuthors(
      PullRegistry stored,
      FollowEdges follows,
      FollowedLists lists,
      RetainedPostsStore retained,
      PullConfiguration configuration,
      InstantSource clock) {
    this.stored = stored;
    this.follows = follows;
    this.lists = lists;
    this.retained = retained;
    this.clock = clock;
    this.registry =
        new CachedReads<>(
            Caffeine.newBuilder().expireAfterWrite(configuration.registryCached()).build());
    // The caller evicts, so the bound holds at every time.
    this.readers =
        Caffeine.newBuilder()
            .executor(Runnable::run)
            // An index that was late for longer than expected hides an author until then.
            .expireAfterWrite(REMEMBERED)
            .maximumWeight(configuration.readersRemembered())
            .weigher((Reader _, Answer answer) -> 1 + answer.ends().size() / AUTHORS_PER_READER)
            .build();
  }

  private Registry refreshed() {
    Instant now = clock.instant();
    long revision = stored.revision();
    if (!latest.isCurrent(revision, now)) {
      latest = latest.with(revision, stored.authors(), now);
    }
    return latest;
  }

  /**
   * Returns the pulled authors that a reader follows, or whose posts the reader retained, with the
   * period of the posts that belong in the feed.
   */
  List<PulledAuthor> of(Viewer viewer) {
    return of(viewer::quota);
  }

  List<PulledAuthor> of(Supplier<FollowQuota> quota) {
    Registry current = registry.get(true, this::refreshed);
    if (current.authors().isEmpty()) {
      return List.of();
    }
    Map<String, Optional<Instant>> ends = ends(quota.get(), current);
    return current.authors().stream()
        .filter(author -> ends.containsKey(author.authorId()))
        .map(
            author ->
                ends.getOrDefault(author.authorId(), Optional.empty())
                    .map(author::notAfter)
                    .orElse(author))
        .filter(PulledAuthor::hasPeriod)
        .toList();
  }

  private Map<String, Optional<Instant>> ends(FollowQuota quota, Registry current) {
    Reader reader = new Reader(quota.userId(), quota.version());
    Instant now = clock.instant();
    @Nullable Answer cached = readers.getIfPresent(reader);
    Answer before = cached == null ? new Answer(now, 0, Map.of(), null) : cached;
    if (before.isDue(now)) {
      before = new Answer(before.begun(), 0, Map.of(), null);
    }
    Set<String> missing = current.foundAfter(before.examined());
    if (missing.isEmpty()) {
      return before.ends();
    }
    Collection<String> followed;
    List<RetainedPosts> kept;
    @Nullable Instant listAgain = before.listAgain();
    if (UNITS_OF_AN_AUTHOR * missing.size() > listCost(quota)) {
      FollowedLists.Listed list = lists.of(quota);
      listAgain = listAgain(quota, list, before.begun(), now);
      followed = list.accounts();
      kept = retained.of(quota.userId());
    } else {
      followed = follows.followedAmong(quota.userId(), missing);
      kept = retained.of(quota.userId(), missing);
    }
    Map<String, Optional<Instant>> ends = new HashMap<>(before.ends());
    // The posts of an earlier follow are retained also while the reader follows the author again.
    kept.forEach(posts -> ends.putIfAbsent(posts.authorId(), Optional.of(posts.until())));
    followed.forEach(author -> ends.put(author, Optional.empty()));
    ends.keySet().retainAll(current.numbers().keySet());
    Answer found = new Answer(before.begun(), current.last(), Map.copyOf(ends), listAgain);
    readers.put(reader, found);
    return found.ends();
  }

  private static long listCost(FollowQuota quota) {
    return UNITS_OF_A_LIST + quota.following() / LISTED_PER_UNIT;
  }

  /** Returns when a list is read again, absent for one that is certain. */
  private static @Nullable Instant listAgain(
      FollowQuota quota, FollowedLists.Listed list, Instant begun, Instant now) {
    if (list.isProven()) {
      return null;
    }
    boolean isWhole = list.accounts().size() == quota.following();
    return isWhole && quota.followeesHash() == null
        ? afterLag(begun, now)
        : afterGrowing(begun, now);
  }

  /** Returns when a list of the expected length is read again, absent once it is final. */
  private static @Nullable Instant afterLag(Instant begun, Instant now) {
    Instant known = begun.plus(INDEX_LAG);
    return now.isBefore(known) ? known : null;
  }

  /** Returns when a list of another length is read again. */
  private static Instant afterGrowing(Instant begun, Instant now) {
    Duration age = Duration.between(begun, now).multipliedBy(2);
    return begun.plus(age.compareTo(INDEX_LAG) < 0 ? INDEX_LAG : age);
  }
}
