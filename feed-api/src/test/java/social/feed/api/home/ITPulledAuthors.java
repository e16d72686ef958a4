package social.feed.api.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.graph.FollowedLists;
import social.feed.api.http.ThrottlingWire;
import social.feed.table.cost.CostFormulas;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.RetainedPostsStore;
import social.feed.table.home.PullRegistry;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.PulledAuthor;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.Polling;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.TestTable;
import social.feed.testkit.fault.WiredClient;

/** The cost of finding the pulled authors whom a reader follows, as AWS bills it. */
@ExtendWith(EngineExtension.class)
class ITPulledAuthors {
  private static final int CELEBRITIES = 300;
  private static final double REVISION_COST = CostFormulas.REGISTRY_REVISION;
  private static final Duration INDEX_LAG = Duration.ofSeconds(10);

  private final TestTable table;
  private final SeedWorld world;
  private final Person reader;
  private final PullRegistry registry;
  private final PulledAuthors pulled;
  private double cost;

  ITPulledAuthors(TestTable table, SeedWorld world) {
    this.table = table;
    this.world = world;
    this.reader = world.user("reader");
    this.registry = new PullRegistry(table.table());
    this.pulled = pulled(registry, new PullConfiguration(Duration.ZERO, 100));
    forgetCelebrities();
  }

  private PulledAuthors pulled(PullRegistry stored, PullConfiguration configuration) {
    var follows = new FollowEdges(table.table());
    return new PulledAuthors(
        stored,
        follows,
        new FollowedLists(follows),
        new RetainedPostsStore(table.table()),
        configuration,
        table.clock());
  }

  private void forgetCelebrities() {
    table.table().deleteAll(registry.authors().stream().map(PulledAuthor::key).toList());
  }

  private List<Person> celebrities(int count) {
    var persons = new ArrayList<Person>();
    for (int i = 0; i < count; i++) {
      persons.add(new Person(world, "celebrity-%s-%s".formatted(reader.id(), i)));
    }
    register(persons);
    return persons;
  }

  private void register(List<Person> persons) {
    table
        .table()
        .putAll(persons.stream().map(p -> PulledAuthor.from(p.id(), Instant.EPOCH)).toList());
    raise(persons.getFirst());
  }

  /** Changes a row so that readers must see it. */
  private void raise(Person celebrity) {
    registry.change(
        celebrity.id(),
        Instant.EPOCH,
        row -> row.covering(row.pullFrom().minus(Duration.ofSeconds(1))));
  }

  /** Finds the authors, and notes the cost without that of the registry and the quota. */
  private List<String> found() {
    FollowQuota quota = world.quotas.of(reader.id());
    pulled.of(() -> FollowQuota.none("stranger"));
    var found = new ArrayList<PulledAuthor>();
    cost = billed(() -> found.addAll(pulled.of(() -> quota))) - REVISION_COST;
    return found.stream().map(PulledAuthor::authorId).toList();
  }

  /** Returns the read units that AWS bills for calls. */
  private double billed(Runnable calls) {
    try (var _ = table.bill()) {
      return TestTable.costOf(calls).read();
    }
  }

  private void followMany(int count) {
    var edges =
        IntStream.range(0, count)
            .mapToObj(i -> Follow.of(reader.id(), "followee-" + i, Instant.EPOCH.plusSeconds(i)))
            .toList();
    table.table().putAll(edges);
    table.table().putAll(List.of(new FollowQuota(reader.id(), count, count)));
  }

  @Test
  void manyCelebrities_costOnlyWhatTheReaderFollows() {
    var celebrities = celebrities(CELEBRITIES);
    reader.follows(celebrities.get(7));
    reader.follows(celebrities.get(250));
    for (int i = 0; i < 10; i++) {
      reader.follows(world.user("other" + i));
    }

    assertThat(found())
        .containsExactlyInAnyOrder(celebrities.get(7).id(), celebrities.get(250).id());
    assertThat(cost).as("12 edges in the index, and no retained row").isEqualTo(1.5);
    assertThat(cost).isLessThanOrEqualTo(CostFormulas.findPulledAuthors(CELEBRITIES, 12));
    assertThat(found()).hasSize(2);
    assertThat(cost).as("cached").isZero();
  }

  @Test
  void manyFollowees_costOnlyTheCelebrities() {
    followMany(4_998);
    var celebrities = celebrities(10);
    celebrities.subList(0, 2).forEach(reader::follows);

    assertThat(found()).hasSize(2);
    assertThat(cost).as("20 keys, of which 2 exist").isEqualTo(20);
    assertThat(CostFormulas.findPulledAuthors(10, 4_998)).isEqualTo(20);
    assertThat(found()).hasSize(2);
    assertThat(cost).as("cached").isZero();
  }

  @Test
  void newCelebrity_costsItsKeysOnly() {
    var celebrities = celebrities(CELEBRITIES);
    reader.follows(celebrities.getFirst());
    var fresh = world.user("fresh");
    reader.follows(fresh);
    assertThat(found()).containsExactly(celebrities.getFirst().id());

    register(List.of(fresh));

    assertThat(found()).containsExactlyInAnyOrder(celebrities.getFirst().id(), fresh.id());
    assertThat(cost).as("two keys, of which one exists").isEqualTo(2);
  }

  @Test
  void celebrityThatReturns_isExaminedAgain() {
    var celebrities = celebrities(CELEBRITIES);
    reader.follows(celebrities.getFirst());
    found();
    table.table().deleteAll(List.of(PulledAuthor.key(celebrities.getFirst().id())));
    raise(celebrities.getLast());
    assertThat(found()).isEmpty();

    register(celebrities.subList(0, 1));

    assertThat(found()).containsExactly(celebrities.getFirst().id());
  }

  @Test
  void retainedPosts_areFoundInTheList() {
    var celebrities = celebrities(CELEBRITIES);
    reader.follows(celebrities.getFirst());
    reader.unfollowsKeepingHistory(celebrities.getFirst());

    assertThat(found()).containsExactly(celebrities.getFirst().id());
    assertThat(cost).as("one retained row, no edge").isEqualTo(1.5);
  }

  /** In both ways to find them: in the lists, and by their keys. */
  @ParameterizedTest
  @ValueSource(ints = {1, CELEBRITIES})
  void retainedPosts_endWithTheFollow_untilTheNextOne(int count) {
    var star = celebrities(count).getFirst();
    reader.follows(star);
    assertThat(ends()).containsExactly(Optional.empty());

    reader.unfollowsKeepingHistory(star);
    var kept = new RetainedPostsStore(table.table()).of(reader.id(), star.id()).orElseThrow();

    assertThat(ends()).containsExactly(Optional.of(kept.until()));
    reader.follows(star);
    assertThat(ends()).containsExactly(Optional.empty());
    reader.unfollows(star);
    assertThat(ends()).isEmpty();
  }

  @Test
  void authorWhoBecameACelebrityAfterTheFollow_isNotFound() {
    var star = world.user("star");
    reader.follows(star);
    reader.unfollowsKeepingHistory(star);

    registry.change(star.id(), table.clock().instant(), row -> row);

    assertThat(found()).isEmpty();
  }

  /** Returns when the periods of the found authors end. */
  private List<Optional<Instant>> ends() {
    FollowQuota quota = world.quotas.of(reader.id());
    return pulled.of(() -> quota).stream()
        .map(author -> Optional.ofNullable(author.pullUntil()))
        .toList();
  }

  @Test
  void unfollow_countsAtOnce() {
    var celebrities = celebrities(CELEBRITIES);
    reader.follows(celebrities.getFirst());
    assertThat(found()).hasSize(1);

    reader.unfollows(celebrities.getFirst());

    assertThat(found()).isEmpty();
  }

  /** The number of followed accounts is the same before and after. */
  @Test
  void unfollowAndFollow_countAtOnce() {
    var celebrities = celebrities(CELEBRITIES);
    reader.follows(celebrities.getFirst());
    assertThat(found()).containsExactly(celebrities.getFirst().id());

    reader.unfollows(celebrities.getFirst());
    reader.follows(celebrities.get(1));

    assertThat(found()).containsExactly(celebrities.get(1).id());
  }

  @Test
  void listOfALateIndex_isReadAgainOnce() {
    var celebrities = celebrities(CELEBRITIES);
    var late = reader.follows(celebrities.getFirst());
    reader.follows(celebrities.get(1));
    hideFromIndex(late);
    // A list of the expected length, as after an unfollow that the index does not show either.
    var quota = world.quotas.of(reader.id());
    table.table().putAll(List.of(quota.corrected(1, quota.version())));
    assertThat(found()).containsExactly(celebrities.get(1).id());

    table.table().putAll(List.of(late));
    table.table().putAll(List.of(quota));
    table.clock().advance(INDEX_LAG.minusSeconds(1));
    assertThat(found()).containsExactly(celebrities.get(1).id());
    assertThat(cost).as("too early to read again").isZero();
    table.clock().advance(Duration.ofSeconds(1));

    assertThat(found()).hasSize(2);
    assertThat(cost).isEqualTo(1.5);
    table.clock().advance(Duration.ofDays(1));
    assertThat(found()).hasSize(2);
    assertThat(cost).as("final").isZero();
  }

  @Test
  void listOfAnotherLength_isReadAgainAfterGrowingIntervals() {
    var celebrities = celebrities(CELEBRITIES);
    var late = reader.follows(celebrities.getFirst());
    reader.follows(celebrities.get(1));
    hideFromIndex(late);
    int lists = 0;
    for (int second = 0; second < 100; second++) {
      assertThat(found()).containsExactly(celebrities.get(1).id());
      lists += cost > 0 ? 1 : 0;
      table.clock().advance(Duration.ofSeconds(1));
    }
    assertThat(lists).as("at 0, 10, 20, 40 and 80 seconds").isEqualTo(5);

    table.table().putAll(List.of(late));
    table.clock().advance(Duration.ofSeconds(100));

    assertThat(found()).hasSize(2);
  }

  @Test
  void unchangedRegistry_costsItsRevision() {
    celebrities(CELEBRITIES);
    found();

    assertThat(billed(() -> pulled.of(() -> FollowQuota.none("stranger"))))
        .isEqualTo(REVISION_COST);
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 200, 1_000})
  void registry_costsWhatTheFormulaSays(int count) {
    table
        .table()
        .putAll(
            IntStream.range(0, count)
                .mapToObj(_ -> PulledAuthor.from(UUID.randomUUID().toString(), Instant.EPOCH))
                .map(author -> author.flipped(true, 1_000, Instant.EPOCH).published(1_000))
                .toList());

    assertThat(billed(registry::authors))
        .isCloseTo(CostFormulas.registry(count), withinPercentage(10));
  }

  @Test
  void changeWithoutARevision_isFoundAfterMinutes() {
    celebrities(CELEBRITIES);
    var late = world.user("late");
    reader.follows(late);
    assertThat(found()).isEmpty();

    table.table().putAll(List.of(PulledAuthor.from(late.id(), Instant.EPOCH)));

    assertThat(found()).isEmpty();
    table.clock().advance(Duration.ofMinutes(5));
    assertThat(found()).containsExactly(late.id());
  }

  /** Otherwise each would begin a read of its own, one after the other. */
  @Test
  void registryThatCannotBeRead_isReadOnceForAllWhoWait() throws InterruptedException {
    int readers = 5;
    var wire = new ThrottlingWire();
    var slow =
        pulled(
            new PullRegistry(WiredClient.table(table.table(), wire)),
            new PullConfiguration(Duration.ZERO, 100));
    slow.of(() -> FollowQuota.none("stranger"));
    var ends = new CountDownLatch(1);
    wire.refuse(
        _ -> {
          try {
            ends.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return true;
        });
    var failures = new ConcurrentLinkedQueue<RuntimeException>();
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < readers; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      slow.of(() -> FollowQuota.none("stranger"));
                    } catch (RuntimeException e) {
                      failures.add(e);
                    }
                  }));
    }
    Polling.until(() -> threads.stream().allMatch(ITPulledAuthors::waits));

    ends.countDown();

    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).hasSize(readers);
    assertThat(wire.refusals()).isEqualTo(1);
    wire.cease();
    assertThat(slow.of(() -> FollowQuota.none("stranger"))).isEmpty();
  }

  private static boolean waits(Thread thread) {
    return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.BLOCKED;
  }

  @Test
  void readersRemembered_boundTheCache() {
    var celebrities = celebrities(CELEBRITIES);
    celebrities.subList(0, 50).forEach(reader::follows);
    var small = pulled(registry, new PullConfiguration(Duration.ofHours(1), 2));
    FollowQuota quota = world.quotas.of(reader.id());

    assertThat(billed(() -> small.of(() -> quota))).as("with the registry").isEqualTo(16.5);
    assertThat(billed(() -> small.of(() -> quota)))
        .as("counts as three readers, so what it retains is not cached; what it follows is")
        .isEqualTo(1.0);
  }

  /** Removes an edge from the index, as if the index were late. */
  private void hideFromIndex(Follow edge) {
    table
        .table()
        .update(
            edge.key(), new Update().remove(Index.FOLLOWING.partitionKey()), Condition.present());
  }
}
