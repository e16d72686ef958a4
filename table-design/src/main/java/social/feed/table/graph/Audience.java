package social.feed.table.graph;

import social.feed.table.row.Follow;
import social.feed.table.row.Keys;
import social.feed.table.row.SpecialFollower;

/**
 * A group of accounts that get each post of an account in some form. Its rows, {@link Follow} or
 * {@link SpecialFollower}, lie in the partition of the account, in the order of the members' ids.
 */
public enum Audience {
  FOLLOWERS(Keys.FOLLOWERS, Follow.FEED_SINCE),
  SPECIAL_FOLLOWERS(Keys.SPECIALS, SpecialFollower.CREATED_AT);

  private final String prefix;
  private final String since;

  /**
   * @param prefix the beginning of the sort keys of the rows
   * @param since the attribute with the time from which on a member gets posts
   */
  Audience(String prefix, String since) {
    this.prefix = prefix;
    this.since = since;
  }

  String prefix() {
    return prefix;
  }

  String since() {
    return since;
  }

  String sort(String memberId) {
    return prefix + Keys.part(memberId);
  }
}
