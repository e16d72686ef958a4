package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.table.access.AccessPattern;
import social.feed.table.cost.CostFormulas;
import social.feed.table.counter.CountChange;
import social.feed.table.counter.Counters;
import social.feed.table.ranking.RankedAccount;
import social.feed.table.ranking.TopAuthors;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** FEED-010: GSI1, highest first, eight partitions merged. */
class ITTopAuthors {
  private static final CelebrityRule RULE = new CelebrityRule(1_000_000);
  private static final String SHARD = "shardId-00000001";
  private static final Instant OCTOBER = Instant.parse("2026-10-31T23:59:59.999Z");
  private static final Instant NOVEMBER = Instant.parse("2026-11-01T00:00:00.000Z");
  private static final YearMonth OCT = YearMonth.of(2026, 10);
  private static final YearMonth NOV = YearMonth.of(2026, 11);

  private TestTable table;
  private SeedWorld world;
  private TopAuthors authors;
  private int sequence;

  @BeforeEach
  void start() {
    table = TestTable.start();
    world = new SeedWorld(table.table(), table.clock());
    authors = new TopAuthors(table.table());
  }

  @AfterEach
  void stop() {
    table.close();
  }

  @Test
  void followers_ofAllAccounts_areHighestFirstAcrossPartitions() {
    var expected = new ArrayList<RankedAccount>();
    for (int i = 1; i <= 30; i++) {
      var id = world.user("a%02d".formatted(i)).id();
      gain(id, NOVEMBER, i);
      expected.add(new RankedAccount(id, i));
    }

    assertThat(authors.byFollowers(100)).isEqualTo(expected.reversed());
    assertThat(authors.byGained(NOV, 100)).isEqualTo(expected.reversed());
    assertThat(authors.byFollowers(3)).isEqualTo(expected.reversed().subList(0, 3));
  }

  /** In the ranking of all time and in that of the month. */
  @Test
  void follower_takesTwoUnitsOfEachPlace() {
    var ann = world.user("ann").id();
    gain(ann, NOVEMBER, 1);

    assertThat(Places.of(table, () -> gain(ann, NOVEMBER, 1), User.key(ann)))
        .containsExactly(CostFormulas.PLACE);
    assertThat(Places.of(table, () -> gain(ann, NOVEMBER, 1), TopAuthor.key(NOVEMBER, ann)))
        .containsExactly(CostFormulas.PLACE);
  }

  @Test
  void ranking_isReadByOneQueryAPartition() {
    var observed = Observed.of(table, () -> authors.byGained(NOV, 20));

    assertThat(observed.answer()).isEmpty();
    assertThat(observed.requests()).hasSize(Keys.BUCKETS).allMatch(QueryRequest.class::isInstance);
    for (var request : observed.requests()) {
      var query = (QueryRequest) request;
      assertThat(query.indexName())
          .isEqualTo(AccessPattern.FEED_010.index().orElseThrow().indexName());
      assertThat(query.scanIndexForward()).isFalse();
      assertThat(query.limit()).isEqualTo(7);
      assertThat(query.filterExpression()).isNull();
      assertThat(query.consistentRead()).isNull();
    }
  }

  @Test
  void ranking_ofTheMaximum_costsHalfAUnitAPartition() {
    table
        .table()
        .putAll(
            IntStream.range(0, 800)
                .mapToObj(i -> gained("2026-11", "author%04d".formatted(i), 1 + i))
                .toList());

    var observed = Observed.of(table, () -> authors.byGained(NOV, 100));

    assertThat(observed.answer()).hasSize(100);
    assertThat(observed.answer().getFirst()).isEqualTo(new RankedAccount("author0799", 800));
    assertThat(observed.answer().getLast()).isEqualTo(new RankedAccount("author0700", 701));
    assertThat(observed.cost().write()).isZero();
    assertThat(observed.cost().read()).isEqualTo(Keys.BUCKETS / 2.0);
  }

  @Test
  void gained_inAdjacentMonths_dependsOnTheTimeOfTheFollowInUtc() {
    var ann = world.user("ann").id();
    gain(ann, OCTOBER, 2);
    gain(ann, NOVEMBER, 3);

    assertThat(authors.byGained(OCT, 5)).containsExactly(new RankedAccount(ann, 2));
    assertThat(authors.byGained(NOV, 5)).containsExactly(new RankedAccount(ann, 3));
    assertThat(authors.byGained(NOV.plusMonths(1), 5)).isEmpty();
    assertThat(authors.byFollowers(5)).containsExactly(new RankedAccount(ann, 5));
  }

  @Test
  void unfollow_subtractsFromTheMonthOfTheFollow_andAnAccountWithoutFollowersDisappears() {
    var ann = world.user("ann").id();
    gain(ann, OCTOBER, 2);
    gain(ann, NOVEMBER, 1);
    gain(ann, OCTOBER, -2);

    assertThat(authors.byGained(OCT, 5)).isEmpty();
    assertThat(authors.byGained(NOV, 5)).containsExactly(new RankedAccount(ann, 1));
    assertThat(authors.byFollowers(5)).containsExactly(new RankedAccount(ann, 1));
    gain(ann, NOVEMBER, -1);
    assertThat(authors.byFollowers(5)).isEmpty();
  }

  @Test
  void followersOfAPastMonth_excludeThoseGainedSince() {
    var ann = world.user("ann").id();
    var bob = world.user("bob").id();
    gain(ann, OCTOBER, 2);
    gain(bob, OCTOBER, 3);
    gain(ann, NOVEMBER, 5);
    gain(bob, NOVEMBER, 1);

    assertThat(authors.byFollowers(5))
        .containsExactly(new RankedAccount(ann, 7), new RankedAccount(bob, 4));
    assertThat(authors.byFollowersOf(OCT, NOV, 5))
        .containsExactly(new RankedAccount(bob, 3), new RankedAccount(ann, 2));
    assertThat(authors.byFollowersOf(OCT.minusMonths(1), NOV, 5)).isEmpty();
    var observed = Observed.of(table, () -> authors.byFollowersOf(OCT, NOV, 5));
    assertThat(observed.requests())
        .filteredOn(BatchGetItemRequest.class::isInstance)
        .as("one batch for all accounts")
        .hasSize(1);
  }

  @Test
  void apply_replayedAndRecut_countsOnce() {
    var ann = world.user("ann").id();
    var key = TopAuthor.key(NOVEMBER, ann);
    var changes =
        IntStream.rangeClosed(1, 5).mapToObj(i -> Sequence.change(i, TopAuthor.GAINED, 1)).toList();

    apply(key, changes.subList(0, 3));
    apply(key, changes);
    apply(key, changes.subList(1, 4));

    assertThat(authors.byGained(NOV, 5)).containsExactly(new RankedAccount(ann, 5));
    var cost = TestTable.costOf(() -> apply(key, changes));
    assertThat(cost.write()).isZero();
  }

  /**
   * The row is written as a whole, so a write must fail when the row has changed since it was read.
   */
  @Test
  void apply_afterAConcurrentWrite_addsToItsResult() {
    var ann = world.user("ann").id();
    var key = TopAuthor.key(NOVEMBER, ann);
    var one = List.of(Sequence.change(1, TopAuthor.GAINED, 1));
    for (var shard : List.of("shardId-00000002", "shardId-00000003")) {
      var late =
          new LateWrite(
              () -> apply(key, List.of(Sequence.change(++sequence, TopAuthor.GAINED, 1))));
      try (var faulty = FaultyTable.of(table, late)) {
        new Counters(faulty.table(), RULE).apply(shard, Map.of(key, one));
      }
      assertThat(late.happened.get()).isTrue();
    }

    assertThat(authors.byGained(NOV, 5)).containsExactly(new RankedAccount(ann, 4));
  }

  /** Runs another write before the first write of a client, after the client's read. */
  private record LateWrite(Runnable meanwhile, AtomicBoolean happened)
      implements ExecutionInterceptor {
    LateWrite(Runnable meanwhile) {
      this(meanwhile, new AtomicBoolean());
    }

    @Override
    public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
      if (context.request() instanceof PutItemRequest && happened.compareAndSet(false, true)) {
        meanwhile.run();
      }
    }
  }

  @Test
  void aThousandFollowersInABatch_costThreeUnitsForTheAccountAndThreeForItsMonth() {
    var ann = world.user("ann").id();
    gain(ann, NOVEMBER, 1);

    var cost = TestTable.costOf(() -> gain(ann, NOVEMBER, 1_000));

    assertThat(cost.write()).isEqualTo(3.0 + 3.0);
    assertThat(authors.byGained(NOV, 5)).containsExactly(new RankedAccount(ann, 1_001));
  }

  /** Applies follows, or unfollows for a negative number, as the stream counts them. */
  private void gain(String userId, Instant at, int followers) {
    var account = new ArrayList<CountChange>();
    var month = new ArrayList<CountChange>();
    for (int i = 0; i < Math.abs(followers); i++) {
      sequence++;
      account.add(Sequence.change(sequence, User.FOLLOWERS_COUNT, Integer.signum(followers)));
      month.add(Sequence.change(sequence, TopAuthor.GAINED, Integer.signum(followers)));
    }
    new Counters(table.table(), RULE)
        .apply(SHARD, Map.of(User.key(userId), account, TopAuthor.key(at, userId), month));
  }

  private void apply(Key key, List<CountChange> changes) {
    new Counters(table.table(), RULE).apply(SHARD, Map.of(key, changes));
  }

  private static TopAuthor gained(String month, String userId, long gained) {
    return TopAuthor.empty(month, userId).plus(Map.of(TopAuthor.GAINED, gained), Map.of());
  }
}
