package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.erasure.Erasures;
import social.feed.table.graph.AudienceMember;
import social.feed.table.home.FeedActivities;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.User;
import social.feed.table.user.Users;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.TestTable;

/** Which readers fan-out skips, and what the first read after a long absence records. */
@ExtendWith(EngineExtension.class)
class ITFeedActivities {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final Supplier<Optional<Instant>> MEMBER = () -> Optional.of(START);

  private final FeedActivities activities;
  private final TestTable testTable;
  private final Table table;
  private final String reader;

  ITFeedActivities(TestTable table) {
    this.testTable = table;
    this.table = table.table();
    this.activities = new FeedActivities(this.table);
    this.reader = account();
  }

  private String account() {
    var id = Names.fresh();
    new Users(table).register(User.registered(id, id, id, null, START));
    return id;
  }

  @Test
  void read_often_isRecordedOnceADay() {
    assertThat(cost(START)).isEqualTo(new ConsumedUnits(1, 4));
    assertThat(cost(after(1))).as("a day later").isEqualTo(new ConsumedUnits(1, 0));
    assertThat(cost(after(1).plusSeconds(60))).isEqualTo(new ConsumedUnits(1, 1));
    assertThat(stored()).isEqualTo(FeedActivity.at(reader, after(1).plusSeconds(60)));
  }

  @Test
  void read_ofAnUnregisteredAccount_recordsNothing() {
    var activity = activities.read(reader, START, Optional::empty);

    assertThat(activity.storedSince()).isNull();
    assertThat(activities.get(reader)).isEmpty();
  }

  @Test
  void firstRead_ofAnAccountThatIsErasedMeanwhile_recordsNothing() {
    var activity =
        activities.read(
            reader,
            START,
            () -> {
              new Erasures(table, new Users(table)).begin(reader, START);
              return Optional.of(START);
            });

    assertThat(activity).isEqualTo(FeedActivity.at(reader, START));
    assertThat(activities.get(reader)).isEmpty();
  }

  @Test
  void firstRead_trustsTheStoredFeedOnlyForNewAccounts() {
    var other = account();
    assertThat(activities.read(reader, after(29), MEMBER).rebuildFrom()).isNull();
    assertThat(activities.read(other, after(31), MEMBER).rebuildFrom()).isEqualTo(after(16));
  }

  @Test
  void read_afterLongAbsence_recordsOnceWhatMayBeMissing() {
    read(START);
    var awoken = read(after(40));

    assertThat(awoken.storedSince()).isAfter(after(40));
    assertThat(awoken.rebuildFrom()).isEqualTo(after(16));
    assertThat(stored()).isEqualTo(awoken);
    assertThat(read(after(40).plusSeconds(1))).isEqualTo(awoken);
  }

  @Test
  void concurrentReads_afterLongAbsence_recordOneReturn() {
    read(START);

    var seen = AtOnce.run(8, i -> read(after(40).plusSeconds(i)).storedSince());

    assertThat(seen).containsOnly(stored().storedSince());
  }

  @Test
  void rebuild_isRecordedOnce_andNotForAnEarlierReturn() {
    read(START);
    var first = read(after(40));
    var second = read(after(80));

    assertThat(activities.rebuilt(first, after(16))).isFalse();
    assertThat(activities.rebuilt(second, after(56))).isTrue();
    assertThat(activities.rebuilt(second, after(10))).isFalse();
    assertThat(stored()).isEqualTo(new FeedActivity(reader, after(80), after(56), null));
  }

  @Test
  void touch_afterARebuild_keepsItsResult() {
    read(START);
    activities.rebuilt(read(after(40)), after(16));

    var touched = read(after(42));

    assertThat(touched).isEqualTo(new FeedActivity(reader, after(42), after(16), null));
    assertThat(stored()).isEqualTo(touched);
  }

  @Test
  void leftOut_areReadersWhoNeitherReadNorFollowedRecently() {
    var old = new AudienceMember(Names.fresh(), START, null);
    var oldButReading = new AudienceMember(reader, START, null);
    var oldAndGone = new AudienceMember(account(), START, null);
    var fresh = new AudienceMember(Names.fresh(), after(10), null);
    var unreadable = new AudienceMember(Names.fresh(), null, null);
    activities.read(oldAndGone.followerId(), after(2), MEMBER);
    read(after(20));
    var all = List.of(old, oldButReading, oldAndGone, fresh, unreadable);

    assertThat(activities.leftOut(all, after(31))).isEmpty();
    assertThat(activities.leftOut(all, after(35)))
        .containsOnly(entry(old, after(31 - 15)), entry(oldAndGone, after(2 + 31 - 15)));
    assertThat(cost(() -> activities.leftOut(all, after(35)))).isEqualTo(new ConsumedUnits(3, 0));
    assertThat(cost(() -> activities.leftOut(all, after(31)))).isEqualTo(ConsumedUnits.NONE);
  }

  /**
   * A reader whom fan-out skips is dormant for every server, however much the clocks of two servers
   * differ.
   */
  @Test
  void leftOut_startsLaterThanDormant() {
    assertThat(FeedActivity.LEFT_OUT_AFTER).isGreaterThan(FeedActivity.DORMANT_AFTER.plusHours(1));
  }

  private FeedActivity read(Instant now) {
    return activities.read(reader, now, MEMBER);
  }

  private ConsumedUnits cost(Instant now) {
    return cost(() -> read(now));
  }

  private ConsumedUnits cost(Runnable calls) {
    try (var _ = testTable.bill()) {
      return TestTable.costOf(calls);
    }
  }

  private FeedActivity stored() {
    return activities.get(reader).orElseThrow();
  }

  private static Instant after(int days) {
    return START.plus(Duration.ofDays(days));
  }
}
