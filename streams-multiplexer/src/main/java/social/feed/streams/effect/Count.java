package social.feed.streams.effect;

import social.feed.table.row.Key;

/**
 * Adds to a counter under the shard checkpoints of its row; the only effect of the counts lane,
 * which applies it itself. The edges of one partition drive a counter of an account or a post. A
 * counter that authors or tags are ranked by has a row of its own, which the first count creates.
 *
 * @param item where the counter is
 * @param attribute the counter
 * @param delta what to add; 0 when the record cannot be read
 */
public record Count(Key item, String attribute, long delta) implements Effect {}
