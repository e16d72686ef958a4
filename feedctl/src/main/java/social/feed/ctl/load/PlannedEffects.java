package social.feed.ctl.load;

import social.feed.table.cost.CostFormulas;
import social.feed.table.cost.UserAction;
import social.feed.table.kernel.cost.ConsumedUnits;

/**
 * What the actions of a load cost behind the stream, as the plan says: with the costs that tests
 * assert, as AWS bills them, in batches without other records. No response reports them.
 *
 * @param followers the followers of the author of a new post
 * @param posts the posts of an account that is followed or unfollowed
 */
record PlannedEffects(long followers, int posts) {
  /** Returns the effects of actions on average over the accounts of a graph. */
  static PlannedEffects in(SocialGraph graph, int postsOfEach) {
    return new PlannedEffects(Math.round((double) graph.edges() / graph.size()), postsOfEach);
  }

  /**
   * Returns the cost of the effects of an action that succeeded. It is less for a like that was
   * there before, for a follow that was, and for fewer unread notifications than twenty.
   */
  ConsumedUnits of(Action action) {
    return switch (action) {
      case UNREAD,
          HOME,
          OLDER,
          READ,
          COMMENTS,
          PROFILE,
          TIMELINE,
          FOLLOWERS,
          NOTIFICATIONS,
          TAG,
          TRENDS,
          AUTHORS ->
          ConsumedUnits.NONE;
      case READ_ALL -> UserAction.READ_ALL.behind();
      case LIKE, UNLIKE -> UserAction.LIKE.behind();
      case COMMENT -> UserAction.COMMENT.behind();
      case FOLLOW -> CostFormulas.follow(Math.min(CostFormulas.BACKFILL, posts));
      case UNFOLLOW -> CostFormulas.unfollow(posts);
      case WRITE -> CostFormulas.delivery(followers).plus(CostFormulas.tags(1));
    };
  }
}
