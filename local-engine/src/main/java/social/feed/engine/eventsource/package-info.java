/**
 * An implementation of Lambda's event source mapping for DynamoDB streams, by its documented rules,
 * for one process and DynamoDB Local.
 *
 * <p>{@link social.feed.engine.eventsource.EventSource} is the entry point. A mapping reads each
 * shard of the stream with a thread of its own, parents before children: {@code MappingFollower} →
 * {@code ShardFollower} → {@code ShardReader} (records), {@code BatchDelivery} (retries), {@code
 * FunctionInvoker} (the call) → {@link social.feed.engine.eventsource.Checkpoints}.
 */
@NullMarked
package social.feed.engine.eventsource;

import org.jspecify.annotations.NullMarked;
