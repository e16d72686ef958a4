package social.feed.testkit.simulation;

import java.util.EnumSet;
import java.util.Set;
import java.util.random.RandomGenerator;
import social.feed.testkit.fault.FaultKind;
import social.feed.testkit.fault.FaultMix;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/**
 * What one history is like. Not everything happens in each: a stream that is set back repairs what
 * went wrong before, and so hides it; faults end an invocation before anything can run beside it.
 *
 * @param trouble what it is about
 * @param scale the numbers of the function
 * @param faults those that come
 * @param setsBack whether the stream brings again what was done long ago
 * @param besidePerThousand calls during which others do something, of a thousand
 * @param longestBeside how much they do at most meanwhile
 * @param countsOneOf of how many batches one is for the counts; rare ones are large
 * @param oneIsHot whether all talk is of the newest post, so that a batch changes one counter often
 */
record FaultProfile(
    HistoryFocus trouble,
    Scale scale,
    FaultMix faults,
    boolean setsBack,
    int besidePerThousand,
    int longestBeside,
    int countsOneOf,
    boolean oneIsHot) {
  /** Calls that last long, or none, so that the whole is neither quiet nor endless. */
  private static final int[] BESIDE = {0, 20, 40, 80};

  private static final int LONGEST = 6;
  private static final Set<FaultKind> PARTIAL =
      EnumSet.of(FaultKind.UNPROCESSED, FaultKind.STALE_READ, FaultKind.STALE_INDEX);

  private static final int MANY = 15;
  private static final int SELDOM = 15;
  private static final int NEWEST = 2;
  private static final int FEED_SHARDS = 4;
  private static final int TRACKS = 3;

  /** Followers that make a celebrity: some have as many, some do not. */
  private static final int CELEBRITY = 3;

  /** More than there are people. */
  private static final int NEVER = 100;

  static FaultProfile of(long seed, FaultMix mix, RandomGenerator random) {
    var trouble = HistoryFocus.of(seed);
    var scale = scale(random);
    var faults = random.nextInt(4) == 0 ? FaultMix.none() : mix.varied(random);
    int beside = BESIDE[random.nextInt(BESIDE.length)];
    int longest = 1 + random.nextInt(LONGEST);
    boolean setsBack = random.nextBoolean();
    return switch (trouble) {
      case ANYTHING ->
          new FaultProfile(
              trouble,
              scale,
              faults,
              setsBack,
              beside,
              longest,
              random.nextBoolean() ? 3 : SELDOM,
              random.nextInt(3) == 0);
      case LATE_WRITES ->
          new FaultProfile(trouble, scale, FaultMix.none(), false, 0, 1, SELDOM, true);
      case ABSENCE ->
          new FaultProfile(trouble, pushing(scale), faults, false, beside, longest, 3, false);
      case UNDOING, REDOING ->
          new FaultProfile(trouble, pushing(scale), FaultMix.none(), false, 0, 1, 3, false);
      case FAREWELLS ->
          new FaultProfile(trouble, scale, faults, setsBack, beside, longest, 3, false);
      case FAME ->
          new FaultProfile(trouble, famous(scale), faults, setsBack, beside, longest, 3, false);
      case MEETINGS ->
          new FaultProfile(trouble, scale, FaultMix.none(), false, 0, longest, 3, false);
      case REFUSALS ->
          new FaultProfile(
              trouble, scale, mix.without(PARTIAL).varied(random), setsBack, 0, 1, 3, false);
      case PARTIAL_ANSWERS ->
          new FaultProfile(trouble, scale, mix.only(PARTIAL).times(MANY), false, 0, 1, 3, false);
    };
  }

  /** Half the time authors become celebrities, and half the time audiences are cut. */
  private static Scale scale(RandomGenerator random) {
    return new Scale(
        NEWEST,
        random.nextBoolean() ? CELEBRITY : NEVER,
        random.nextBoolean() ? 2 : NEVER,
        FEED_SHARDS,
        TRACKS);
  }

  private static Scale famous(Scale scale) {
    return new Scale(scale.newest(), CELEBRITY, scale.chunk(), FEED_SHARDS, TRACKS);
  }

  private static Scale pushing(Scale scale) {
    return new Scale(scale.newest(), NEVER, scale.chunk(), FEED_SHARDS, TRACKS);
  }

  int besidePerThousand(DynamoDbRequest request) {
    return trouble.besidePerThousand(request, besidePerThousand);
  }
}
