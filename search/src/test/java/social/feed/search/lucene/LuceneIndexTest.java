package social.feed.search.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.search.EntryKind;
import social.feed.search.IndexedAccount;
import social.feed.search.PostQuery;
import social.feed.search.SearchIndex;
import social.feed.search.SearchIndexContract;
import social.feed.search.SearchTimeoutException;

/** The contract on Lucene, and what its folder does. */
class LuceneIndexTest extends SearchIndexContract {
  private static final InstantSource CLOCK = InstantSource.fixed(NOW);

  @Override
  protected SearchIndex opened(InstantSource clock) throws IOException {
    return LuceneIndex.inMemory(clock, Duration.ofMinutes(1));
  }

  /** So many that blocks of them are skipped. */
  @Override
  public int manyPosts() {
    return 4_000;
  }

  @Test
  void folder_openedAgain_hasPostsAndTombstones(@TempDir Path folder) throws IOException {
    try (var index = LuceneIndex.at(folder, CLOCK)) {
      index.putPost(post("p1", "a", "text"), "1");
      index.deletePost("p2", "2");
    }
    try (var index = LuceneIndex.at(folder, CLOCK)) {
      index.putPost(post("p2", "a", "text"), "1");
      index.refresh();
      assertThat(ids(index, PostQuery.of("text"))).containsExactly("p1");
    }
  }

  /** A copy of the folder, taken while the writer works, is what a crash leaves. */
  @Test
  void folder_afterACrash_hasWhatWasCommitted(@TempDir Path folder) throws IOException {
    var crashed = Files.createDirectories(folder.resolve("crashed"));
    var used = folder.resolve("used");
    try (var index = LuceneIndex.at(used, CLOCK)) {
      index.putPost(post("p1", "a", "text"), "1");
      index.commit();
      index.putPost(post("p2", "a", "text"), "1");
      index.deletePost("p1", "2");
      index.refresh();
      assertThat(ids(index, PostQuery.of("text"))).containsExactly("p2");
      try (var files = Files.list(used)) {
        for (var file : files.toList()) {
          Files.copy(file, crashed.resolve(file.getFileName()));
        }
      }
    }
    Files.writeString(crashed.resolve("pending_segments_9"), "cut off");
    try (var index = LuceneIndex.at(crashed, CLOCK)) {
      assertThat(ids(index, PostQuery.of("text"))).containsExactly("p1");
      index.deletePost("p1", "2");
      index.refresh();
      assertThat(ids(index, PostQuery.of("text"))).isEmpty();
    }
  }

  @Test
  void folder_ofAnEarlierVersion_isEmptied(@TempDir Path folder) throws IOException {
    try (var directory = FSDirectory.open(folder);
        var writer = new IndexWriter(directory, new IndexWriterConfig())) {
      var document = new Document();
      document.add(new StringField("key", "post p1", Store.NO));
      document.add(new TextField("text", "text", Store.NO));
      writer.addDocument(document);
    }
    try (var index = LuceneIndex.at(folder, CLOCK)) {
      assertThat(ids(index, PostQuery.of("text"))).isEmpty();
      index.putPost(post("p2", "a", "text"), "1");
    }
    try (var index = LuceneIndex.at(folder, CLOCK)) {
      assertThat(ids(index, PostQuery.of("text"))).containsExactly("p2");
    }
  }

  @Test
  void folder_withAWriter_takesNoOther(@TempDir Path folder) throws IOException {
    try (var index = LuceneIndex.at(folder, CLOCK)) {
      assertThatIOException().isThrownBy(() -> LuceneIndex.at(folder, CLOCK));
      index.putPost(post("p", "a", "text"), "1");
    }
    LuceneIndex.at(folder, CLOCK).close();
  }

  /** A run that found damage does not hold the folder. */
  @Test
  void folder_withoutASegment_isDamaged(@TempDir Path folder) throws IOException {
    try (var index = LuceneIndex.at(folder, CLOCK)) {
      index.putPost(post("p", "a", "text"), "1");
    }
    try (var files = Files.newDirectoryStream(folder, "*.{si,cfs,fdt}")) {
      for (var file : files) {
        var content = Files.readAllBytes(file);
        Files.delete(file);
        for (int i = 0; i < 2; i++) {
          assertThatExceptionOfType(DamagedIndexException.class)
              .as("without " + file)
              .isThrownBy(() -> LuceneIndex.at(folder, CLOCK));
        }
        Files.write(file, Arrays.copyOf(content, content.length / 2));
        assertThatExceptionOfType(DamagedIndexException.class)
            .as("half of " + file)
            .isThrownBy(() -> LuceneIndex.at(folder, CLOCK));
        Files.write(file, content);
      }
    }
    try (var index = LuceneIndex.at(folder, CLOCK)) {
      assertThat(ids(index, PostQuery.of("text"))).containsExactly("p");
    }
  }

  @Test
  void calls_afterTheEnd_failAsOnABrokenIndex() throws IOException {
    var index = LuceneIndex.inMemory(CLOCK);
    index.close();

    assertThatIOException().isThrownBy(() -> index.putPost(post("p", "a", "text"), "1"));
    assertThatIOException().isThrownBy(() -> index.findAccounts("x", null, 1));
    assertThatIOException().isThrownBy(index::refresh);
    assertThatIOException().isThrownBy(index::commit);
  }

  /** What is not refreshed is known to later writes, also when it is more than is remembered. */
  @Test
  void versions_ofManyWrites_areKnown() throws IOException {
    try (var index = LuceneIndex.inMemory(CLOCK)) {
      for (int i = 0; i < 10_100; i++) {
        index.putPost(post("p" + i, "a", "text"), "2");
      }
      index.putPost(post("p0", "a", "stale"), "1");
      index.putPost(post("p10099", "a", "stale"), "1");
      index.refresh();
      assertThat(ids(index, PostQuery.of("stale"))).isEmpty();
    }
  }

  @Test
  void search_beyondItsTime_hasNoResult() throws IOException {
    try (var index = LuceneIndex.inMemory(CLOCK, Duration.ZERO)) {
      index.putPost(post("p", "a", "text"), "1");
      index.putAccount(new IndexedAccount("u", "ada", "Ada"), "1");
      index.refresh();
      assertThatExceptionOfType(SearchTimeoutException.class)
          .isThrownBy(() -> ids(index, PostQuery.of("text")));
      assertThatExceptionOfType(SearchTimeoutException.class)
          .isThrownBy(() -> index.findAccounts("ada", null, 1));
      assertThat(index.states(EntryKind.POST, List.of("p"))).hasSize(1);
    }
  }

  /**
   * No account has all of the words, so none is visited, and only the search for similar words
   * takes time.
   */
  @Test
  void searchForSimilarWords_beyondItsTime_hasNoResult() throws IOException {
    for (var limit : List.of(Duration.ZERO, Duration.ofHours(1))) {
      try (var index = LuceneIndex.inMemory(CLOCK, limit)) {
        for (int i = 0; i < 100; i++) {
          index.putAccount(new IndexedAccount("u" + i, "marlon" + i, "Marlon"), "1");
        }
        index.refresh();
        if (limit.isZero()) {
          assertThatExceptionOfType(SearchTimeoutException.class)
              .isThrownBy(() -> index.findAccounts("nowhere marlom", null, 1));
        } else {
          assertThat(index.findAccounts("nowhere marlom", null, 1)).isEmpty();
          assertThat(index.findAccounts("marlom", null, 1)).hasSize(1);
        }
      }
    }
  }
}
