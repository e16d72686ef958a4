package social.feed.api.home;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import jakarta.inject.Singleton;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.FollowQuotas;
import social.feed.table.graph.RetainedPostsStore;
import social.feed.table.home.PullRegistry;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.RetainedPosts;

/**
 * Whose posts a reader's feed has to be merged with. Nothing is read more while there are no such
 * authors. Otherwise one read unit for the version of what the reader follows; it is remembered
 * whom of the pulled authors that is, until the version changes, so a follow or unfollow on another
 * server counts at once. To find out costs two read units a pulled author.
 */
@Singleton
final class PulledAuthors {
  private final FollowEdges follows;
  private final RetainedPostsStore kept;
  private final FollowQuotas quotas;
  private final LoadingCache<Boolean, List<PulledAuthor>> registry;
  private final Cache<Reader, Known> readers;

  /** What a reader follows, in a version. */
  private record Reader(String userId, long version) {}

  private record Known(Set<String> examined, Set<String> followed) {
    static final Known NOTHING = new Known(Set.of(), Set.of());
  }

  PulledAuthors(
      PullRegistry registry,
      FollowEdges follows,
      RetainedPostsStore kept,
      FollowQuotas quotas,
      PullConfiguration configuration) {
    this.follows = follows;
    this.kept = kept;
    this.quotas = quotas;
    this.registry =
        Caffeine.newBuilder()
            .expireAfterWrite(configuration.registryCached())
            .build(_ -> registry.authors());
    this.readers = Caffeine.newBuilder().maximumSize(configuration.readersRemembered()).build();
  }

  /** Those of the pulled authors whom a reader follows, or kept the history of. */
  List<PulledAuthor> of(String readerId) {
    List<PulledAuthor> all = registry.get(true);
    if (all.isEmpty()) {
      return all;
    }
    Set<String> followed =
        followed(
            new Reader(readerId, quotas.of(readerId).version()),
            all.stream().map(PulledAuthor::authorId).collect(Collectors.toSet()));
    return all.stream().filter(author -> followed.contains(author.authorId())).toList();
  }

  private Set<String> followed(Reader reader, Set<String> authors) {
    Known known = readers.get(reader, _ -> Known.NOTHING);
    Set<String> fresh = new HashSet<>(authors);
    fresh.removeAll(known.examined());
    if (fresh.isEmpty()) {
      return known.followed();
    }
    Set<String> followed = new HashSet<>(known.followed());
    followed.addAll(follows.followedAmong(reader.userId(), fresh));
    kept.of(reader.userId(), fresh).stream().map(RetainedPosts::authorId).forEach(followed::add);
    readers.put(reader, new Known(authors, followed));
    return followed;
  }
}
