package social.feed.verify;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;
import java.util.stream.Stream;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.media.ImageSize;
import social.feed.table.media.MediaFiles;
import social.feed.table.media.MediaStore;
import social.feed.table.row.Media;

/**
 * Compares the rows of files with the objects in their store, in both directions. Lists the store
 * and reads the row of each listed file, half a read unit each. Then reads the whole table, and
 * asks the store for the objects of each complete file. Each difference is looked at again after
 * the stream was drained, because the rows of deleted files precede their objects. Holds a part of
 * the list, and at most {@value #MOST} differences of each direction in memory.
 */
public final class MediaObjects {
  /** Where more differ, the rest is compared by the next run. */
  static final int MOST = 10_000;

  private static final int AT_ONCE = 100;
  private static final int EXAMPLES = 10;

  private final Table table;
  private final MediaFiles files;
  private final MediaStore store;
  private final int most;

  public MediaObjects(Table table, MediaStore store) {
    this(table, store, MOST);
  }

  /**
   * @param most the most differences of each direction
   */
  MediaObjects(Table table, MediaStore store, int most) {
    this.table = table;
    this.files = new MediaFiles(table);
    this.store = store;
    this.most = most;
  }

  /**
   * Compares rows and objects. Where more differ than are compared, that is a problem of its own,
   * also after a repair.
   *
   * @param drain returns when the stream has caught up
   * @param isRepaired whether to remove objects without a row, unless no listed file has a row:
   *     then the store may be that of another table. A row without its objects is only reported,
   *     because the bytes are lost
   */
  public Report compare(Runnable drain, boolean isRepaired) {
    // Listed first: a row precedes its objects, so each listed one has a row by now or is stray.
    var listed = list();
    var incomplete = new HashSet<String>();
    boolean isCutShort = false;
    long rows = 0;
    for (var file : (Iterable<Media>) rows()::iterator) {
      rows++;
      if (incomplete.size() == most) {
        isCutShort = true;
      } else if (lacksObjects(file)) {
        incomplete.add(file.mediaId());
      }
    }
    if (!listed.without.isEmpty() || !incomplete.isEmpty()) {
      drain.run();
    }
    var stray = strayAmong(listed.without);
    if (isRepaired && listed.isOfTable()) {
      stray.forEach(this::remove);
      stray = strayAmong(stray);
    }
    var advice =
        listed.isOfTable()
            ? ""
            : "; not removed, since the table has no file of this store: is it that of another one?";
    var lost =
        incomplete.stream().filter(id -> files.get(id).filter(this::lacksObjects).isPresent());
    return new Report(
        List.of(
            line(
                "files with their objects",
                rows,
                isCutShort,
                lost.map(id -> Media.key(id) + " lacks objects")),
            line(
                "objects with their rows",
                listed.files,
                listed.isCutShort,
                stray.stream()
                    .map(id -> "the store has objects of " + id + ", which has no row" + advice))));
  }

  /**
   * Returns the ids of objects in the store without a row, at most {@value #MOST}. Half a read unit
   * for each file in the store. Lists it again where more had no row, and the stream has removed
   * the first ones.
   *
   * @param drain returns when the stream has caught up, which removes the objects of deleted files;
   *     called where there are any
   */
  public Set<String> stray(Runnable drain) {
    while (true) {
      var listed = list();
      if (!listed.without.isEmpty()) {
        drain.run();
      }
      var stray = strayAmong(listed.without);
      if (!stray.isEmpty() || !listed.isCutShort) {
        return stray;
      }
    }
  }

  /** What the store has listed. */
  private static final class Listed {
    private final Set<String> without = new HashSet<>();
    private long files;
    private long known;
    private boolean isCutShort;

    void add(List<String> ids, Set<String> known, int most) {
      files += ids.size();
      this.known += known.size();
      for (var id : ids) {
        if (!known.contains(id)) {
          isCutShort |= without.size() == most && !without.contains(id);
          if (!isCutShort) {
            without.add(id);
          }
        }
      }
    }

    /** Returns whether a listed file has a row: ids of other tables are others. */
    boolean isOfTable() {
      return known > 0;
    }
  }

  /**
   * Lists the store, until there is enough to report and a file has shown whose store it is. A list
   * that is cut off begins again.
   */
  private Listed list() {
    return answered(this::listOnce);
  }

  /**
   * Returns what the store says. It is asked again, as the table is, while it does not answer or
   * has too much to do. The last failure is thrown.
   */
  private <T> T answered(Supplier<T> call) {
    return table
        .retry()
        .answered(call, e -> e.getCause() instanceof MediaStore.UnavailableException);
  }

  private Listed listOnce() {
    var listed = new Listed();
    try (var ids = store.mediaIds()) {
      ids.gather(Gatherers.windowFixed(AT_ONCE))
          .takeWhile(_ -> !(listed.isCutShort && listed.isOfTable()))
          .forEach(
              window -> listed.add(window, files.getAll(Set.copyOf(window), false).keySet(), most));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return listed;
  }

  private Set<String> strayAmong(Collection<String> mediaIds) {
    return mediaIds.stream()
        .filter(id -> files.get(id).isEmpty() && !names(id).isEmpty())
        .collect(Collectors.toSet());
  }

  private Stream<Media> rows() {
    return new TableScanner(table)
        .items()
        .flatMap(List::stream)
        .flatMap(item -> media(item).stream());
  }

  private static Optional<Media> media(TableScanner.Item item) {
    return item instanceof TableScanner.Stored stored && stored.row() instanceof Media media
        ? Optional.of(media)
        : Optional.empty();
  }

  private boolean lacksObjects(Media file) {
    if (!file.isComplete()) {
      return false;
    }
    var names = names(file.mediaId());
    return Arrays.stream(ImageSize.values()).anyMatch(size -> names.stream().noneMatch(size::isOf));
  }

  private Set<String> names(String mediaId) {
    return answered(() -> namesOnce(mediaId));
  }

  private Set<String> namesOnce(String mediaId) {
    try {
      return store.names(mediaId);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What cannot be removed, such as a folder with other files, stays reported. */
  private void remove(String mediaId) {
    try {
      store.removeAll(mediaId);
    } catch (IOException e) {
      System.err.printf("The objects of %s cannot be removed: %s%n", mediaId, e.getMessage());
    }
  }

  private Report.Line line(
      String check, long compared, boolean isCutShort, Stream<String> problems) {
    var rest =
        isCutShort
            ? Stream.of(
                "%,d differ, and the rest was not compared: run this again once they are corrected"
                    .formatted(most))
            : Stream.<String>empty();
    var found = Stream.concat(rest, problems.sorted()).toList();
    return new Report.Line(check, compared, found.size(), found.stream().limit(EXAMPLES).toList());
  }
}
