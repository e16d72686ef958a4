package social.feed.search.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.search.EntryKind;
import social.feed.search.IndexState;
import social.feed.search.IndexedPost;
import social.feed.search.PostHit;
import social.feed.search.PostQuery;
import social.feed.search.SearchIndex;

/** An index whose disk is full for a moment. Lucene then closes its writer. */
class LuceneFailureTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final InstantSource CLOCK = InstantSource.fixed(NOW);
  private static final Logger LOG = Logger.getLogger(LuceneIndex.class.getName());

  @TempDir private Path folder;
  private final Messages messages = new Messages();
  private FullDisk disk;
  private SearchIndex index;

  /** What is logged as an error. */
  private static final class Messages extends Handler {
    private final List<String> errors = new ArrayList<>();

    @Override
    public void publish(LogRecord message) {
      if (message.getLevel().equals(Level.SEVERE)) {
        errors.add(message.getMessage());
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @BeforeEach
  void open() throws IOException {
    LOG.addHandler(messages);
    disk = new FullDisk(FSDirectory.open(folder));
    index = LuceneIndex.in(disk, CLOCK);
    put("first");
    index.commit();
  }

  @AfterEach
  void close() throws IOException {
    LOG.removeHandler(messages);
    index.close();
  }

  private void put(String id) throws IOException {
    index.putPost(new IndexedPost(id, "ann", "text", Set.of(), NOW), "2");
  }

  private static List<String> found(SearchIndex index) throws IOException {
    return index.findPosts(PostQuery.of("text"), null, SearchIndex.MAX_HITS).stream()
        .map(PostHit::id)
        .toList();
  }

  private void assertDurable(String... ids) throws IOException {
    index.close();
    try (var again = LuceneIndex.at(folder, CLOCK)) {
      assertThat(found(again)).containsExactlyInAnyOrder(ids);
    }
  }

  @Test
  void failedCommit_losesNoWrite() throws IOException {
    put("second");
    index.deletePost("first", "3");
    disk.refuses(1);
    assertThatIOException().isThrownBy(index::commit).withStackTraceContaining("No space left");
    assertThat(found(index)).as("searches go on").containsExactly("first");

    put("third");
    index.putPost(new IndexedPost("first", "ann", "text", Set.of(), NOW), "2");
    index.commit();

    assertThat(found(index)).containsExactlyInAnyOrder("second", "third");
    assertThat(messages.errors)
        .singleElement()
        .asString()
        .contains("free some space", "No space left on device");
    assertDurable("second", "third");
  }

  /** A commit covers only what was written before it. */
  @Test
  void writeDuringACommit_isRepeatedAfterAFailure() throws IOException {
    put("second");
    disk.beforeTheEndOfACommit(
        () -> {
          try {
            put("third");
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    index.commit();
    put("fourth");
    disk.refuses(1);
    assertThatIOException().isThrownBy(index::commit);

    index.commit();

    assertThat(found(index)).containsExactlyInAnyOrder("first", "second", "third", "fourth");
    assertDurable("first", "second", "third", "fourth");
  }

  /** Other threads may commit what this one wrote. */
  @Test
  void commitAfterAFailure_coversEarlierWrites() throws IOException {
    put("second");
    disk.refuses(1);
    assertThatIOException().isThrownBy(index::refresh);

    index.commit();

    assertThat(found(index)).containsExactlyInAnyOrder("first", "second");
    assertDurable("first", "second");
  }

  @Test
  void eachCall_opensTheWriterAgain() throws IOException {
    put("second");
    disk.refuses(1);
    assertThatIOException().isThrownBy(index::commit);
    assertThat(index.states(EntryKind.POST, List.of("first", "second")))
        .extracting(IndexState::id)
        .containsExactlyInAnyOrder("first", "second");

    put("third");
    disk.refuses(1);
    assertThatIOException().isThrownBy(index::commit);
    index.forgetDeletions(NOW);
    assertThat(found(index)).hasSize(3);
  }

  @Test
  void whatSearchesSaw_staysSo() throws IOException {
    index.deletePost("first", "3");
    put("second");
    index.refresh();
    put("third");
    disk.refuses(1);
    assertThatIOException().isThrownBy(index::commit);

    put("fourth");

    assertThat(found(index)).contains("second").doesNotContain("first");
  }

  @Test
  void diskThatStaysFull_isReportedOnce() throws IOException {
    put("second");
    disk.refuses(Integer.MAX_VALUE);
    for (int i = 0; i < 3; i++) {
      assertThatIOException().isThrownBy(index::commit);
      assertThatIOException().isThrownBy(() -> put("third"));
    }
    disk.refuses(0);
    index.commit();
    assertThat(found(index)).containsExactlyInAnyOrder("first", "second");
    assertThat(messages.errors).hasSize(1);

    put("third");
    disk.refuses(1);
    assertThatIOException().isThrownBy(index::commit);
    index.commit();
    assertThat(messages.errors).hasSize(2);
    assertDurable("first", "second", "third");
  }

  @Test
  void end_afterAFailure_isAnEnd() throws IOException {
    put("second");
    disk.refuses(1);
    assertThatIOException().isThrownBy(index::commit);
    index.close();

    assertThatIOException().isThrownBy(index::commit);
    assertThatIOException().isThrownBy(() -> put("third"));
    assertDurable("first");
  }
}
