package social.feed.streams.deadletter;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;

/**
 * A record that one handler can never apply.
 *
 * @param handler which kind of effect failed, or that the record could not be decoded
 * @param reason what went wrong, in words
 * @param record as it came, with both images, so that it can be applied again
 */
public record DeadLetter(String handler, String reason, DynamodbStreamRecord record) {}
