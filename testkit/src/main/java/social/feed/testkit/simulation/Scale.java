package social.feed.testkit.simulation;

/**
 * Numbers that are large in earnest, and so small here that a few people reach them.
 *
 * @param newest how many of an author's posts a new follower gets
 * @param celebrityFrom how many followers make a celebrity
 * @param chunk followers of a part into which large deliveries are cut
 */
public record Scale(int newest, long celebrityFrom, int chunk) {}
