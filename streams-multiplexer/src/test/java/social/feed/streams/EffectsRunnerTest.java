package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.effect.ChangeVisibilityHandler.ChangeVisibility;
import social.feed.streams.effect.CountOnceHandler.CountOnce;
import social.feed.streams.effect.Effect;
import social.feed.streams.effect.PostInteractionHandler.PostInteraction;
import social.feed.streams.plan.Plan;
import social.feed.table.kernel.store.Concurrency;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.row.Fence;
import social.feed.table.row.Follow;
import social.feed.table.row.Like;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;
import social.feed.testkit.SamplePosts;

class EffectsRunnerTest {
  private static final RuntimeException RETRYABLE = new ThrottledException("test", 1, 1);
  private static final RuntimeException PERMANENT = new IllegalArgumentException("breaks a rule");

  private final List<List<Effect>> applied = new ArrayList<>();
  private final Map<String, RuntimeException> failing = new HashMap<>();
  private final List<DeadLetter> deadLetters = new ArrayList<>();
  private final EffectsRunner runner = runner(1);

  @Test
  void run_appliesEffectsInTheOrderOfTheStream() {
    runner.run(
        List.of(
            StreamRecords.inserted(1, SampleRowLists.post(Visibility.PRIVATE)),
            StreamRecords.inserted(2, SampleRowLists.like("bob")),
            StreamRecords.removed(3, SampleRowLists.like("bob"))));
    assertThat(applied.stream().map(run -> Plan.nameOf(run.getFirst())))
        .containsExactly("CountOnce", "FanOut", "WriteTags", "Retract");
  }

  @Test
  void run_effectsOfOneKindInARow_areAppliedTogether() {
    assertThat(runner.run(likes("a", "b", "c"))).isEmpty();
    assertThat(applied).hasSize(1);
    assertThat(likers(applied.getFirst())).containsExactly("a", "b", "c");
  }

  @Test
  void run_retryableFailure_stopsAndReportsTheRecord() {
    failing.put("c", RETRYABLE);
    var records = new ArrayList<>(likes("a"));
    records.add(StreamRecords.removed(2, SampleRowLists.like("b")));
    records.addAll(likes(3, "c"));
    records.add(StreamRecords.removed(4, SampleRowLists.like("d")));
    assertThat(runner.run(records)).contains(records.get(2));
    assertThat(applied).hasSize(2);
    assertThat(deadLetters).isEmpty();
  }

  @Test
  void run_permanentFailure_isOneDeadLetterAndItsNeighborsAreDone() {
    failing.put("b", PERMANENT);
    assertThat(runner.run(likes("a", "b", "c"))).isEmpty();
    assertThat(applied.stream().flatMap(run -> likers(run).stream())).containsExactly("a", "c");
    assertThat(deadLetters).hasSize(1);
    assertThat(deadLetters.getFirst().handler()).isEqualTo("Engage");
    assertThat(deadLetters.getFirst().reason()).contains("breaks a rule");
    assertThat(deadLetters.getFirst().record().getDynamodb().getSequenceNumber())
        .isEqualTo(StreamRecords.sequence(2));
  }

  /** The other effect has the same order, so it waited for the failed one. */
  @Test
  void run_permanentFailureBeforeAnotherEffectOfItsRecord_isOneDeadLetterAndTheOtherIsApplied() {
    failing.put("FanOut", PERMANENT);
    var records = List.of(StreamRecords.inserted(1, SampleRowLists.post(Visibility.PRIVATE)));

    assertThat(runner.run(records)).isEmpty();

    assertThat(deadLetters).extracting(DeadLetter::handler).containsExactly("FanOut");
    assertThat(applied.stream().map(run -> Plan.nameOf(run.getFirst())))
        .containsExactlyInAnyOrder("CountOnce", "WriteTags");
  }

  @Test
  void run_permanentFailureBeforeARefusedEffectOfItsRecord_comesAgainWithoutADeadLetter() {
    failing.put("FanOut", PERMANENT);
    failing.put("CountOnce", RETRYABLE);
    var records = List.of(StreamRecords.inserted(1, SampleRowLists.post(Visibility.PRIVATE)));

    assertThat(runner.run(records)).contains(records.getFirst());
    assertThat(deadLetters).isEmpty();
  }

  @Test
  void run_permanentThenRetryableFailure_isOneDeadLetterAndOneReport() {
    failing.put("a", PERMANENT);
    failing.put("c", RETRYABLE);
    var records = likes("a", "b", "c", "d");
    // The group fails by its first effect, so each is tried alone until a failure is retryable.
    assertThat(runner.run(records)).contains(records.get(2));
    assertThat(deadLetters).hasSize(1);
    assertThat(applied.stream().flatMap(run -> likers(run).stream())).containsExactly("b");
  }

  @Test
  void run_unreadableRecord_isOneDeadLetterAndTheRestGoesOn() {
    var records = new ArrayList<>(likes("a"));
    records.add(StreamRecords.of(2, "INSERT", null, null));
    records.addAll(likes(3, "c"));
    assertThat(runner.run(records)).isEmpty();
    assertThat(deadLetters).extracting(DeadLetter::handler).containsExactly("decode");
    assertThat(applied.stream().flatMap(run -> likers(run).stream())).containsExactly("a", "c");
  }

  @Test
  void run_unreadableRecordBehindARetryableFailure_isNoDeadLetterYet() {
    failing.put("a", RETRYABLE);
    var records = new ArrayList<>(likes("a"));
    records.add(StreamRecords.of(2, "INSERT", null, null));
    for (int attempt = 1; attempt <= 3; attempt++) {
      assertThat(runner.run(records)).contains(records.getFirst());
    }
    assertThat(deadLetters).isEmpty();
    failing.clear();
    runner.run(records);
    assertThat(deadLetters).hasSize(1);
  }

  @Test
  void run_deadLetterCannotBeStored_comesAgain() {
    failing.put("b", PERMANENT);
    var down =
        new EffectsRunner(
            new Plan(Duration.ofDays(90)),
            this::apply,
            deadLetter -> {
              throw new IllegalStateException("queue is down");
            },
            _ -> {},
            inTurn(1));
    assertThatThrownBy(() -> down.run(likes("a", "b"))).hasMessage("queue is down");
    assertThat(runner.run(likes("a", "b"))).isEmpty();
    assertThat(deadLetters).hasSize(1);
  }

  @Test
  void run_emptyBatch_isDone() {
    assertThat(runner.run(List.of())).isEmpty();
    assertThat(applied).isEmpty();
  }

  @Test
  void run_fiftyFlipsOfOnePost_areOneEffectOfEachKind_withTheLastState() {
    assertThat(runner.run(flips(50))).isEmpty();
    assertThat(applied.stream().map(run -> Plan.nameOf(run.getFirst())))
        .containsExactly("ChangeVisibility", "TellMentioned", "Announce");
    assertThat(applied)
        .allSatisfy(run -> assertThat(run).hasSize(1))
        .first()
        .isEqualTo(List.of(new ChangeVisibility(SampleRowLists.post(Visibility.PUBLIC))));
  }

  @Test
  void run_likesThatAreTakenBack_areRetractedTogether_andNoneIsNotified() {
    var records = new ArrayList<DynamodbStreamRecord>();
    records.add(StreamRecords.inserted(1, SampleRowLists.post(Visibility.PUBLIC)));
    for (int i = 0; i < 3; i++) {
      records.add(StreamRecords.inserted(2 + 2 * i, SampleRowLists.like("bob")));
      records.add(StreamRecords.removed(3 + 2 * i, SampleRowLists.like("bob")));
    }
    records.add(StreamRecords.removed(8, SampleRowLists.post(Visibility.PUBLIC)));
    assertThat(runner.run(records)).isEmpty();
    assertThat(names())
        .filteredOn(name -> Set.of("CountOnce", "Engage", "Retract", "CleanUpPost").contains(name))
        .containsExactly(
            "CountOnce", "CountOnce", "Retract", "Retract", "Retract", "CleanUpPost", "Retract");
    assertThat(applied)
        .filteredOn(run -> Plan.nameOf(run.getFirst()).equals("Retract"))
        .extracting(List::size)
        .containsExactly(3, 1);
  }

  @Test
  void run_oneOfManyLikesIsGivenAndTakenInTurn_areTwoCalls_theLastStateLast() {
    var records = new ArrayList<>(likes("a", "b"));
    for (int i = 3; i < 103; i += 2) {
      records.add(StreamRecords.removed(i, SampleRowLists.like("a")));
      records.add(StreamRecords.inserted(i + 1, SampleRowLists.like("a")));
    }
    records.add(StreamRecords.inserted(103, SampleRowLists.like("c")));
    assertThat(runner.run(records)).isEmpty();
    assertThat(applied.stream().map(run -> Plan.nameOf(run.getFirst()) + run.size()))
        .containsExactly("Engage2", "Retract50", "Engage1");
    assertThat(likers(applied.getFirst())).containsExactly("b", "c");
    assertThat(likers(applied.getLast())).containsExactly("a");
  }

  /** What it retracts of the likes before it must not wait for the event source to give it up. */
  @Test
  void run_lastLikeOfManyIsPoison_isOneDeadLetter_andTheOthersAreRetracted() {
    failing.put("a", PERMANENT);
    var records = new ArrayList<>(likes("a"));
    records.add(StreamRecords.removed(2, SampleRowLists.like("a")));
    records.addAll(likes(3, "a"));
    assertThat(runner.run(records)).isEmpty();
    assertThat(names()).containsExactly("Retract");
    assertThat(numbers()).containsExactly(StreamRecords.sequence(3));
  }

  /** Its records come again and again, until the event source gives the batch up. */
  @Test
  void run_onePartitionRefuses_theEffectsOfOthersInItsTaskAreAppliedAtOnce() {
    failing.put("refused", RETRYABLE);
    var records = new ArrayList<DynamodbStreamRecord>();
    records.add(StreamRecords.inserted(1, like("hot", "refused")));
    records.add(StreamRecords.removed(2, like("hot", "behind it")));
    for (int i = 3; i <= 20; i++) {
      records.add(StreamRecords.inserted(i, like("post" + i, "stranger" + i)));
      records.add(StreamRecords.removed(100 + i, like("other" + i, "stranger" + i)));
    }
    for (int tasks : List.of(1, 3, 16)) {
      applied.clear();
      assertThat(runner(tasks).run(records)).contains(records.getFirst());
      assertThat(applied.stream().flatMap(run -> likers(run).stream()))
          .hasSize(18)
          .allMatch(liker -> liker.startsWith("stranger"));
      assertThat(names().filter("Retract"::equals)).hasSizeBetween(18, 19);
    }
    assertThat(deadLetters).isEmpty();
  }

  @Test
  void run_tableRefusesEverything_isGivenUpSoon() {
    var calls = new AtomicInteger();
    var down =
        new EffectsRunner(
            new Plan(Duration.ofDays(90)),
            _ -> {
              calls.incrementAndGet();
              throw RETRYABLE;
            },
            deadLetters::add,
            _ -> {},
            inTurn(16));
    var records =
        IntStream.rangeClosed(1, 500)
            .mapToObj(i -> StreamRecords.inserted(i, like("post" + i, "a")))
            .toList();
    assertThat(down.run(records)).contains(records.getFirst());
    assertThat(calls).hasValue(32);
    assertThat(deadLetters).isEmpty();
  }

  @Test
  void run_collapsedEffectFails_isAppliedWithTheLastStateByEachRetry() {
    failing.put("ChangeVisibility", RETRYABLE);
    var records = new ArrayList<>(flips(4));
    records.addAll(likes(5, "a"));
    var failed = runner.run(records).orElseThrow();
    assertThat(failed).isSameAs(records.get(3));
    assertThat(applied).isEmpty();

    // However the event source cuts the rest, the last flip is in it.
    failing.clear();
    for (var part : List.of(List.of(failed), records.subList(records.indexOf(failed), 5))) {
      applied.clear();
      assertThat(runner.run(part)).isEmpty();
      assertThat(applied.getFirst())
          .isEqualTo(List.of(new ChangeVisibility(SampleRowLists.post(Visibility.PUBLIC))));
    }
  }

  @Test
  void run_effectsOfOneKindOfDifferentItems_areAppliedTogether_eachItemInOrder() {
    var records =
        List.of(
            StreamRecords.inserted(1, like("1", "a")),
            StreamRecords.removed(2, like("1", "b")),
            StreamRecords.inserted(3, like("2", "c")),
            StreamRecords.inserted(4, like("1", "d")),
            StreamRecords.removed(5, like("2", "e")),
            StreamRecords.inserted(6, like("3", "f")));
    assertThat(runner.run(records)).isEmpty();
    assertThat(applied.stream().map(run -> Plan.nameOf(run.getFirst()) + run.size()))
        .containsExactly("Engage4", "Retract2");
    assertThat(likers(applied.getFirst())).containsExactly("a", "c", "d", "f");
  }

  @Test
  void run_severalTasksFail_reportsTheFirstRecordOfAll_andAppliesWhatIsOfOtherKeys() {
    failing.put("b", RETRYABLE);
    failing.put("c", RETRYABLE);
    var records =
        List.of(
            StreamRecords.inserted(1, like("1", "a")),
            StreamRecords.inserted(2, like("2", "c")),
            StreamRecords.removed(3, like("1", "x")),
            StreamRecords.inserted(4, like("1", "b")),
            StreamRecords.inserted(5, like("3", "d")));
    assertThat(runner(3).run(records)).contains(records.get(1));
    assertThat(applied.stream().flatMap(run -> likers(run).stream())).containsExactly("a", "d");
  }

  @Test
  void run_poisonInSeveralTasks_isADeadLetterOnlyBeforeTheRecordThatComesAgain() {
    failing.put("a", PERMANENT);
    failing.put("b", RETRYABLE);
    failing.put("c", PERMANENT);
    var records =
        List.of(
            StreamRecords.inserted(1, like("1", "a")),
            StreamRecords.inserted(2, like("2", "b")),
            StreamRecords.inserted(3, like("3", "c")),
            StreamRecords.inserted(4, like("1", "d")));
    assertThat(runner(3).run(records)).contains(records.get(1));
    assertThat(numbers()).containsExactly(StreamRecords.sequence(1));

    failing.remove("b");
    assertThat(runner(3).run(records.subList(1, 4))).isEmpty();
    assertThat(numbers()).containsExactly(StreamRecords.sequence(1), StreamRecords.sequence(3));
    assertThat(applied.stream().flatMap(run -> likers(run).stream())).contains("b", "d");
  }

  @Test
  void run_itemsOfATask_areReportedFromTheFirstUnfinishedOne() {
    failing.put("c", RETRYABLE);
    failing.put("a", PERMANENT);
    var records =
        List.of(
            StreamRecords.inserted(1, like("1", "a")),
            StreamRecords.removed(2, like("2", "b")),
            StreamRecords.inserted(3, like("1", "c")));
    // The group of both likes fails by the first, and each is tried when its turn comes.
    assertThat(runner.run(records)).contains(records.get(2));
    assertThat(names()).containsExactly("Retract");
    assertThat(numbers()).containsExactly(StreamRecords.sequence(1));
  }

  @Test
  void run_itemsOfDifferentKeys_areAppliedAtOnce() {
    var both = new CountDownLatch(2);
    var met = new AtomicInteger();
    var parallel =
        new EffectsRunner(
            new Plan(Duration.ofDays(90)),
            _ -> {
              both.countDown();
              if (await(both)) {
                met.incrementAndGet();
              }
            },
            deadLetters::add,
            _ -> {},
            Concurrency.ofThreads(2));
    assertThat(
            parallel.run(
                List.of(
                    StreamRecords.inserted(1, like("1", "a")),
                    StreamRecords.inserted(2, like("2", "b")))))
        .isEmpty();
    assertThat(met).hasValue(2);
  }

  @Test
  void run_postsOfOneAuthor_areCountedTogether_byOneTask() {
    var records =
        IntStream.rangeClosed(1, 40)
            .mapToObj(i -> StreamRecords.inserted(i, post("p" + i)))
            .toList();
    assertThat(runner(16).run(records)).isEmpty();
    assertThat(applied)
        .filteredOn(group -> Plan.nameOf(group.getFirst()).equals("CountOnce"))
        .singleElement(InstanceOfAssertFactories.LIST)
        .hasSize(40);
  }

  @Test
  void run_postsOfManyAuthors_areSharedByAllTasks() {
    var records =
        IntStream.rangeClosed(1, 32)
            .mapToObj(i -> StreamRecords.inserted(i, post("p" + i, "author" + i)))
            .toList();
    assertThat(runner(16).run(records)).isEmpty();
    for (var kind : List.of("CountOnce", "FanOut")) {
      assertThat(applied)
          .filteredOn(group -> Plan.nameOf(group.getFirst()).equals(kind))
          .hasSize(16)
          .allSatisfy(group -> assertThat(group).hasSize(2));
    }
  }

  @Test
  void run_fence_isPassedAfterAllThatWasBeforeIt() {
    var records =
        List.of(
            StreamRecords.inserted(1, fence("first")),
            StreamRecords.inserted(2, post("a")),
            StreamRecords.inserted(3, fence("second")),
            StreamRecords.inserted(4, like("2", "b")));
    assertThat(runner(16).run(records)).isEmpty();
    assertThat(names()).endsWith("Engage", "CountOnce", "CountOnce").startsWith("CountOnce");
    assertThat(fences()).containsExactly("first", "second");
  }

  @Test
  void run_fenceBehindAFailure_isNotPassed_andOneBeforeItIs() {
    failing.put("b", RETRYABLE);
    var records =
        List.of(
            StreamRecords.inserted(1, fence("first")),
            StreamRecords.inserted(2, like("2", "b")),
            StreamRecords.inserted(3, fence("second")));
    assertThat(runner(16).run(records)).contains(records.get(1));
    assertThat(fences()).containsExactly("first");
  }

  /** Its dead letter would be sent again with each retry of the other effect. */
  @Test
  void run_oneEffectOfARecordIsPoisonAndAnotherComesAgain_isNoDeadLetterYet() {
    failing.put("CountOnce", PERMANENT);
    failing.put("FanOut", RETRYABLE);
    // The like takes the first task, so that both effects of the post are in different ones.
    var records =
        List.of(StreamRecords.inserted(1, like("2", "b")), StreamRecords.inserted(2, post("a")));
    assertThat(runner(16).run(records)).contains(records.getLast());
    assertThat(deadLetters).isEmpty();

    failing.remove("FanOut");
    assertThat(runner(16).run(records)).isEmpty();
    assertThat(deadLetters).extracting(DeadLetter::handler).containsExactly("CountOnce");
  }

  /** They are in one partition, and the order of each edge is enough. */
  @Test
  void run_followsOfOneAccount_areOneGroupOfEachKind_alsoWithEvents() {
    var edges =
        Stream.of("bob", "cid", "dan")
            .map(follower -> Follow.of(follower, "ann", SampleRowLists.AT))
            .toList();
    var records = new ArrayList<DynamodbStreamRecord>();
    edges.forEach(edge -> records.add(StreamRecords.inserted(records.size() + 1, edge)));
    records.add(StreamRecords.removed(4, edges.getFirst()));

    assertThat(runner(new Plan(Duration.ofDays(90)).withEvents(), 1).run(records)).isEmpty();

    assertThat(applied)
        .extracting(run -> Plan.nameOf(run.getFirst()), List::size)
        .containsExactly(
            tuple("Backfill", 3),
            tuple("Notify", 3),
            tuple("Publish", 4),
            tuple("LeaveFeed", 1),
            tuple("Retract", 1));
  }

  private List<String> fences() {
    return applied.stream()
        .flatMap(List::stream)
        .filter(Plan::isFence)
        .map(effect -> ((CountOnce) effect).item())
        .map(key -> key.sort().substring(key.sort().lastIndexOf('#') + 1))
        .toList();
  }

  private static Post post(String id) {
    return post(id, "ann");
  }

  private static Post post(String id, String authorId) {
    return SamplePosts.by(authorId, SampleRowLists.AT).id(id).feedShards(1).build();
  }

  private static Fence fence(String name) {
    return new Fence("POST#a", name, true, true, 0, Map.of(), 1_900_000_000L);
  }

  private static boolean await(CountDownLatch latch) {
    try {
      return latch.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private EffectsRunner runner(int atOnce) {
    return runner(new Plan(Duration.ofDays(90)), atOnce);
  }

  private EffectsRunner runner(Plan plan, int atOnce) {
    return new EffectsRunner(plan, this::apply, deadLetters::add, _ -> {}, inTurn(atOnce));
  }

  private static Concurrency inTurn(int atOnce) {
    return new Concurrency(atOnce, tasks -> tasks.forEach(Runnable::run));
  }

  private Stream<String> names() {
    return applied.stream().flatMap(List::stream).map(Plan::nameOf);
  }

  private Stream<String> numbers() {
    return deadLetters.stream().map(sent -> sent.record().getDynamodb().getSequenceNumber());
  }

  private static Like like(String post, String by) {
    return new Like(post, by, "ann", SampleRowLists.AT);
  }

  /** Hides and shows a post in turn; it is public after an even number. */
  private static List<DynamodbStreamRecord> flips(int number) {
    var records = new ArrayList<DynamodbStreamRecord>();
    var isShown = SampleRowLists.post(Visibility.PUBLIC);
    var isHidden = SampleRowLists.post(Visibility.PRIVATE);
    for (int i = 1; i <= number; i++) {
      records.add(
          i % 2 == 0
              ? StreamRecords.modified(i, isHidden, isShown)
              : StreamRecords.modified(i, isShown, isHidden));
    }
    return records;
  }

  private void apply(List<Effect> effects) {
    var kind = failing.get(Plan.nameOf(effects.getFirst()));
    if (kind != null) {
      throw kind;
    }
    for (var liker : likers(effects)) {
      var failure = failing.get(liker);
      if (failure != null) {
        throw failure;
      }
    }
    applied.add(effects);
  }

  private static List<String> likers(List<Effect> effects) {
    return effects.stream()
        .filter(PostInteraction.class::isInstance)
        .map(PostInteraction.class::cast)
        .map(interaction -> interaction.row().sort().substring("LIKE#".length()))
        .toList();
  }

  private static List<DynamodbStreamRecord> likes(String... by) {
    return likes(1, by);
  }

  private static List<DynamodbStreamRecord> likes(int first, String... by) {
    var records = new ArrayList<DynamodbStreamRecord>();
    for (var liker : by) {
      records.add(StreamRecords.inserted(first + records.size(), SampleRowLists.like(liker)));
    }
    return records;
  }
}
