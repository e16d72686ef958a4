package social.feed.testkit.simulation;

/**
 * Numbers that are large in earnest, and so small here that a few people reach them.
 *
 * @param newest how many of an author's posts a new follower gets
 * @param celebrityFrom how many followers make a celebrity
 * @param chunk followers of a part into which large deliveries are cut
 * @param feedShards over how many partitions the entries of a post are spread
 * @param tracks batches of effects of one shard that are under way at once
 */
public record Scale(int newest, long celebrityFrom, int chunk, int feedShards, int tracks) {}
