package social.feed.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.engine.eventsource.StreamFunction;
import social.feed.streams.simulated.MultiplexerSubject;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.table.kernel.store.Table;
import social.feed.testkit.LongRunning;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.fault.WiredClient;
import social.feed.testkit.simulation.Flow;
import social.feed.testkit.simulation.Interleavings;
import social.feed.testkit.simulation.Interleavings.Meanwhile;
import social.feed.testkit.simulation.Interleavings.SweepResult;
import social.feed.testkit.simulation.Interleavings.Then;
import social.feed.testkit.simulation.Scale;
import social.feed.testkit.simulation.StreamedTable;
import social.feed.testkit.simulation.Subject;

/**
 * Two handlers on the same items end as the model says, whenever one overtakes the other, and also
 * where the process of the other one then dies. {@code -Dinterleavings.most=60} lets them meet at
 * up to sixty calls of a flow instead of two.
 */
@LongRunning
class ITInterleavings {
  private static final int MOST = Integer.getInteger("interleavings.most", 2);

  /** Workers, each with an engine of its own. */
  private static final int AT_ONCE = 2;

  /** A flow, and an action on the same accounts or the same post. */
  private record Pair(Flow flow, Meanwhile meanwhile) {}

  private static final List<Pair> PAIRS =
      Stream.of(
              pairs(
                  Flow.FAN_OUT_SMALL,
                  Meanwhile.UNFOLLOW,
                  Meanwhile.UNFOLLOW_AND_FOLLOW,
                  Meanwhile.BLOCK,
                  Meanwhile.HIDE,
                  Meanwhile.DELETE,
                  Meanwhile.ERASE_FOLLOWER),
              pairs(
                  Flow.FAN_OUT_CHUNKED,
                  Meanwhile.UNFOLLOW,
                  Meanwhile.DELETE,
                  Meanwhile.ERASE_AUTHOR),
              pairs(
                  Flow.FOLLOW_WITH_BACKFILL,
                  Meanwhile.UNFOLLOW,
                  Meanwhile.UNFOLLOW_AND_FOLLOW,
                  Meanwhile.HIDE,
                  Meanwhile.DELETE,
                  Meanwhile.POST,
                  Meanwhile.ERASE_AUTHOR),
              pairs(Flow.UNFOLLOW, Meanwhile.FOLLOW, Meanwhile.DELETE),
              pairs(Flow.POST_FOR_FOLLOWERS, Meanwhile.UNFOLLOW, Meanwhile.MUTE),
              pairs(Flow.FOLLOW_SPECIALLY, Meanwhile.END_SPECIAL_FOLLOW, Meanwhile.UNFOLLOW),
              pairs(
                  Flow.NOTIFY_IN_CHUNKS,
                  Meanwhile.END_SPECIAL_FOLLOW,
                  Meanwhile.UNFOLLOW,
                  Meanwhile.DELETE,
                  Meanwhile.ERASE_FOLLOWER),
              pairs(
                  Flow.LIKE,
                  Meanwhile.UNLIKE,
                  Meanwhile.DELETE,
                  Meanwhile.READ_ALL_NOTIFICATIONS,
                  Meanwhile.ERASE_FOLLOWER),
              pairs(Flow.UNLIKE, Meanwhile.LIKE),
              pairs(Flow.COMMENT, Meanwhile.DELETE, Meanwhile.ERASE_FOLLOWER),
              pairs(
                  Flow.READ_ALL_NOTIFICATIONS,
                  Meanwhile.UNFOLLOW_AND_FOLLOW,
                  Meanwhile.BLOCK,
                  Meanwhile.READ_ALL_NOTIFICATIONS),
              pairs(Flow.DELETE_POST, Meanwhile.LIKE, Meanwhile.COMMENT),
              pairs(Flow.MAKE_PRIVATE, Meanwhile.SHOW, Meanwhile.UNFOLLOW, Meanwhile.LIKE),
              pairs(
                  Flow.MAKE_PRIVATE_IN_PARTS, Meanwhile.SHOW, Meanwhile.UNFOLLOW, Meanwhile.DELETE),
              pairs(Flow.MAKE_PUBLIC, Meanwhile.HIDE, Meanwhile.UNFOLLOW),
              pairs(Flow.BECOME_A_CELEBRITY, Meanwhile.UNFOLLOW, Meanwhile.BLOCK, Meanwhile.POST),
              pairs(Flow.STOP_BEING_A_CELEBRITY, Meanwhile.FOLLOW, Meanwhile.POST),
              pairs(
                  Flow.RETURN_AFTER_WEEKS,
                  Meanwhile.UNFOLLOW,
                  Meanwhile.POST,
                  Meanwhile.HIDE,
                  Meanwhile.DELETE),
              pairs(Flow.ERASE_A_FOLLOWER, Meanwhile.POST, Meanwhile.DELETE),
              pairs(
                  Flow.ERASE_AN_AUTHOR,
                  Meanwhile.UNFOLLOW,
                  Meanwhile.LIKE,
                  Meanwhile.COMMENT,
                  Meanwhile.ERASE_FOLLOWER))
          .flatMap(pairs -> pairs)
          .toList();

  private static Stream<Pair> pairs(Flow flow, Meanwhile... meanwhile) {
    return Stream.of(meanwhile).map(action -> new Pair(flow, action));
  }

  /** The pairs whose first attempt may leave something that only the next one can find. */
  private static final List<Pair> CUT_OFF =
      Stream.of(
              pairs(Flow.FAN_OUT_SMALL, Meanwhile.UNFOLLOW, Meanwhile.HIDE, Meanwhile.DELETE),
              pairs(
                  Flow.FAN_OUT_CHUNKED,
                  Meanwhile.UNFOLLOW,
                  Meanwhile.UNFOLLOW_AND_FOLLOW,
                  Meanwhile.BLOCK,
                  Meanwhile.HIDE,
                  Meanwhile.DELETE),
              pairs(Flow.FOLLOW_WITH_BACKFILL, Meanwhile.UNFOLLOW, Meanwhile.DELETE),
              pairs(Flow.HIDE_AND_SHOW_IN_PARTS, Meanwhile.UNFOLLOW, Meanwhile.DELETE),
              pairs(
                  Flow.NOTIFY_IN_CHUNKS,
                  Meanwhile.END_SPECIAL_FOLLOW,
                  Meanwhile.HIDE,
                  Meanwhile.DELETE),
              pairs(Flow.BECOME_A_CELEBRITY, Meanwhile.UNFOLLOW),
              pairs(Flow.RETURN_AFTER_WEEKS, Meanwhile.UNFOLLOW, Meanwhile.DELETE),
              pairs(Flow.ERASE_AN_AUTHOR, Meanwhile.UNFOLLOW, Meanwhile.LIKE))
          .flatMap(pairs -> pairs)
          .toList();

  @ParameterizedTest
  @EnumSource(Then.class)
  void handlers_whoseWorkMeetsAtAnyCall_endAsTheModelSays(Then then) {
    var pairs = then == Then.DIES ? CUT_OFF : PAIRS;
    var swept = sweep(pairs, new MultiplexerSubject(), then);

    swept.forEach(
        pair ->
            System.out.printf(
                "%-22s %-22s %-8s %3d calls %2d violations%n",
                pair.flow(), pair.meanwhile(), then, pair.calls(), pair.violations().size()));
    assertThat(swept).allSatisfy(pair -> assertThat(pair.violations()).isEmpty());
    assertThat(swept).allSatisfy(pair -> assertThat(pair.calls()).isPositive());
  }

  /** At each call, because only the writes of a few parts can be left. */
  @ParameterizedTest
  @EnumSource(names = {"HIDE", "DELETE"})
  void partsOfAnAnnouncement_thatAreCutOff_leaveNothingOfAPostThatIsGone(Meanwhile gone) {
    try (var table = StreamedTable.start()) {
      var violations =
          new Interleavings(table, new MultiplexerSubject())
              .firstViolations(Flow.NOTIFY_IN_CHUNKS, gone, Then.DIES);

      assertThat(violations).isEmpty();
    }
  }

  /** A reader unfollows before the entries of a chunk are written, and the attempt dies then. */
  @ParameterizedTest
  @EnumSource(ChunkBug.class)
  void chunkWhoseLaterAttemptChecksItsOwnEntriesOnly_isFound(ChunkBug bug) {
    assertFound(Flow.FAN_OUT_CHUNKED, bug.subject(), Then.DIES);
  }

  /** Mistakes in the note that an attempt at a chunk begins. */
  private enum ChunkBug {
    /** The note has no condition, so each attempt takes itself for the first one. */
    UNCONDITIONAL(PlantedWires.UnconditionalNotes::new),
    /** The note is lost, so the next attempt takes itself for the first one as well. */
    LOST(PlantedWires.LostNotes::new),
    /** The note is written after the entries. */
    LATE(PlantedWires.LateNotes::new);

    @SuppressWarnings("ImmutableEnumChecker") // A constructor has no state.
    private final Supplier<Wire> wire;

    ChunkBug(Supplier<Wire> wire) {
      this.wire = wire;
    }

    Subject subject() {
      return new MultiplexerSubject() {
        @Override
        public StreamFunction function(Table sound, Clock clock, Scale scale, Sinks sinks) {
          var client = WiredClient.of(sound.client(), wire.get());
          return super.function(
              new Table(client, sound.name(), sound.retry()), clock, scale, sinks);
        }
      };
    }
  }

  /** Random histories need a lucky seed for it; here one of the calls is the right one. */
  @Test
  void fanOutThatDoesNotCheckItsReadersAgain_isFound() {
    assertFound(Flow.FAN_OUT_SMALL, PlantedBug.NO_CHECK_AFTER_WRITE.subject(), Then.GOES_ON);
  }

  private static void assertFound(Flow flow, Subject subject, Then then) {
    try (var table = StreamedTable.start()) {
      var violations =
          new Interleavings(table, subject).firstViolations(flow, Meanwhile.UNFOLLOW, then);
      violations.forEach(System.out::println);
      assertThat(violations)
          .anySatisfy(violation -> assertThat(violation).startsWith("UNFOLLOW before call"));
    }
  }

  private static List<SweepResult> sweep(List<Pair> pairs, Subject subject, Then then) {
    return ParallelCalls.map(
        pairs,
        AT_ONCE,
        pair -> {
          try (var table = StreamedTable.start()) {
            return new Interleavings(table, subject)
                .sweep(pair.flow(), pair.meanwhile(), then, MOST);
          }
        });
  }
}
