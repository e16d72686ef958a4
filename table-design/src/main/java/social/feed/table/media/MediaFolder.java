package social.feed.table.media;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.id.TimeOrderedId;

/**
 * Objects as files: {@code <folder>/<media id>/<name>}. A write is a draft that is renamed, so that
 * a kill leaves no partial object. Several processes of one machine may share the folder. Other
 * files in it are neither listed nor removed.
 */
public final class MediaFolder implements MediaStore {
  private static final String DRAFT = "draft";

  private static final Pattern DRAFTS = Pattern.compile(DRAFT + "[0-9]*\\.tmp");
  private static final int BUFFER = 16_384;

  private final Path folder;

  /**
   * @param folder created if absent
   */
  public MediaFolder(Path folder) {
    this.folder = folder;
  }

  @Override
  public boolean write(String mediaId, String name, InputStream content, long limit)
      throws IOException {
    var target = folder(mediaId).resolve(ObjectName.checked(name));
    Files.createDirectories(folder(mediaId));
    var draft = Files.createTempFile(folder(mediaId), DRAFT, null);
    try {
      if (!copy(content, draft, limit)) {
        return false;
      }
      Files.move(
          draft, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      return true;
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private static boolean copy(InputStream content, Path draft, long limit) throws IOException {
    try (var out = Files.newOutputStream(draft)) {
      var buffer = new byte[BUFFER];
      long written = 0;
      for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
        written += read;
        if (written > limit) {
          return false;
        }
        out.write(buffer, 0, read);
      }
      return true;
    }
  }

  @Override
  public Optional<InputStream> read(String mediaId, String name) throws IOException {
    try {
      return Optional.of(Files.newInputStream(folder(mediaId).resolve(ObjectName.checked(name))));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  @Override
  public void remove(String mediaId, String name) throws IOException {
    Files.deleteIfExists(folder(mediaId).resolve(ObjectName.checked(name)));
  }

  /** A write that is under way may leave its folder; its writer removes it then. */
  @Override
  public void removeAll(String mediaId) throws IOException {
    var files = files(folder(mediaId));
    if (files == null) {
      return;
    }
    for (var file : files) {
      if (isOwn(file)) {
        Files.deleteIfExists(file);
      }
    }
    try {
      Files.deleteIfExists(folder(mediaId));
    } catch (DirectoryNotEmptyException e) {
      throw new IOException(
          "Another process writes objects of the file, or its folder has other files", e);
    }
  }

  private static boolean isOwn(Path file) {
    var name = file.getFileName().toString();
    return name.equals(UPLOAD)
        || DRAFTS.matcher(name).matches()
        || Arrays.stream(ImageSize.values()).anyMatch(size -> size.isOf(name));
  }

  /** A folder with another name was not written by this class. */
  @Override
  public Stream<String> mediaIds() throws IOException {
    var files = files(folder);
    return files == null
        ? Stream.empty()
        : files.stream()
            .filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
            .map(path -> path.getFileName().toString())
            .filter(TimeOrderedId::isValid);
  }

  @Override
  public Set<String> names(String mediaId) throws IOException {
    var files = files(folder(mediaId));
    return files == null
        ? Set.of()
        : files.stream()
            .map(path -> path.getFileName().toString())
            .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns the content of a folder, absent without the folder. */
  private static @Nullable List<Path> files(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.toList();
    } catch (NoSuchFileException | NotDirectoryException e) {
      return null;
    }
  }

  private Path folder(String mediaId) {
    return folder.resolve(ObjectName.checked(mediaId));
  }
}
