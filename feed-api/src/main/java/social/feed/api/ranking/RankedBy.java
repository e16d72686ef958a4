package social.feed.api.ranking;

/** By which number authors are ranked. */
enum RankedBy {
  FOLLOWERS,
  GAINED;

  /** The words of the query. */
  static final String PATTERN = "^(followers|gained)$";
}
