package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import social.feed.table.erasure.Erasures;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.Suspect;
import social.feed.table.row.Suspect.Evidence;
import social.feed.table.row.SuspectRef;
import social.feed.table.row.SuspicionFinding;
import social.feed.table.row.SuspicionReason;
import social.feed.table.row.User;
import social.feed.table.suspicion.Suspects;
import social.feed.table.user.Users;
import social.feed.testkit.TestTable;

/** FEED-019: GSI1, highest score first, in one partition, so each test has a table of its own. */
class ITSuspects {
  private static final Instant DAY = Instant.parse("2026-03-01T00:00:00Z");

  private final TestTable table = TestTable.start();
  private final Suspects suspects = new Suspects(table.table());
  private final Users users = new Users(table.table());

  @AfterEach
  void stop() {
    table.close();
  }

  @Test
  void evidence_fromManyThreads_givesTheRowOfAnyOrder() {
    var id = account();
    var expected = Optional.<Suspect>empty();
    for (int i = 0; i < 8; i++) {
      var evidence = evidence(id, i + 1, 200 + 50L * i);
      expected = Optional.of(expected.map(row -> row.with(evidence)).orElse(Suspect.of(evidence)));
    }

    AtOnce.run(8, i -> suspects.note(evidence(id, i + 1, 200 + 50L * i)));

    var row = suspects.get(id).orElseThrow();
    assertThat(row.findings()).isEqualTo(expected.orElseThrow().findings());
    assertThat(row.version()).isEqualTo(8);
    assertThat(suspects.note(evidence(id, 3, 300))).as("a repeat").isFalse();
  }

  @Test
  void evidence_ofAnAccountThatIsGone_writesNothing() {
    assertThat(suspects.note(evidence("ghost", 1, 400))).isFalse();
    var id = account();
    new Erasures(table.table(), users).begin(id, DAY);

    assertThat(suspects.note(evidence(id, 1, 400))).isFalse();
    assertThat(suspects.get(id)).isEmpty();
  }

  @Test
  void dismissal_hidesUntilNewEvidence() {
    var id = account();
    suspects.note(evidence(id, 5, 400));

    assertThat(suspects.dismiss(id, DAY.plusSeconds(9))).isTrue();
    assertThat(suspects.dismiss(id, DAY.plusSeconds(10))).as("a repeat").isTrue();
    assertThat(listed(10)).isEmpty();
    suspects.note(evidence(id, 4, 400));
    assertThat(listed(10)).isEmpty();
    suspects.note(evidence(id, 6, 400));
    assertThat(listed(10)).containsExactly(new SuspectRef(id, 40));
    assertThat(suspects.dismiss("ghost", DAY)).isFalse();
  }

  @Test
  void notes_costTheirRow_andNothingForWhatIsKnown() {
    var id = account();
    try (var bill = table.bill()) {
      suspects.note(evidence(id, 1, 200));
      assertThat(bill.take().units()).as("the first").isEqualTo(new ConsumedUnits(1, 5));
      suspects.note(evidence(id, 1, 200));
      assertThat(bill.take().units()).as("a repeat").isEqualTo(new ConsumedUnits(1, 0));
      suspects.note(evidence(id, 2, 400));
      assertThat(bill.take().units()).as("a higher score").isEqualTo(new ConsumedUnits(1, 3));
      suspects.dismiss(id, DAY);
      assertThat(bill.take().units()).as("a dismissal").isEqualTo(new ConsumedUnits(1, 2));
    }
  }

  @Test
  void list_hasTheHighestScoreFirst_onPagesOfAnySize() {
    var expected = new ArrayList<SuspectRef>();
    for (int i = 0; i < 7; i++) {
      var id = account();
      suspects.note(evidence(id, 1, i % 2 == 0 ? 400 : 200));
      expected.add(new SuspectRef(id, i % 2 == 0 ? 40 : 20));
    }
    expected.sort(
        (one, other) ->
            one.score() == other.score()
                ? other.userId().compareTo(one.userId())
                : Long.compare(other.score(), one.score()));

    for (int size = 1; size <= 8; size++) {
      assertThat(listed(size)).isEqualTo(expected);
    }
  }

  private List<SuspectRef> listed(int size) {
    var all = new ArrayList<SuspectRef>();
    Page<SuspectRef> page = suspects.listed(PageRequest.first(size));
    all.addAll(page.items());
    while (page.next() != null) {
      page = suspects.listed(new PageRequest(size, page.next()));
      all.addAll(page.items());
    }
    return all;
  }

  private String account() {
    var id = Names.fresh();
    users.register(User.registered(id, id, id, null, DAY.minus(Duration.ofDays(1))));
    return id;
  }

  private static Evidence evidence(String id, long version, long follows) {
    var burst = SuspicionFinding.of(SuspicionReason.FOLLOW_BURST, follows, 200);
    return new Evidence(id, version, DAY, List.of(burst));
  }
}
