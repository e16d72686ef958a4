package social.feed.simulation;

/**
 * The bounds of {@link ITCloud} that do not hold yet. The test asserts that each of them is broken,
 * so a change that makes one hold must remove its line.
 */
enum KnownViolation {
  LIKES_OF_ONE_POST_REFUSED("all likes of a post meet in one partition of an index"),
  ONE_CALLER_DELAYS_OTHERS(
      "a post in feeds that changes while its effect is applied is reflected again, up to eight"
          + " times, and the next batch of its keys waits");

  private final String what;

  KnownViolation(String what) {
    this.what = what;
  }

  /** What is wrong. */
  String what() {
    return what;
  }
}
