package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.event.EventType;
import social.feed.search.EntryKind;
import social.feed.search.IndexState;
import social.feed.search.IndexedAccount;
import social.feed.search.IndexedPost;
import social.feed.search.SearchIndex;
import social.feed.search.lucene.LuceneIndex;
import social.feed.streams.effect.WakeErasureHandler.WakeErasure;
import social.feed.streams.sink.EventOutbox;
import social.feed.streams.sink.IndexTraces;
import social.feed.streams.sink.SearchSink;
import social.feed.streams.sink.SinkMessage;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.erasure.ErasureTraces;
import social.feed.table.erasure.Erasures;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.ErasureTimer;
import social.feed.testkit.SeedWorld.Person;

/** An erasure does not end before the search index has nothing of the account. */
class ITErasureTraces {
  private static final int SWEEPS = 4;

  /** Two such requests are too long for a part. */
  private static final Duration SLOW = Duration.ofSeconds(6);

  private final List<SinkMessage> queue = new ArrayList<>();
  private StreamHarness harness;
  private SearchIndex index;
  private Person ann;
  private Person bob;

  /**
   * Each account has an entry, and one of its post, which the index keeps when all rows are gone.
   */
  @BeforeEach
  void start() throws IOException {
    harness = StreamHarness.start();
    index = LuceneIndex.inMemory(InstantSource.system());
    ann = harness.world.user("ann");
    bob = harness.world.user("bob");
    for (var person : List.of(ann, bob)) {
      var post = person.posts("some tea");
      index.putAccount(new IndexedAccount(person.id(), person.id(), person.id()), "5");
      index.putPost(
          new IndexedPost(post.postId(), person.id(), "some tea", Set.of(), post.createdAt()), "5");
    }
    harness.drain();
  }

  @AfterEach
  void stop() throws IOException {
    index.close();
    harness.close();
  }

  private IndexTraces traces(SearchIndex there) {
    return traces(there, harness.table.clock());
  }

  private IndexTraces traces(SearchIndex there, Clock clock) {
    return new IndexTraces(
        there,
        new EventOutbox((messages, _) -> queue.addAll(messages), _ -> List.of(), Clock.systemUTC()),
        clock);
  }

  private ErasureStep step() {
    return step(ann);
  }

  private ErasureStep step(Person person) {
    return new Erasures(harness.table.table(), harness.world.users)
        .of(person.id())
        .orElseThrow()
        .step();
  }

  private void erase(Person... people) {
    var erasures = new Erasures(harness.table.table(), harness.world.users);
    for (var person : people) {
      erasures.begin(person.id(), Timestamps.now(harness.table.clock()));
    }
    harness.drain();
  }

  /** More sweeps than an erasure takes that has nothing to wait for. */
  private void sweep() {
    for (int i = 0; i < SWEEPS; i++) {
      harness.table.clock().advance(ErasureSweeps.MAX_PERIOD);
      var timer = ErasureTimer.ofSweep(0, Timestamps.now(harness.table.clock()));
      harness.handlers.apply(List.of(new WakeErasure(timer)));
      harness.drain();
    }
  }

  private List<IndexState> left() throws IOException {
    var left = new ArrayList<IndexState>();
    for (var kind : EntryKind.values()) {
      left.addAll(index.statesAfter(kind, "", SearchIndex.MAX_STATES));
    }
    return left;
  }

  private void assertWaitsForTheIndex() {
    erase(ann);
    sweep();
    assertThat(step()).isEqualTo(ErasureStep.RESTING);
  }

  @Test
  void erasure_waitsUntilTheSinkHasRemovedTheEntries() throws IOException {
    harness.traces = traces(index);

    assertWaitsForTheIndex();

    assertThat(queue).allMatch(message -> message.sink().equals(SearchSink.NAME));
    assertThat(queue)
        .extracting(message -> message.event().type())
        .contains(EventType.POST_DELETED, EventType.ACCOUNT_ERASED);
    var sink = new SearchSink(index);
    queue.forEach(message -> sink.publish(message.event()));
    queue.clear();
    sweep();
    assertThat(step()).isEqualTo(ErasureStep.ERASED);
    assertThat(queue).isEmpty();
    assertThat(left()).hasSize(2).noneMatch(state -> state.id().equals(ann.id()));
    assertThat(left()).anyMatch(state -> state.id().equals(bob.id()));
  }

  /** An entry of a rebuild has no version. Its removal is below what the id does later. */
  @Test
  void removedEntryOfARebuild_isReplacedByALaterEvent() throws IOException {
    var account = new IndexedAccount(ann.id(), ann.id(), ann.id());
    try (var rebuilt = LuceneIndex.inMemory(InstantSource.system())) {
      rebuilt.putAccount(account, SearchIndex.NO_VERSION);
      assertThat(traces(rebuilt).areLeft(ann.id())).isTrue();
      var sink = new SearchSink(rebuilt);
      queue.forEach(message -> sink.publish(message.event()));
      assertThat(traces(rebuilt).areLeft(ann.id())).isFalse();

      rebuilt.putAccount(account, "5");
      assertThat(traces(rebuilt).areLeft(ann.id())).isTrue();
    }
  }

  /** A feed does not wait for it, and neither does the sweep. */
  @Test
  void erasure_waitsForAnIndexThatIsAway() throws IOException {
    var away = LuceneIndex.inMemory(InstantSource.system());
    away.close();
    harness.traces = traces(away);

    assertWaitsForTheIndex();

    assertThat(ErasureSweeps.current(harness.table.table()).isUnderWay()).isFalse();
    assertThat(harness.deadLetters).isEmpty();
    try (var back = LuceneIndex.inMemory(InstantSource.system())) {
      harness.traces = traces(back);
      sweep();
    }
    assertThat(step()).isEqualTo(ErasureStep.ERASED);
  }

  /** As after a loss of the deletions of a busy author. */
  @Test
  void erasure_ofAnAccountWithThousandsOfEntries_removesAllAtOneSweep() throws IOException {
    int posts = 2 * SearchIndex.MAX_STATES + 1;
    for (int i = 0; i < posts; i++) {
      index.putPost(
          new IndexedPost("lost" + i, ann.id(), "some tea", Set.of(), Instant.EPOCH), "5");
    }
    assertThat(traces(index).areLeft(ann.id())).isTrue();

    assertThat(queue).extracting(message -> message.event().entity()).doesNotHaveDuplicates();
    assertThat(queue).hasSize(posts + 2);
    var sink = new SearchSink(index);
    queue.forEach(message -> sink.publish(message.event()));
    assertThat(traces(index).areLeft(ann.id())).isFalse();
  }

  /** A request that takes a while and answers, as that of a server with too much to do. */
  private SearchIndex slow(SearchIndex right, Duration time, Map<String, Integer> requests) {
    return (SearchIndex)
        Proxy.newProxyInstance(
            SearchIndex.class.getClassLoader(),
            new Class<?>[] {SearchIndex.class},
            (_, method, arguments) -> {
              requests.merge(method.getName(), 1, Integer::sum);
              harness.table.clock().advance(time);
              return method.invoke(right, arguments);
            });
  }

  /** Otherwise a page takes as long as the index, and the effects behind it wait. */
  @Test
  void indexThatAnswersSlowly_isAskedForFewPages() throws IOException {
    for (int i = 0; i < 5 * SearchIndex.MAX_STATES; i++) {
      index.putPost(
          new IndexedPost("lost" + i, ann.id(), "some tea", Set.of(), Instant.EPOCH), "5");
    }
    var requests = new TreeMap<String, Integer>();
    assertThat(traces(slow(index, SLOW, requests)).areLeft(ann.id())).isTrue();
    assertThat(requests).isEqualTo(Map.of("refresh", 1, "statesOf", 1, "states", 1));
  }

  /** Has its first page of posts twenty times. */
  private static SearchIndex repeated(SearchIndex right) {
    var pages = new AtomicInteger();
    return (SearchIndex)
        Proxy.newProxyInstance(
            SearchIndex.class.getClassLoader(),
            new Class<?>[] {SearchIndex.class},
            (_, method, arguments) -> {
              if (!method.getName().equals("statesOf")) {
                return method.invoke(right, arguments);
              }
              return pages.incrementAndGet() > 20
                  ? List.of()
                  : right.statesOf((String) arguments[0], "", (int) arguments[2]);
            });
  }

  /**
   * Otherwise one account fills the queue. The time of a part does not end it: the clock stands.
   */
  @Test
  void accountWithMorePostsThanASweepRemoves_isLeftForTheNextSweep() throws IOException {
    for (int i = 0; i < SearchIndex.MAX_STATES; i++) {
      index.putPost(
          new IndexedPost("lost" + i, ann.id(), "some tea", Set.of(), Instant.EPOCH), "5");
    }
    var standing = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
    assertThat(traces(repeated(index), standing).areLeft(ann.id())).isTrue();

    assertThat(queue)
        .filteredOn(message -> message.event().type() == EventType.POST_DELETED)
        .hasSize(10_000);
  }

  /** No part takes longer than its time and one account, and no erasure waits for a week. */
  @Test
  void erasures_withAnIndexThatAnswersSlowly_endInSeveralPartsOfOneSweep() throws IOException {
    var people = new ArrayList<>(List.of(ann, bob));
    IntStream.range(0, 4).mapToObj(i -> harness.world.user("carl" + i)).forEach(people::add);
    erase(people.toArray(Person[]::new));
    try (var empty = LuceneIndex.inMemory(InstantSource.system())) {
      var requests = new TreeMap<String, Integer>();
      harness.traces = traces(slow(empty, SLOW, requests));
      sweep();
      assertThat(people).allMatch(person -> step(person) == ErasureStep.ERASED);
      assertThat(requests).containsEntry("states", people.size());
      // A part has time for one account, which takes more than ten seconds.
      assertThat(requests).containsEntry("refresh", people.size());
    }
  }

  /** A refresh is the most expensive of the requests. */
  @Test
  void accounts_ofOnePart_shareARefresh() {
    var requests = new TreeMap<String, Integer>();
    var part = traces(slow(index, Duration.ofSeconds(1), requests)).ofPart();
    for (int i = 0; i < 3; i++) {
      assertThat(part.areLeft(ann.id())).isTrue();
      assertThat(part.areLeft("unknown" + i)).isFalse();
    }
    assertThat(requests).isEqualTo(Map.of("refresh", 1, "statesOf", 6, "states", 6, "commit", 3));
  }

  @Test
  void erasures_ofOnePart_askOnePart() {
    var asked = new ArrayList<String>();
    harness.traces =
        new ErasureTraces() {
          @Override
          public boolean areLeft(String userId) {
            throw new IllegalStateException("not of a part");
          }

          @Override
          public ErasureTraces ofPart() {
            return userId -> !asked.add(userId);
          }
        };
    erase(ann, bob);
    sweep();
    assertThat(asked).containsExactlyInAnyOrder(ann.id(), bob.id());
    assertThat(step(ann)).isEqualTo(ErasureStep.ERASED);
  }

  /** The planted fault: a platform that does not ask its index. */
  @Test
  void erasureThatDoesNotAsk_isFound() {
    harness.traces = ErasureTraces.NONE;

    assertThatExceptionOfType(AssertionError.class).isThrownBy(this::assertWaitsForTheIndex);
  }
}
