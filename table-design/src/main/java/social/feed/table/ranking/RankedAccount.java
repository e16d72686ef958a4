package social.feed.table.ranking;

/**
 * An account in a ranking.
 *
 * @param userId the account
 * @param followers how many it is ranked by
 */
public record RankedAccount(String userId, long followers) {}
