package social.feed.api.ranking;

/** The number that ranks authors. */
enum RankedBy {
  FOLLOWERS,
  GAINED;

  /** The values of the query parameter. */
  static final String PATTERN = "^(followers|gained)$";
}
