package social.feed.table.ranking;

/**
 * An account in a ranking.
 *
 * @param userId the account
 * @param followers the number of followers by which it is ranked
 */
public record RankedAccount(String userId, long followers) {}
