package social.feed.streams;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.ApplicationContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import social.feed.streams.EntryContract.Resources;
import social.feed.streams.plan.Lane;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.media.MediaFiles;
import social.feed.table.media.MediaOutcome;
import social.feed.table.media.MediaQuota;
import social.feed.table.media.MediaStore;
import social.feed.table.row.Media;
import social.feed.table.row.MediaRemoval;
import social.feed.table.row.User;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.TestBucket;
import software.amazon.awssdk.services.sqs.model.Message;

/** The multiplexer with the settings of the function, and the objects of deleted files on S3. */
@Tag(TestBucket.TAG)
class ITBucketRemoval {
  private static final List<String> OBJECTS =
      List.of(MediaStore.UPLOAD, "original.png", "medium.png", "small.png");

  private TestBucket bucket;
  private Resources resources;
  private @Nullable ApplicationContext context;
  private Person ann;

  /** Where the clients of the function find their services. */
  private Map<String, String> clients = Map.of();

  @BeforeEach
  void start() {
    bucket = TestBucket.open();
    resources = Resources.start();
    ann = resources.world().user("ann");
    clients =
        Map.of(
            "aws.endpointUrlDynamoDb", resources.table().endpoint().toString(),
            "aws.endpointUrlSqs", resources.queue().endpoint().toString(),
            "aws.region", "us-east-1");
    clients.forEach(System::setProperty);
  }

  @AfterEach
  void stop() {
    clients.keySet().forEach(System::clearProperty);
    if (context != null) {
      context.close();
    }
    resources.close();
    bucket.close();
  }

  private Multiplexer multiplexer(Map<String, String> media) {
    Map<String, Object> settings = new HashMap<>(media);
    settings.put("feed.multiplexer.table", resources.table().table().name());
    settings.put("feed.multiplexer.dead-letter-queue-url", resources.queueUrl());
    settings.put("feed.multiplexer.event-queue-url", resources.queueUrl());
    var started = ApplicationContext.run(settings);
    context = started;
    return started.getBean(Multiplexer.class);
  }

  private Media file(String name) throws IOException {
    var at = Instant.parse("2026-03-01T12:00:00Z");
    var id = TimeOrderedId.named(at, name);
    var media = new Media(id, ann.id(), "image/png", 9, "f00d", null, at, 3, 2, null);
    assertThat(new MediaFiles(resources.table().table()).reserve(media, new MediaQuota(9, 99)))
        .isEqualTo(MediaOutcome.RESERVED);
    for (var object : OBJECTS) {
      bucket.store().write(id, object, new ByteArrayInputStream(new byte[9]), 9);
    }
    return media;
  }

  private void removes(Multiplexer multiplexer, int sequence, Media media) {
    var event = EntryContract.event(StreamRecords.removed(sequence, media));
    assertThat(multiplexer.handle(Lane.EFFECTS, event).getBatchItemFailures()).isEmpty();
  }

  private List<Message> deadLetters() {
    try (var client = resources.queue().newClient()) {
      return client
          .receiveMessage(
              it ->
                  it.queueUrl(resources.queueUrl())
                      .maxNumberOfMessages(10)
                      .messageAttributeNames("All"))
          .messages();
    }
  }

  private long count() {
    var account = resources.table().table().get(User.key(ann.id())).orElseThrow();
    return Long.parseLong(Objects.requireNonNull(account.get(User.MEDIA_COUNT)).n());
  }

  @Test
  void deletedFile_losesAllItsObjectsOnce() throws IOException {
    var multiplexer = multiplexer(bucket.properties());
    var gone = file("gone");
    var stays = file("stays");

    removes(multiplexer, 1, gone);
    removes(multiplexer, 1, gone);

    assertThat(bucket.store().names(gone.mediaId())).isEmpty();
    assertThat(bucket.store().names(stays.mediaId())).containsExactlyInAnyOrderElementsOf(OBJECTS);
    assertThat(count()).isEqualTo(1);
    assertThat(deadLetters()).isEmpty();
  }

  /** Each attempt waits for a store that is away, so only those of the first file are made. */
  @Test
  void bucketThatDoesNotAnswer_isAskedForOneFileOnly() throws IOException {
    var away = new HashMap<>(bucket.properties());
    away.put("feed.media.endpoint", "http://127.0.0.1:9");
    var multiplexer = multiplexer(away);
    var first = file("first");
    var second = file("second");

    removes(multiplexer, 1, first);
    removes(multiplexer, 2, second);

    assertThat(deadLetters()).isEmpty();
    assertThat(count()).isZero();
    assertThat(noted(first)).isTrue();
    assertThat(noted(second)).isTrue();
  }

  private boolean noted(Media media) {
    var table = resources.table().table();
    return table.get(MediaRemoval.key(media.mediaId())).isPresent()
        && table.get(MediaRemoval.timerKey(media.mediaId())).isPresent();
  }

  /** Once the bucket is there again, the expiry of the timer removes what remained. */
  @Test
  void bucketThatIsAbsent_isAskedAgainUntilTheObjectsAreGone() throws IOException {
    var absent = new HashMap<>(bucket.properties());
    absent.put("feed.media.bucket", "feed-absent");
    var multiplexer = multiplexer(absent);
    var stuck = file("stuck");

    removes(multiplexer, 1, stuck);

    assertThat(count()).isZero();
    assertThat(deadLetters()).isEmpty();
    assertThat(noted(stuck)).isTrue();
    expires(multiplexer, 2, stuck);
    assertThat(noted(stuck)).isTrue();
    assertThat(bucket.store().names(stuck.mediaId())).isNotEmpty();
    requireNonNull(context).close();

    expires(multiplexer(bucket.properties()), 3, stuck);

    assertThat(bucket.store().names(stuck.mediaId())).isEmpty();
    assertThat(resources.table().table().get(MediaRemoval.key(stuck.mediaId()))).isEmpty();
    assertThat(count()).as("released once").isZero();
  }

  private void expires(Multiplexer multiplexer, int sequence, Media media) {
    var timer = MediaRemoval.of(media.mediaId(), ann.id(), 1).timer(Instant.now());
    var event = EntryContract.event(StreamRecords.expired(sequence, timer));
    assertThat(multiplexer.handle(Lane.EFFECTS, event).getBatchItemFailures()).isEmpty();
  }
}
