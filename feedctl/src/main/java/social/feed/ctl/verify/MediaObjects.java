package social.feed.ctl.verify;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.media.ImageSize;
import social.feed.table.media.MediaFiles;
import social.feed.table.media.MediaStore;
import social.feed.table.row.Media;

/**
 * Compares the rows of files with the objects in their store, in both directions. Lists the store,
 * then reads the whole table. Each difference is looked at again after the stream was drained,
 * because the rows of deleted files precede their objects.
 */
public final class MediaObjects {
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
    var listed = ids();
    var without = new HashSet<>(listed);
    var incomplete = new HashSet<String>();
    long rows = 0;
    for (var file : (Iterable<Media>) rows()::iterator) {
      rows++;
      without.remove(file.mediaId());
      if (lacksObjects(file)) {
        incomplete.add(file.mediaId());
      }
    }
    if (!without.isEmpty() || !incomplete.isEmpty()) {
      drain.run();
    }
    var stray = strayAmong(without);
    boolean isForeign = rows == 0;
    if (isRepaired && !isForeign) {
      stray.forEach(this::remove);
      stray = strayAmong(stray);
    }
    var advice =
        isForeign
            ? "; not removed, since the table has no file: is it the folder of another one?"
            : "";
    var lost =
        incomplete.stream().filter(id -> files.get(id).filter(this::lacksObjects).isPresent());
    return new Report(
        List.of(
            line(
                "files with their objects", rows, lost.map(id -> Media.key(id) + " lacks objects")),
            line(
                "objects with their rows",
                listed.size(),
                stray.stream()
                    .map(id -> "the store has objects of " + id + ", which has no row" + advice))));
  }

  /**
   * Returns the ids of all objects in the store without a row. One read unit for each object.
   *
   * @param drain returns when the stream has caught up, which removes the objects of deleted files;
   *     called where there are any
   */
  public Set<String> stray(Runnable drain) {
    var found = strayAmong(ids());
    if (!found.isEmpty()) {
      drain.run();
    }
    return strayAmong(found);
  }

  private Set<String> strayAmong(Collection<String> mediaIds) {
    var kept = ids();
    Predicate<String> isStray = id -> kept.contains(id) && files.get(id).isEmpty();
    return new HashSet<>(mediaIds.stream().filter(isStray).toList());
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
    try {
      var names = store.names(file.mediaId());
      return Arrays.stream(ImageSize.values())
          .anyMatch(size -> names.stream().noneMatch(size::isOf));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Set<String> ids() {
    try {
      return store.mediaIds();
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
