package social.feed.testkit.simulation;

import java.util.EnumSet;
import java.util.Set;
import java.util.random.RandomGenerator;
import social.feed.testkit.fault.FaultKind;
import social.feed.testkit.fault.FaultMix;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/**
 * The parameters of one history. No history has everything: a rewound stream repairs earlier
 * mistakes and so hides them, and faults end an invocation before other steps can run during it.
 *
 * @param focus the kind of difficulty on which the history concentrates
 * @param scale the limits that the function uses
 * @param faults the frequencies of the injected faults
 * @param rewinds whether lanes deliver old records again
 * @param interleavedPerThousand the number of calls in a thousand during which other steps run
 * @param longestInterleaving the largest number of steps during one call
 * @param countsOneIn one batch in this many is for the counts lane; rare batches are large
 * @param hasHotPost whether all comments and likes concern the newest post, so that a batch changes
 *     one counter many times
 */
record FaultProfile(
    HistoryFocus focus,
    Scale scale,
    FaultMix faults,
    boolean rewinds,
    int interleavedPerThousand,
    int longestInterleaving,
    int countsOneIn,
    boolean hasHotPost) {
  /**
   * The choices for interleaved calls in a thousand; larger values would make histories too long.
   */
  private static final int[] INTERLEAVED = {0, 20, 40, 80};

  private static final int MAX_INTERLEAVED_STEPS = 6;
  private static final Set<FaultKind> PARTIAL =
      EnumSet.of(FaultKind.UNPROCESSED, FaultKind.STALE_READ, FaultKind.STALE_INDEX);

  private static final Set<FaultKind> STALE =
      EnumSet.of(FaultKind.STALE_READ, FaultKind.STALE_INDEX);

  private static final int PARTIAL_FACTOR = 15;
  private static final int RARE_COUNTS = 15;
  private static final int NEWEST = 2;
  private static final int FEED_SHARDS = 4;
  private static final int TRACKS = 3;

  /** The followers that make a celebrity: some users reach this number and some do not. */
  private static final int CELEBRITY = 3;

  /** More than the number of users. */
  private static final int NEVER = 100;

  static FaultProfile of(long seed, FaultMix mix, RandomGenerator random) {
    var focus = HistoryFocus.of(seed);
    var scale = scale(random);
    var faults = random.nextInt(4) == 0 ? FaultMix.none() : mix.varied(random);
    int interleaved = INTERLEAVED[random.nextInt(INTERLEAVED.length)];
    int longestInterleaving = 1 + random.nextInt(MAX_INTERLEAVED_STEPS);
    boolean rewinds = random.nextBoolean();
    return switch (focus) {
      case ANYTHING ->
          new FaultProfile(
              focus,
              scale,
              faults,
              rewinds,
              interleaved,
              longestInterleaving,
              random.nextBoolean() ? 3 : RARE_COUNTS,
              random.nextInt(3) == 0);
      case LATE_WRITES ->
          new FaultProfile(focus, scale, FaultMix.none(), false, 0, 1, RARE_COUNTS, true);
      case ABSENCE ->
          new FaultProfile(
              focus,
              withoutCelebrities(scale),
              faults,
              false,
              interleaved,
              longestInterleaving,
              3,
              false);
      case UNFOLLOW_DURING_DELIVERY, FOLLOW_DURING_REMOVAL ->
          new FaultProfile(
              focus, withoutCelebrities(scale), FaultMix.none(), false, 0, 1, 3, false);
      case ERASURES ->
          new FaultProfile(
              focus, scale, faults, rewinds, interleaved, longestInterleaving, 3, false);
      case CELEBRITIES ->
          new FaultProfile(
              focus,
              withCelebrities(scale),
              faults,
              rewinds,
              interleaved,
              longestInterleaving,
              3,
              false);
      case CONCURRENT_REQUESTS ->
          new FaultProfile(focus, scale, FaultMix.none(), false, 0, longestInterleaving, 3, false);
      case FAILED_CALLS ->
          new FaultProfile(
              focus, scale, mix.without(PARTIAL).varied(random), rewinds, 0, 1, 3, false);
      case RACES ->
          new FaultProfile(
              focus,
              withoutCelebrities(scale),
              mix.only(STALE).times(PARTIAL_FACTOR),
              false,
              0,
              1,
              3,
              false);
      case PARTIAL_RESPONSES ->
          new FaultProfile(
              focus, scale, mix.only(PARTIAL).times(PARTIAL_FACTOR), false, 0, 1, 3, false);
    };
  }

  /** Enables celebrities half the time and chunked audiences half the time. */
  private static Scale scale(RandomGenerator random) {
    return new Scale(
        NEWEST,
        random.nextBoolean() ? CELEBRITY : NEVER,
        random.nextBoolean() ? 2 : NEVER,
        FEED_SHARDS,
        TRACKS);
  }

  private static Scale withCelebrities(Scale scale) {
    return new Scale(scale.newest(), CELEBRITY, scale.chunk(), FEED_SHARDS, TRACKS);
  }

  private static Scale withoutCelebrities(Scale scale) {
    return new Scale(scale.newest(), NEVER, scale.chunk(), FEED_SHARDS, TRACKS);
  }

  int interleavedPerThousand(DynamoDbRequest request) {
    return focus.interleavedPerThousand(request, interleavedPerThousand);
  }
}
