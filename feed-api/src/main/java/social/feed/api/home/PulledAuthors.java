package social.feed.api.home;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import jakarta.inject.Singleton;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import social.feed.api.edge.security.Viewer;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.RetainedPostsStore;
import social.feed.table.home.PullRegistry;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.RetainedPosts;

/**
 * Finds the pulled authors whose posts belong into a reader's feed. The result is cached for one
 * version of the reader's quota, so a follow or unfollow on another server counts at once. Nothing
 * is read while the registry of pulled authors is empty. Otherwise one read unit for the quota,
 * once a request, and two read units for each pulled author that is not cached for the version.
 */
@Singleton
final class PulledAuthors {
  private final FollowEdges follows;
  private final RetainedPostsStore retained;
  private final LoadingCache<Boolean, List<PulledAuthor>> registry;
  private final Cache<Reader, Answer> readers;

  /** A reader, in a version of the quota. */
  private record Reader(String userId, long version) {}

  private record Answer(Set<String> examined, Set<String> followed) {
    static final Answer EMPTY = new Answer(Set.of(), Set.of());
  }

  PulledAuthors(
      PullRegistry registry,
      FollowEdges follows,
      RetainedPostsStore retained,
      PullConfiguration configuration) {
    this.follows = follows;
    this.retained = retained;
    this.registry =
        Caffeine.newBuilder()
            .expireAfterWrite(configuration.registryCached())
            .build(_ -> registry.authors());
    this.readers = Caffeine.newBuilder().maximumSize(configuration.readersRemembered()).build();
  }

  /** Returns the pulled authors that a reader follows, or whose posts the reader retained. */
  List<PulledAuthor> of(Viewer viewer) {
    List<PulledAuthor> all = registry.get(true);
    if (all.isEmpty()) {
      return all;
    }
    Set<String> followed =
        followed(
            new Reader(viewer.userId(), viewer.quota().version()),
            all.stream().map(PulledAuthor::authorId).collect(Collectors.toSet()));
    return all.stream().filter(author -> followed.contains(author.authorId())).toList();
  }

  private Set<String> followed(Reader reader, Set<String> authors) {
    Answer cached = readers.get(reader, _ -> Answer.EMPTY);
    Set<String> missing = new HashSet<>(authors);
    missing.removeAll(cached.examined());
    if (missing.isEmpty()) {
      return cached.followed();
    }
    Set<String> followed = new HashSet<>(cached.followed());
    followed.addAll(follows.followedAmong(reader.userId(), missing));
    retained.of(reader.userId(), missing).stream()
        .map(RetainedPosts::authorId)
        .forEach(followed::add);
    readers.put(reader, new Answer(authors, followed));
    return followed;
  }
}
