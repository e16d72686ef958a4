package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.counter.CountChange;
import social.feed.table.counter.Counters;
import social.feed.table.erasure.Erasures;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.post.Posts;
import social.feed.table.row.Inbox;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;
import social.feed.table.user.CelebrityRule;
import social.feed.table.user.Users;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Counts stay exact when the event source repeats batches, cuts them differently or delivers them
 * late.
 */
@ExtendWith(EngineExtension.class)
class ITCounters {
  private static final CelebrityRule RULE = new CelebrityRule(10);

  private static final String SHARD = "shardId-00000001";
  private static final String OTHER_SHARD = "shardId-00000002";

  /**
   * The call read no inbox while the account existed, and writes after the erasure has begun. The
   * interceptor runs the erasure between the two.
   */
  @Test
  void firstNotification_countedWhileItsAccountIsErased_createsNoInbox(TestTable table) {
    var id = Names.fresh();
    var users = new Users(table.table());
    users.register(User.registered(id, id, id, null, table.clock().instant()));
    var now = table.clock().instant();
    var erasures = new Erasures(table.table(), users);
    var changes = Map.of(Inbox.key(id), List.of(Sequence.change(1, Inbox.UNREAD, 1)));

    try (var client = table.newClient(afterReads(() -> erasures.begin(id, now)))) {
      var late = new Counters(new Table(client, table.table().name(), Retry.standard()), RULE);
      assertThat(late.applyEach(SHARD, changes)).isEmpty();
    }

    assertThat(users.get(id)).isEmpty();
    assertThat(table.table().get(Inbox.key(id))).isEmpty();
  }

  private static ExecutionInterceptor afterReads(Runnable meanwhile) {
    return new ExecutionInterceptor() {
      @Override
      public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
        if (context.request() instanceof BatchGetItemRequest) {
          meanwhile.run();
        }
      }
    };
  }

  @Test
  void firstNotification_createsTheInboxForFourUnits(TestTable table, SeedWorld world) {
    var id = world.user(Names.fresh()).id();
    var key = Inbox.key(id);
    var changes = Map.of(key, List.of(Sequence.change(1, Inbox.UNREAD, 1)));
    var counters = new Counters(table.table(), RULE);

    try (var bill = table.bill()) {
      assertThat(counters.applyEach(SHARD, changes)).isEmpty();
      assertThat(bill.take().units()).isEqualTo(new ConsumedUnits(0.5, 4));
    }

    assertThat(table.table().get(key)).isPresent();
  }

  /** Without its checkpoint, an earlier call for the first record could still add it. */
  @Test
  void firstNotifications_thatSumToZero_leaveAnInbox_toWhichAnEarlierCallAddsNothing(
      TestTable table, SeedWorld world) {
    var key = Inbox.key(world.user(Names.fresh()).id());
    var first = Sequence.change(1, Inbox.UNREAD, 1);
    var counters = new Counters(table.table(), RULE);

    var both = List.of(first, Sequence.change(2, Inbox.UNREAD, -1));
    assertThat(counters.applyEach(SHARD, Map.of(key, both))).isEmpty();
    assertThat(counters.applyEach(SHARD, Map.of(key, List.of(first)))).isEmpty();

    assertThat(table.table().get(key).orElseThrow())
        .containsEntry(Inbox.UNREAD, AttributeValue.fromN("0"));
  }

  @Test
  void apply_batch_addsEachCounterInOneUpdateForOneUnit(TestTable table, SeedWorld world) {
    var post = world.user("alice").posts("x");
    var changes =
        List.of(
            Sequence.change(1, Post.LIKES_COUNT, 1),
            Sequence.change(2, Post.COMMENTS_COUNT, 1),
            Sequence.change(3, Post.LIKES_COUNT, 1),
            Sequence.change(4, Post.LIKES_COUNT, -1));

    var observed = Observed.of(table, () -> applied(table, post, SHARD, changes));

    assertThat(observed.answer().likesCount()).isEqualTo(1);
    assertThat(observed.answer().commentsCount()).isEqualTo(1);
    assertThat(observed.answer().marks()).isEqualTo(Map.of(SHARD, Sequence.number(4)));
    assertThat(observed.requests()).filteredOn(UpdateItemRequest.class::isInstance).hasSize(1);
    // The only unit is the item's own: the update does not write the post's entry in GSI1.
    assertThat(observed.cost().write()).isEqualTo(1);
  }

  @Test
  void apply_batchOfOneItem_readsHalfAUnit(TestTable table, SeedWorld world) {
    var post = world.user("alice").posts("x");
    var one = Map.of(post.key(), List.of(Sequence.change(1, Post.LIKES_COUNT, 1)));

    var cost = TestTable.costOf(() -> new Counters(table.table(), RULE).apply(SHARD, one));

    assertThat(cost).isEqualTo(new ConsumedUnits(0.5, 1));
  }

  @Test
  void apply_replay_addsNothingAndWritesNothing(TestTable table, SeedWorld world) {
    var post = world.user("alice").posts("x");
    var changes = likes(1, 5);
    applied(table, post, SHARD, changes);

    var cost =
        TestTable.costOf(
            () -> new Counters(table.table(), RULE).apply(SHARD, Map.of(post.key(), changes)));

    assertThat(likesOf(world, post)).isEqualTo(5);
    assertThat(cost.write()).isZero();
  }

  @Test
  void apply_overlappingAndRecutBatches_addEachChangeOnce(TestTable table, SeedWorld world) {
    var post = world.user("alice").posts("x");

    applied(table, post, SHARD, likes(1, 4));
    applied(table, post, SHARD, likes(3, 6));
    applied(table, post, SHARD, likes(1, 2));
    applied(table, post, SHARD, likes(2, 9));
    applied(table, post, SHARD, likes(9, 9));

    assertThat(likesOf(world, post)).isEqualTo(9);
  }

  /** The tenth number has one digit more, and would sort before the ninth as plain text. */
  @Test
  void apply_numbersOfDifferentWidth_areComparedAsNumbers(TestTable table, SeedWorld world) {
    var post = world.user("alice").posts("x");
    assertThat(Sequence.number(10)).isLessThan(Sequence.number(9));

    applied(table, post, SHARD, likes(9, 9));
    applied(table, post, SHARD, likes(10, 10));
    applied(table, post, SHARD, likes(9, 9));
    applied(
        table, post, SHARD, List.of(new CountChange("1" + "0".repeat(39), Post.LIKES_COUNT, 1)));
    applied(table, post, SHARD, likes(11, 20));

    assertThat(likesOf(world, post)).isEqualTo(3);
  }

  @Test
  void apply_twoShards_haveACheckpointEach(TestTable table, SeedWorld world) {
    var post = world.user("alice").posts("x");

    applied(table, post, SHARD, likes(5, 9));
    applied(table, post, OTHER_SHARD, likes(1, 3));
    applied(table, post, OTHER_SHARD, likes(1, 3));

    assertThat(likesOf(world, post)).isEqualTo(8);
    assertThat(world.posts.get(post.postId()).orElseThrow().marks())
        .containsOnlyKeys(SHARD, OTHER_SHARD);
  }

  @Test
  void apply_severalItems_changesEachSeparately(TestTable table, SeedWorld world) {
    var alice = world.user("alice");
    var post = alice.posts("x");
    var other = alice.posts("y");

    new Counters(table.table(), RULE)
        .apply(
            SHARD,
            Map.of(
                post.key(), likes(1, 3),
                other.key(), likes(4, 5),
                User.key(alice.id()), List.of(Sequence.change(6, User.FOLLOWERS_COUNT, 1))));

    assertThat(likesOf(world, post)).isEqualTo(3);
    assertThat(likesOf(world, other)).isEqualTo(2);
    assertThat(alice.account().followersCount()).isEqualTo(1);
  }

  @Test
  void apply_absentItem_createsNothing(TestTable table, SeedWorld world) {
    var post = world.user("alice").posts("x");
    world.posts.delete(post.postId(), post.authorId(), post.createdAt());

    new Counters(table.table(), RULE).apply(SHARD, Map.of(post.key(), likes(1, 3)));

    assertThat(world.posts.get(post.postId())).isEmpty();
  }

  @Test
  void apply_itemMissingFromAStaleRead_isCounted(TestTable table, SeedWorld world) {
    var post = world.user("alice").posts("x");
    try (var faulty = FaultyTable.of(table, new StaleReads())) {
      new Counters(faulty.table(), RULE).apply(SHARD, Map.of(post.key(), likes(1, 3)));
    }

    assertThat(likesOf(world, post)).isEqualTo(3);
  }

  @Test
  void apply_checkpointMissingFromAStaleRead_isRespected(TestTable table, SeedWorld world) {
    var post = world.user("alice").posts("x");
    applied(table, post, SHARD, likes(1, 3));
    try (var faulty = FaultyTable.of(table, new StaleReads())) {
      new Counters(faulty.table(), RULE).apply(SHARD, Map.of(post.key(), likes(2, 5)));
    }

    assertThat(likesOf(world, post)).isEqualTo(5);
  }

  @Test
  void apply_oneBatchManyTimesConcurrently_addsItOnce(TestTable table, SeedWorld world) {
    var post = world.user("alice").posts("x");
    for (int batch = 0; batch < 10; batch++) {
      var changes = likes(batch * 10 + 1, batch * 10 + 10);
      AtOnce.run(8, _ -> applied(table, post, SHARD, changes));
    }

    assertThat(likesOf(world, post)).isEqualTo(100);
  }

  /** A call that timed out arrives after its retry, and after the next batch. */
  @Test
  void apply_lateWrite_isRejected(TestTable table, SeedWorld world) {
    var post = world.user("alice").posts("x");
    var late = new LateWrites();
    try (var faulty = FaultyTable.of(table, late)) {
      late.meanwhile =
          () -> {
            applied(table, post, SHARD, likes(1, 4));
            applied(table, post, SHARD, likes(5, 6));
          };
      new Counters(faulty.table(), RULE).apply(SHARD, Map.of(post.key(), likes(1, 4)));
    }

    assertThat(likesOf(world, post)).isEqualTo(6);
  }

  @Test
  void apply_afterEndlessConflicts_isThrottled(TestTable table, SeedWorld world) {
    var post = world.user("alice").posts("x");
    try (var faulty = FaultyTable.of(table, new AlwaysLost())) {
      var counters = new Counters(faulty.table(), RULE);

      assertThatExceptionOfType(ThrottledException.class)
          .isThrownBy(() -> counters.apply(SHARD, Map.of(post.key(), likes(1, 1))));
    }
    assertThat(likesOf(world, post)).isZero();
  }

  /** An item at the limit of 400 KB takes no further checkpoint. */
  @Test
  void applyEach_itemThatIsTooLarge_failsAlone(TestTable table, SeedWorld world) {
    var alice = world.user("alice");
    var full = alice.posts("x");
    enlarge(table, full.key());
    var changes = new LinkedHashMap<Key, List<CountChange>>();
    changes.put(full.key(), likes(1, 1));
    var others = IntStream.range(0, 40).mapToObj(i -> alice.posts("post " + i)).toList();
    others.forEach(post -> changes.put(post.key(), likes(2, 3)));

    var failed = new Counters(table.table(), RULE, 8).applyEach(SHARD, changes);

    assertThat(failed).containsOnlyKeys(full.key());
    assertThat(failed.get(full.key())).hasMessageContaining("size");
    assertThat(others).allSatisfy(post -> assertThat(likesOf(world, post)).isEqualTo(2));
  }

  @Test
  void applyEach_itemsWhoseKeysAreThrottled_failAlone_andComeAgain(
      TestTable table, SeedWorld world) {
    var alice = world.user("alice");
    var hot = alice.posts("x");
    var month = TopAuthor.key(hot.createdAt(), alice.id());
    var changes = new LinkedHashMap<Key, List<CountChange>>();
    changes.put(hot.key(), likes(1, 1));
    changes.put(month, List.of(Sequence.change(1, TopAuthor.GAINED, 1)));
    var other = alice.posts("y");
    changes.put(other.key(), likes(2, 3));
    for (int time = 1; time <= 3; time++) {
      var throttled = new Throttled(Set.of(hot.key().partition(), month.partition()));
      try (var faulty = FaultyTable.of(table, throttled)) {
        var failed = new Counters(faulty.table(), RULE, 8).applyEach(SHARD, changes);

        assertThat(failed).containsOnlyKeys(hot.key(), month);
      }
      assertThat(likesOf(world, other)).isEqualTo(2);
    }
    assertThat(new Counters(table.table(), RULE).applyEach(SHARD, changes)).isEmpty();
    assertThat(likesOf(world, hot)).isEqualTo(1);
    assertThat(likesOf(world, other)).isEqualTo(2);
  }

  @Test
  void applyEach_manyItems_areWrittenConcurrentlyWithinTheBound(TestTable table, SeedWorld world) {
    var alice = world.user("alice");
    var changes = new LinkedHashMap<Key, List<CountChange>>();
    for (int i = 0; i < 64; i++) {
      changes.put(alice.posts("post " + i).key(), likes(1, 1));
    }
    var together = new Together();
    try (var faulty = FaultyTable.of(table, together)) {
      assertThat(new Counters(faulty.table(), RULE, 8).applyEach(SHARD, changes)).isEmpty();
    }
    // Each write of the first eight waits until all eight were begun.
    assertThat(together.most.get()).isEqualTo(8);
  }

  private static void enlarge(TestTable table, Key key) {
    var item = table.table().get(key).orElseThrow();
    int size =
        item.entrySet().stream()
            .mapToInt(a -> a.getKey().length() + a.getValue().toString().length())
            .sum();
    for (int fill = 400 * 1_024 - size; ; fill += 16) {
      try {
        set(table, key, "x".repeat(fill));
      } catch (DynamoDbException e) {
        return;
      }
    }
  }

  private static void set(TestTable table, Key key, String text) {
    table
        .client()
        .updateItem(
            u ->
                u.tableName(table.table().name())
                    .key(KeyAttributes.of(key))
                    .updateExpression("SET filling = :f")
                    .expressionAttributeValues(Map.of(":f", AttributeValue.fromS(text))));
  }

  /** Throttles every read and write of some partition keys. */
  private record Throttled(Set<String> partitions) implements ExecutionInterceptor {
    @Override
    public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
      var request = context.request().toString();
      if (partitions.stream().anyMatch(key -> request.contains("S=" + key + ")"))) {
        throw ProvisionedThroughputExceededException.builder()
            .awsErrorDetails(
                AwsErrorDetails.builder()
                    .errorCode("ProvisionedThroughputExceededException")
                    .build())
            .build();
      }
    }
  }

  /** Holds the first writes until as many are under way as can be. */
  private static final class Together implements ExecutionInterceptor {
    private final CountDownLatch eight = new CountDownLatch(8);
    private final AtomicInteger now = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    @Override
    public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
      if (context.request() instanceof UpdateItemRequest) {
        most.accumulateAndGet(now.incrementAndGet(), Math::max);
        eight.countDown();
        try {
          // A bound below eight is reported by the assertion.
          if (!eight.await(60, TimeUnit.SECONDS)) {
            return;
          }
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    }

    @Override
    public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
      if (context.request() instanceof UpdateItemRequest) {
        now.decrementAndGet();
      }
    }
  }

  @Test
  void apply_anyScheduleOfRedelivery_isExact(TestTable table, SeedWorld world) {
    for (int seed = 0; seed < 30; seed++) {
      var post = world.user("alice" + seed).posts("x");

      long expected = deliver(seed, (shard, batch) -> applied(table, post, shard, batch));

      assertThat(likesOf(world, post)).as("seed %s", seed).isEqualTo(expected);
    }
  }

  /** The planted fault: the same schedules change a counter that uses no checkpoints. */
  @Test
  void naiveAdd_sameSchedules_drifts(TestTable table, SeedWorld world) {
    int drifted = 0;
    for (int seed = 0; seed < 30; seed++) {
      var post = world.user("naive" + seed).posts("x");

      long expected = deliver(seed, (_, batch) -> addNaively(table, post.key(), batch));

      drifted += likesOf(world, post) == expected ? 0 : 1;
    }

    assertThat(drifted).isGreaterThan(20);
  }

  private interface Consumer {
    void accept(String shard, List<CountChange> batch);
  }

  /**
   * Delivers two shards of likes and unlikes as an event source does: in order, one batch at a time
   * for a shard, with crashes before the checkpoint, different cuts after them, and replays.
   *
   * @return the sum of all changes
   */
  private static long deliver(int seed, Consumer consumer) {
    var random = new Random(seed);
    var shards = List.of(SHARD, OTHER_SHARD);
    var streams = shards.stream().map(_ -> stream(random)).toList();
    var checkpoints = new int[shards.size()];
    while (IntStream.range(0, 2).anyMatch(s -> checkpoints[s] < streams.get(s).size())) {
      int s = random.nextInt(2);
      int from = Math.max(0, checkpoints[s] - (random.nextInt(4) == 0 ? random.nextInt(9) : 0));
      int to = Math.min(streams.get(s).size(), from + 1 + random.nextInt(8));
      if (from < to) {
        consumer.accept(shards.get(s), streams.get(s).subList(from, to));
        boolean crashed = random.nextInt(4) == 0;
        checkpoints[s] = crashed ? checkpoints[s] : Math.max(checkpoints[s], to);
      }
    }
    return streams.stream().flatMap(List::stream).mapToLong(CountChange::delta).sum();
  }

  private static List<CountChange> stream(Random random) {
    var changes = new ArrayList<CountChange>();
    for (int n = 1; n <= 30; n++) {
      changes.add(Sequence.change(n, Post.LIKES_COUNT, random.nextInt(3) == 0 ? -1 : 1));
    }
    return changes;
  }

  private static void addNaively(TestTable table, Key key, List<CountChange> batch) {
    long sum = batch.stream().mapToLong(CountChange::delta).sum();
    table
        .client()
        .updateItem(
            u ->
                u.tableName(table.table().name())
                    .key(KeyAttributes.of(key))
                    .updateExpression("ADD likes_count :d")
                    .expressionAttributeValues(
                        Map.of(":d", AttributeValue.fromN(Long.toString(sum)))));
  }

  private static Post applied(TestTable table, Post post, String shard, List<CountChange> changes) {
    new Counters(table.table(), RULE).apply(shard, Map.of(post.key(), changes));
    return new Posts(table.table()).get(post.postId()).orElseThrow();
  }

  private static long likesOf(SeedWorld world, Post post) {
    return world.posts.get(post.postId()).orElseThrow().likesCount();
  }

  private static List<CountChange> likes(int first, int last) {
    return IntStream.rangeClosed(first, last)
        .mapToObj(n -> Sequence.change(n, Post.LIKES_COUNT, 1))
        .toList();
  }

  /** Returns the first batch read as of the time before any write. */
  private static final class StaleReads implements ExecutionInterceptor {
    private final AtomicInteger reads = new AtomicInteger();

    @Override
    public SdkResponse modifyResponse(
        Context.ModifyResponse context, ExecutionAttributes attributes) {
      return context.response() instanceof BatchGetItemResponse read
              && context.request() instanceof BatchGetItemRequest
              && reads.getAndIncrement() == 0
          ? read.toBuilder().responses(Map.of()).build()
          : context.response();
    }
  }

  /** Runs other calls between the read and the first write. */
  private static final class LateWrites implements ExecutionInterceptor {
    private Runnable meanwhile = () -> {};

    @Override
    public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
      if (context.request() instanceof UpdateItemRequest) {
        var now = meanwhile;
        meanwhile = () -> {};
        now.run();
      }
    }
  }

  /** Runs a conflicting write before each write. */
  private static final class AlwaysLost implements ExecutionInterceptor {
    @Override
    public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
      if (context.request() instanceof UpdateItemRequest) {
        throw ConditionalCheckFailedException.builder()
            .item(Map.of(Post.LIKES_COUNT, AttributeValue.fromN("0")))
            .build();
      }
    }
  }
}
