package social.feed.infra;

import java.util.List;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.media.MediaBucket;
import software.amazon.awscdk.CfnOutput;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.StackProps;
import software.amazon.awscdk.services.events.EventBus;
import software.amazon.awscdk.services.s3.BlockPublicAccess;
import software.amazon.awscdk.services.s3.Bucket;
import software.amazon.awscdk.services.s3.BucketEncryption;
import software.amazon.awscdk.services.s3.LifecycleRule;
import software.amazon.awscdk.services.s3.ObjectOwnership;
import software.amazon.awscdk.services.sqs.DeadLetterQueue;
import software.amazon.awscdk.services.sqs.Queue;
import software.amazon.awscdk.services.sqs.QueueEncryption;
import software.constructs.Construct;

/**
 * The resources that outlive every deployment: the table, the queue of dead letters, and the events
 * for other systems.
 */
final class DataStack extends Stack {
  private static final Duration DEAD_LETTERS_KEPT = Duration.days(Retention.DEAD_LETTERS.toDays());

  private static final Duration FAILED_BATCHES_KEPT =
      Duration.days(Retention.DISCARDED_BATCHES.toDays());
  private static final Duration LOGS_KEPT = Duration.days(90);
  private static final Duration UPLOADS_KEPT = Duration.days(1);
  private static final double MIN_TLS = 1.2;
  private static final int ATTEMPTS = 5;

  /** Of a message for a sink that the function could not even put back. */
  private static final int SINK_ATTEMPTS = 20;

  private final Stage stage;
  private final Queue deadLetters;
  private final Queue events;
  private final Queue rejectedEvents;
  private final EventBus bus;
  private final Bucket logs;
  private final Bucket failedBatches;

  DataStack(Construct scope, String id, StackProps props, Inputs inputs) {
    super(scope, id, props);
    this.stage = inputs.stage();
    var table = inputs.otherTable().map(other -> other.address(this)).orElseGet(this::table);
    table.publish(this, stage);
    this.deadLetters = queue("DeadLetters").build();
    this.rejectedEvents = queue("UntoldEvents").build();
    this.events =
        queue("Events")
            .deadLetterQueue(
                DeadLetterQueue.builder().queue(rejectedEvents).maxReceiveCount(ATTEMPTS).build())
            .build();
    this.bus =
        EventBus.Builder.create(this, "Bus")
            .description(
                "Events for other systems: authors who became or stopped being celebrities")
            .build();
    new EventPipe(this, events, bus);
    if (inputs.sinks().areOn()) {
      sinks(inputs.sinks());
    }
    this.logs = bucket("Logs", LOGS_KEPT).build();
    // An API as a service imports it. Without the export, a service could not become a function.
    exportValue(logs.getBucketName());
    this.failedBatches =
        bucket("FailedBatches", FAILED_BATCHES_KEPT)
            .serverAccessLogsBucket(logs)
            .serverAccessLogsPrefix("failed-batches/")
            .build();
    if (stage.keepsData() || inputs.media() == MediaKind.S3) {
      media(inputs);
    }
    output("TableName", "Name of the table", table.name());
    output("DeadLettersUrl", "Queue of dead letters", deadLetters.getQueueUrl());
    output(
        "UntoldEventsArn",
        "Queue of crossings that the bus did not accept",
        rejectedEvents.getQueueArn());
    output("EventsUrl", "Queue of crossings of the celebrity threshold", events.getQueueUrl());
    output(
        "FailedBatchesName", "Bucket of batches that were given up", failedBatches.getBucketName());
    output("BusName", "Bus for subscribers in other systems", bus.getEventBusName());
  }

  /** Other stacks know the names only, so that the inputs can be taken back. */
  private void sinks(SinkInputs inputs) {
    var queue =
        queue("Sinks")
            .visibilityTimeout(SinkResource.HIDDEN)
            .deadLetterQueue(
                DeadLetterQueue.builder().queue(deadLetters).maxReceiveCount(SINK_ATTEMPTS).build())
            .build();
    SsmParameter.SINKS_QUEUE.publish(this, stage, queue.getQueueArn());
    if (inputs.hasEventBridge()) {
      SsmParameter.SINKS_BUS.publish(this, stage, bus.getEventBusName());
    }
    if (inputs.search().isOn()) {
      output("SearchUrl", "Server of the search index", new SearchDomain(this, stage).url());
    }
    output("SinksUrl", "Queue of events for other systems", queue.getQueueUrl());
  }

  private TableAddress table() {
    var table = TableResource.in(this, stage);
    return new TableAddress(table.getRef(), table.getAttrStreamArn());
  }

  /**
   * Creates the bucket of media, and lets the other stacks find it where images are on. A stage
   * that keeps data has it also while images are off: a bucket that leaves the stack stays, and the
   * next one would lack its images.
   */
  private void media(Inputs inputs) {
    var media = mediaBucket(inputs.api().apps());
    output("MediaName", "Bucket of images", media.getBucketName());
    if (inputs.media() == MediaKind.S3) {
      SsmParameter.MEDIA_BUCKET.publish(this, stage, media.getBucketName());
    }
    if (inputs.distribution().isOn()) {
      new MediaDistribution(this, media, inputs);
    }
  }

  /**
   * Returns a new bucket of media. It has no versions: a deleted image is gone. Unchecked uploads
   * end after a day, as a lifecycle rule counts in days; their rows end earlier.
   */
  private Bucket mediaBucket(BrowserApps apps) {
    return Bucket.Builder.create(this, "Media")
        .encryption(BucketEncryption.S3_MANAGED)
        .blockPublicAccess(BlockPublicAccess.BLOCK_ALL)
        .objectOwnership(ObjectOwnership.BUCKET_OWNER_ENFORCED)
        .enforceSsl(true)
        .minimumTlsVersion(MIN_TLS)
        .lifecycleRules(
            List.of(
                LifecycleRule.builder()
                    .id("unchecked-uploads")
                    .prefix(MediaBucket.UPLOADS)
                    .expiration(UPLOADS_KEPT)
                    .build(),
                LifecycleRule.builder()
                    .id("parts-of-uploads")
                    .abortIncompleteMultipartUploadAfter(UPLOADS_KEPT)
                    .build()))
        .cors(apps.exist() ? apps.ofBucket() : null)
        .serverAccessLogsBucket(logs)
        .serverAccessLogsPrefix("media/")
        .removalPolicy(stage.removal())
        .build();
  }

  private Queue.Builder queue(String id) {
    return Queue.Builder.create(this, id)
        .encryption(QueueEncryption.SQS_MANAGED)
        .enforceSsl(true)
        .retentionPeriod(DEAD_LETTERS_KEPT)
        .removalPolicy(stage.removal());
  }

  private Bucket.Builder bucket(String id, Duration kept) {
    return Bucket.Builder.create(this, id)
        .encryption(BucketEncryption.S3_MANAGED)
        .blockPublicAccess(BlockPublicAccess.BLOCK_ALL)
        .enforceSsl(true)
        .lifecycleRules(List.of(LifecycleRule.builder().expiration(kept).build()))
        .removalPolicy(stage.removal());
  }

  private void output(String id, String description, String value) {
    CfnOutput.Builder.create(this, id).description(description).value(value).build();
  }

  /** Returns the queue of records that can never be applied. */
  Queue deadLetters() {
    return deadLetters;
  }

  /**
   * Returns the queue of crossings of the celebrity threshold, which the pipe forwards to the bus.
   */
  Queue events() {
    return events;
  }

  /** Returns the queue of crossings that the bus rejected. */
  Queue rejectedEvents() {
    return rejectedEvents;
  }

  /** Returns the bucket of batches that were given up, with their records. */
  Bucket failedBatches() {
    return failedBatches;
  }

  /** Returns the bucket of access logs. */
  Bucket logs() {
    return logs;
  }
}
