package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import social.feed.local.PlatformSettings;
import social.feed.table.media.MediaStore;
import social.feed.testkit.TestBucket;
import social.feed.verify.Report;
import software.amazon.awssdk.core.sync.RequestBody;

/** The comparison with a bucket, and the commands that do it. */
@Tag(TestBucket.TAG)
class ITBucketObjects extends MediaObjectsContract {
  private final TestBucket bucket = TestBucket.open();

  @Override
  MediaStore open(Path directory) {
    return bucket.store();
  }

  @AfterEach
  void close() {
    bucket.close();
  }

  /** More than S3 lists at once, and than the table reads at once. */
  @Test
  void manyObjectsWithoutARow_areAllRemoved() {
    IntStream.range(0, 1_050)
        .parallel()
        .forEach(
            i -> {
              try {
                write(id("stray" + i), SIZES.subList(0, 1));
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });

    var found = compare(false);
    assertThat(found.lines()).extracting(Report.Line::compared).containsExactly(3L, 1_052L);
    assertThat(found.drifts()).isEqualTo(1_050);

    assertThat(compare(true).isClean()).isTrue();
    try (var left = bucket.store().mediaIds()) {
      assertThat(left).containsExactlyInAnyOrder(id("whole"), id("pending"));
    }
  }

  /** A client may send bytes for as long as its address is valid, also after its row is gone. */
  @Test
  void uploadWithoutARow_isFoundAndRemoved() throws IOException {
    bucket.store().write(id("late"), MediaStore.UPLOAD, new ByteArrayInputStream(new byte[1]), 1);

    assertThat(compare(false).drifts()).isEqualTo(1);
    assertThat(compare(true).isClean()).isTrue();
    assertThat(bucket.store().names(id("late"))).isEmpty();
  }

  /** What this platform did not write is neither compared nor removed. */
  @Test
  void otherObjectsInTheBucket_areLeft() {
    for (var key : new String[] {"photos/1.png", "media/photo/small.png", "uploads/photo"}) {
      bucket
          .client()
          .putObject(
              put -> put.bucket(bucket.settings().bucket()).key(key), RequestBody.fromString("x"));
    }

    assertThat(compare(true).isClean()).isTrue();

    assertThat(
            bucket
                .client()
                .listObjectsV2(list -> list.bucket(bucket.settings().bucket()))
                .contents())
        .extracting(object -> object.key())
        .contains("photos/1.png", "media/photo/small.png", "uploads/photo");
  }

  @Test
  void commands_takeTheAddressOfABucket() throws IOException {
    write(id("stray"), SIZES);
    var media =
        List.of(
            "--media",
            "s3://" + bucket.settings().bucket(),
            "--media-endpoint",
            String.valueOf(bucket.settings().endpoint()));
    System.setProperty("aws.region", String.valueOf(bucket.settings().region()));
    try {
      assertThat(run(media, "erasure", "1", "--prove"))
          .contains(id("stray"), "1 files in the store have no row.");
      assertThat(run(media, "verify")).contains("the store has objects of " + id("stray"));
      assertThat(run(media, "verify", "--fix")).contains("no drift");
      assertThat(run(media, "erasure", "1", "--prove"))
          .contains("0 files in the store have no row.");
      assertThat(run(List.of("--media", "s3://Not_a_bucket"), "verify"))
          .contains("--media: 'Not_a_bucket' is not a bucket");
    } finally {
      System.clearProperty("aws.region");
    }
    assertThat(bucket.store().names(id("stray"))).isEmpty();
  }

  /** Returns what a command prints. */
  private String run(List<String> media, String... arguments) {
    var out = new StringWriter();
    var platform =
        List.of(
            "--endpoint",
            world.platform().dynamodb().toString(),
            "--url",
            world.platform().api().toString(),
            "--table",
            PlatformSettings.TABLE);
    Main.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(out))
        .execute(
            Stream.of(List.of(arguments), media, platform)
                .flatMap(List::stream)
                .toArray(String[]::new));
    return out.toString();
  }
}
