package social.feed.ctl.plan;

/**
 * What a plan is made for. Rates are averages for a user who reads on that day.
 *
 * @param users accounts that read in a month; their feeds are filled
 * @param accounts registered accounts
 * @param daily accounts that read on a day
 * @param follows accounts that an account follows, which is also the average number of followers
 * @param exponent of the power law of followers
 * @param mostFollowed followers of the most followed account, as a share of the accounts
 * @param a what a daily user does in a day
 * @param tags of a post
 * @param peak the highest rate of a day, divided by the average
 * @param threshold followers from which an author's posts are pulled
 * @param months for which posts, likes, comments and rankings have piled up
 * @param idLength characters of the id of an account
 * @param serverRequests requests a second that a server of the API answers
 */
record PlanInputs(
    long users,
    long accounts,
    double daily,
    double follows,
    double exponent,
    double mostFollowed,
    Daily a,
    int tags,
    double peak,
    long threshold,
    double months,
    int idLength,
    double serverRequests) {

  /**
   * How often a daily user does something in a day.
   *
   * @param hours hours, after the first one, in which the user reads the feed
   */
  record Daily(
      double pages,
      double hours,
      double posts,
      double likes,
      double comments,
      double follows,
      double unfollows,
      double views,
      double profiles,
      double lists,
      double counts,
      double notifications,
      double readAll) {}

  /** Returns the share of the accounts that read in a month. */
  double active() {
    return (double) users / accounts;
  }

  Popularity popularity() {
    return Popularity.withMean(exponent, follows, Math.max(follows, mostFollowed * accounts));
  }
}
