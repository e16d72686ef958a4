package social.feed.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.apache.lucene.store.LockObtainFailedException;
import social.feed.engine.DataFolderException;
import social.feed.engine.Storage;
import social.feed.engine.eventsource.Checkpoints;
import social.feed.local.PlatformParts.Part;
import social.feed.local.index.ServerIndex;
import social.feed.search.SearchIndex;
import social.feed.search.lucene.DamagedIndexException;
import social.feed.search.lucene.LuceneIndex;

/**
 * The places where a platform keeps its data: the table and its stream, the queues, the checkpoints
 * of the stream, the bytes of files, and the secrets that sign tokens and cursors.
 */
sealed interface DataFolder {
  Storage dynamodb();

  Storage queue();

  Checkpoints checkpoints();

  Secrets secrets();

  /**
   * Returns the folder of files.
   *
   * @param parts delete it at the end, if it is a temporary one
   */
  Path media(PlatformParts parts);

  /** Opens the search index. */
  SearchIndex search();

  static DataFolder of(PlatformSettings settings) {
    return settings.data().<DataFolder>map(OnDisk::new).orElseGet(InMemory::new);
  }

  /** Keeps everything in memory; the data are lost with the process. */
  record InMemory() implements DataFolder {
    @Override
    public Storage dynamodb() {
      return Storage.inMemory();
    }

    @Override
    public Storage queue() {
      return Storage.inMemory();
    }

    @Override
    public Checkpoints checkpoints() {
      return Checkpoints.inMemory();
    }

    @Override
    public Secrets secrets() {
      return Secrets.random();
    }

    /** Files do not fit into memory, so they are in a folder that is deleted at the end. */
    @Override
    public Path media(PlatformParts parts) {
      return parts.opened(Part.MEDIA, TemporaryMedia.create()).folder();
    }

    @Override
    public SearchIndex search() {
      try {
        return LuceneIndex.inMemory(InstantSource.system());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Keeps everything in a folder, which is created if absent. */
  record OnDisk(Path folder) implements DataFolder {
    public OnDisk {
      try {
        Files.createDirectories(folder);
      } catch (IOException e) {
        throw new UncheckedIOException(
            "The data folder " + folder + " cannot be created. Name another one with --data.", e);
      }
    }

    @Override
    public Storage dynamodb() {
      return Storage.folder(folder.resolve("dynamodb"));
    }

    @Override
    public Storage queue() {
      return Storage.folder(folder.resolve("queue"));
    }

    @Override
    public Checkpoints checkpoints() {
      return Checkpoints.inFile(folder.resolve("checkpoints.json"));
    }

    @Override
    public Secrets secrets() {
      return Secrets.in(folder.resolve("secrets.properties"));
    }

    @Override
    public Path media(PlatformParts parts) {
      return folder.resolve("media");
    }

    @Override
    public SearchIndex search() {
      var place = folder.resolve("search");
      try {
        var index = LuceneIndex.at(place, InstantSource.system());
        forgetDeletions(index);
        return index;
      } catch (DamagedIndexException e) {
        throw new DataFolderException(
            place,
            "holds a search index that is damaged or of another version",
            "Delete this folder, start the platform again, and run ./feed reindex, which fills the index from the table.",
            e);
      } catch (LockObtainFailedException e) {
        throw new DataFolderException(
            place,
            "cannot be opened as a search index",
            "Stop the other run that holds it, or name another folder.",
            e);
      } catch (IOException e) {
        throw new DataFolderException(
            place,
            "cannot be written to",
            "Name a folder (not a file) that this user may write to, and free some space if the disk is full.",
            e);
      }
    }

    private static void forgetDeletions(SearchIndex index) throws IOException {
      try {
        ServerIndex.forgetDeletions(index);
      } catch (IOException e) {
        try (index) {
          throw e;
        }
      }
    }
  }
}
