package social.feed.streams.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;
import social.feed.search.EntryKind;
import social.feed.search.IndexState;
import social.feed.search.IndexedPost;
import social.feed.search.PostHit;
import social.feed.search.PostQuery;
import social.feed.search.SearchIndex;
import social.feed.search.lucene.LuceneIndex;
import social.feed.streams.event.EventContent;
import social.feed.streams.sink.SearchSink;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.TestTable;

/**
 * Corrections of an index next to events of the same post, which are applied at each step of the
 * correction.
 */
class ITTableIndex {
  private static final List<String> STEPS = List.of("states", "replace", "remove", "commit");

  private TestTable table;
  private LuceneIndex index;
  private SeedWorld world;
  private Person author;
  private int versions;

  @BeforeEach
  void start() throws IOException {
    table = TestTable.start();
    index = LuceneIndex.inMemory(InstantSource.system());
    world = new SeedWorld(table.table(), Clock.systemUTC());
    author = world.user("ann");
  }

  @AfterEach
  void stop() throws IOException {
    index.close();
    table.close();
  }

  private DomainEvent event(EventType type, Post post, Map<String, Object> more) {
    var data = new TreeMap<>(more);
    data.put("post_id", post.postId());
    data.put("author_id", post.authorId());
    var version = "%010d-%040d".formatted(1, ++versions);
    return new DomainEvent(
        type, Instant.EPOCH, "post:" + post.postId(), version, post.authorId(), data);
  }

  /** Handles an event as the platform does: reads the row, then writes the index. */
  private void handle(DomainEvent event) {
    new EventContent(table.table(), Clock.systemUTC())
        .publishable(event)
        .ifPresent(new SearchSink(index)::publish);
  }

  private void show(Post post, boolean isPublic) {
    var visibility = isPublic ? Visibility.PUBLIC : Visibility.PRIVATE;
    assertThat(world.posts.changeVisibility(post.postId(), post.authorId(), visibility))
        .isPresent();
    handle(event(EventType.POST_VISIBILITY_CHANGED, post, Map.of("is_public", isPublic)));
  }

  private boolean isFound(Post post) throws IOException {
    index.refresh();
    return index.findPosts(PostQuery.of("tea"), null, 10).stream()
        .map(PostHit::id)
        .anyMatch(post.postId()::equals);
  }

  /** Others, who work once. */
  private static final class Others {
    private final Runnable work;
    private boolean isDone;

    Others(Runnable work) {
      this.work = work;
    }

    void work() {
      if (!isDone) {
        isDone = true;
        work.run();
      }
    }
  }

  /** An index that lets others work right before or right after one of its methods. */
  private SearchIndex interrupted(String step, boolean isBefore, Others others) {
    return (SearchIndex)
        Proxy.newProxyInstance(
            SearchIndex.class.getClassLoader(),
            new Class<?>[] {SearchIndex.class},
            (_, method, arguments) -> {
              boolean isStep = method.getName().equals(step);
              if (isStep && isBefore) {
                others.work();
              }
              var result = invoke(method, arguments);
              if (isStep && !isBefore) {
                others.work();
              }
              return result;
            });
  }

  private @Nullable Object invoke(Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(index, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** What an index may have of a post when a correction begins. */
  private enum Beginning {
    MISSING,
    RIGHT,
    STALE,
    DELETED
  }

  /** Creates a post whose event is handled, and then damages the index. */
  private Post begun(Beginning beginning, boolean isPublic) throws IOException {
    var post = author.posts("tea");
    if (beginning != Beginning.MISSING) {
      handle(event(EventType.POST_CREATED, post, Map.of()));
    }
    if (!isPublic) {
      assertThat(world.posts.changeVisibility(post.postId(), post.authorId(), Visibility.PRIVATE))
          .isPresent();
    }
    var version = "%010d-%040d".formatted(1, versions);
    switch (beginning) {
      case MISSING, RIGHT -> {}
      case STALE -> {
        var other = new IndexedPost(post.postId(), "x", "coffee", Set.of(), Instant.EPOCH);
        assertThat(index.replace(other, version)).isTrue();
      }
      case DELETED -> assertThat(index.remove(EntryKind.POST, post.postId(), version)).isTrue();
    }
    return post;
  }

  /** Makes the index agree with the table at one post. */
  private interface Correction {
    void align(SearchIndex place, String id) throws IOException;
  }

  private void assertNoRace(Correction correction) throws IOException {
    for (var step : STEPS) {
      for (var isBefore : List.of(true, false)) {
        for (var beginning : Beginning.values()) {
          for (var isPublic : List.of(true, false)) {
            var post = begun(beginning, isPublic);
            var others = new Others(() -> show(post, !isPublic));
            correction.align(interrupted(step, isBefore, others), post.postId());
            others.work();
            assertThat(isFound(post))
                .as("%s %s %s %s", step, isBefore, beginning, isPublic)
                .isEqualTo(!isPublic);
            show(post, isPublic);
            assertThat(isFound(post)).isEqualTo(isPublic);
          }
        }
      }
    }
  }

  private void align(SearchIndex place, String id) {
    var _ = new TableIndex(table.table(), place).align(EntryKind.POST, List.of(id));
  }

  @Test
  void eventsAtEachStep_areNeitherLostNorReplaced() throws IOException {
    assertNoRace(this::align);
  }

  /** As a scan that writes what it has read. */
  private void alignTableFirst(SearchIndex place, String id) throws IOException {
    var entry = world.posts.get(id).flatMap(IndexEntries::of);
    var version =
        place.states(EntryKind.POST, List.of(id)).stream()
            .map(IndexState::version)
            .findFirst()
            .orElse(SearchIndex.NO_VERSION);
    boolean _ =
        entry.isPresent()
            ? place.replace(entry.get(), version)
            : place.remove(EntryKind.POST, id, version);
  }

  /** With a version above all others, as one of the present time is. */
  private void alignAboveAll(SearchIndex place, String id) throws IOException {
    var entry = world.posts.get(id).flatMap(IndexEntries::of);
    var version = "%010d-%040d".formatted(2, ++versions);
    if (entry.isPresent()) {
      place.putPost((IndexedPost) entry.get(), version);
    } else {
      place.deletePost(id, version);
    }
  }

  @Test
  void correction_thatReadsTheTableFirst_isFound() {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> assertNoRace(this::alignTableFirst));
  }

  @Test
  void correction_thatWritesAVersionOfItsOwn_isFound() {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> assertNoRace(this::alignAboveAll));
  }

  /** Another check reports it. */
  @Test
  void alignment_ofARowThatCannotBeDecoded_leavesTheIndex() throws IOException {
    var post = begun(Beginning.RIGHT, true);
    assertThat(
            table
                .table()
                .update(
                    post.key(), new Update().set("created_at", "unreadable"), Condition.present())
                .isDone())
        .isTrue();

    var alignment =
        new TableIndex(table.table(), index).align(EntryKind.POST, List.of(post.postId()));

    assertThat(alignment.removed()).isZero();
    assertThat(isFound(post)).isTrue();
  }

  @Test
  void alignment_ofWhatAgrees_writesNothing() throws IOException {
    var post = begun(Beginning.MISSING, true);
    var upkeep = new TableIndex(table.table(), index);

    var first = upkeep.align(EntryKind.POST, List.of(post.postId(), "unknown"));
    var second = upkeep.align(EntryKind.POST, List.of(post.postId()));
    var account = upkeep.align(EntryKind.ACCOUNT, List.of(author.id(), author.id()));

    assertThat(first).isEqualTo(new IndexUpkeep.Alignment(1, 0, first.readUnits()));
    assertThat(second).isEqualTo(new IndexUpkeep.Alignment(0, 0, second.readUnits()));
    assertThat(account.written()).isEqualTo(1);
    assertThat(isFound(post)).isTrue();
    assertThat(upkeep.postsOf(author.id())).containsExactly(post.postId());
  }
}
