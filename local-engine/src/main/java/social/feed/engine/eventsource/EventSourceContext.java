package social.feed.engine.eventsource;

import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** The objects that all threads of one event source share. */
record EventSourceContext(
    DynamoDbStreamsClient streams,
    String streamArn,
    Checkpoints checkpoints,
    EventSourceSettings settings,
    EventSourceState sourceState) {}
