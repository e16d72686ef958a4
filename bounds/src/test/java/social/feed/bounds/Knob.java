package social.feed.bounds;

/**
 * A dimension of the platform that an operation must not grow with.
 *
 * <p>What the API caps at tens needs no knob, as the cap is the bound: the accounts that a post
 * mentions, its tags and its files, and the special follows of one account. Followed accounts and
 * blocks are capped at thousands by settings, and nothing caps the blocks by others, so they have
 * one. Mutes are capped as blocks are, and read by the same code, so they have none.
 */
enum Knob {
  CELEBRITIES("celebrities on the platform", 0, 300, 300),
  SHARDS("stream shards", 3, 100, 100),
  OTHERS("rows of others", 1_000, 3_000, 100_000),
  FOLLOWED("accounts that the caller follows", 10, 300, 5_000),
  FOLLOWERS("followers of the author", 10, 600, 20_000),
  SPECIALS("special followers of the author", 0, 1_000, 5_000),
  POSTS("posts of the author", 20, 600, 20_000),
  FEED("entries in the caller's feed", 100, 1_000, 20_000),
  UNREAD("unread notifications of the caller", 10, 300, 5_000),
  LIKES("likes of the post", 10, 300, 20_000),
  LIKED("newest likes by the caller", 0, 300, 20_000),
  COMMENTS("comments of the post", 20, 300, 20_000),
  BLOCKS("blocks by the caller", 0, 300, 1_000),
  PAGE("posts on a page of the home feed", 10, 50, 50),
  WEBHOOKS("webhooks that get each event", 1, 200, 500),
  CALLS("calls of a webhook that its log lacks", 1, 100, 10_000);

  private static final boolean IS_FULL = "full".equals(System.getProperty("bounds.scale"));

  private final String title;
  private final int small;
  private final int large;
  private final int full;

  Knob(String title, int small, int large, int full) {
    this.title = title;
    this.small = small;
    this.large = large;
    this.full = full;
  }

  /** Returns whether this run measures the full sizes, which {@code .ci/bounds} asks for. */
  static boolean isFull() {
    return IS_FULL;
  }

  String title() {
    return title;
  }

  int small() {
    return small;
  }

  /** Returns the large size of this run. */
  int large() {
    return IS_FULL ? full : large;
  }

  /** Returns the large size of the full scale. */
  int full() {
    return full;
  }
}
