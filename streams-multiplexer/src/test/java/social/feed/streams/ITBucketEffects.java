package social.feed.streams;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import social.feed.table.media.MediaStore;
import social.feed.testkit.TestBucket;

/** Removals from a bucket. */
@Tag(TestBucket.TAG)
class ITBucketEffects extends RemoveMediaContract {
  private static TestBucket bucket;

  @BeforeAll
  static void open() {
    bucket = TestBucket.open();
  }

  @AfterAll
  static void close() {
    bucket.close();
  }

  @Override
  MediaStore store() {
    return bucket.store();
  }
}
