package social.feed.verify;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
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
  /** Where so many differ, the rest is compared after these were repaired. */
  static final int MOST = 10_000;

  private static final int AT_ONCE = 100;

  private final Table table;
  private final MediaFiles files;
  private final MediaStore store;

  public MediaObjects(Table table, MediaStore store) {
    this.table = table;
    this.files = new MediaFiles(table);
    this.store = store;
  }

  /**
   * Compares rows and objects.
   *
   * @param drain returns when the stream has caught up
   * @param isRepaired whether to remove objects without a row, unless the table has no file at all:
   *     then the store may be that of another table. A row without its objects is only reported,
   *     because the bytes are lost
   */
  public Report compare(Runnable drain, boolean isRepaired) {
    // Listed first: a row precedes its objects, so each listed one has a row by now or is stray.
    var without = new HashSet<String>();
    long listed = listWithoutRow(without);
    var incomplete = new HashSet<String>();
    long rows = 0;
    for (var file : (Iterable<Media>) rows()::iterator) {
      rows++;
      if (incomplete.size() < MOST && lacksObjects(file)) {
        incomplete.add(file.mediaId());
      }
    }
    if (!without.isEmpty() || !incomplete.isEmpty()) {
      drain.run();
    }
    var stray = strayAmong(without);
    boolean isForeign = rows == 0;
    boolean isCutShort = without.size() == MOST || incomplete.size() == MOST;
    if (isRepaired && !isForeign) {
      stray.forEach(this::remove);
      stray = strayAmong(stray);
    }
    var advice =
        isForeign
            ? "; not removed, since the table has no file: is it the store of another one?"
            : isCutShort ? "; only some were compared, so run this again" : "";
    var lost =
        incomplete.stream().filter(id -> files.get(id).filter(this::lacksObjects).isPresent());
    return new Report(
        List.of(
            line(
                "files with their objects", rows, lost.map(id -> Media.key(id) + " lacks objects")),
            line(
                "objects with their rows",
                listed,
                stray.stream()
                    .map(id -> "the store has objects of " + id + ", which has no row" + advice))));
  }

  /**
   * Returns the ids of objects in the store without a row, at most {@value #MOST}. Half a read unit
   * for each file in the store.
   *
   * @param drain returns when the stream has caught up, which removes the objects of deleted files;
   *     called where there are any
   */
  public Set<String> stray(Runnable drain) {
    var found = new HashSet<String>();
    listWithoutRow(found);
    if (!found.isEmpty()) {
      drain.run();
    }
    return strayAmong(found);
  }

  /**
   * Collects the ids of files that are in the store and seem to have no row.
   *
   * @return the number of files that were listed
   */
  private long listWithoutRow(Set<String> found) {
    var listed = new AtomicLong();
    try (var ids = store.mediaIds()) {
      ids.gather(Gatherers.windowFixed(AT_ONCE))
          .takeWhile(_ -> found.size() < MOST)
          .forEach(
              window -> {
                listed.addAndGet(window.size());
                var absent = new HashSet<>(window);
                absent.removeAll(files.getAll(Set.copyOf(window), false).keySet());
                absent.stream().limit(MOST - found.size()).forEach(found::add);
              });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return listed.get();
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

  private static Report.Line line(String check, long compared, Stream<String> problems) {
    var found = problems.sorted().toList();
    return new Report.Line(check, compared, found.size(), found.stream().limit(10).toList());
  }
}
