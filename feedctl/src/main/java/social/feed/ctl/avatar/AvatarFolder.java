package social.feed.ctl.avatar;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import social.feed.api.edge.security.UserIds;

/**
 * The images of a folder, each named by its account: {@code alice.jpg}. Hidden files are ignored.
 * Reads names only. A link is refused, so no file outside of the folder is uploaded.
 *
 * @param images the files by account, in the order of the ids
 * @param refused a sentence for each file that cannot be an avatar
 */
public record AvatarFolder(SortedMap<String, Image> images, List<String> refused) {
  private static final Map<String, String> TYPES =
      Map.of("jpg", "image/jpeg", "jpeg", "image/jpeg", "png", "image/png", "gif", "image/gif");

  /** A file, with the content type that its name says. */
  public record Image(Path file, String contentType) {}

  /**
   * Lists a folder.
   *
   * @throws UncheckedIOException if it cannot be read
   */
  public static AvatarFolder of(Path folder) {
    var images = new TreeMap<String, Image>();
    var refused = new ArrayList<String>();
    try (var files = Files.list(folder)) {
      files
          .filter(file -> !name(file).startsWith("."))
          .sorted()
          .forEach(file -> add(file, images, refused));
    } catch (IOException e) {
      throw new UncheckedIOException("The folder " + folder + " cannot be read", e);
    }
    return new AvatarFolder(images, List.copyOf(refused));
  }

  private static void add(Path file, SortedMap<String, Image> images, List<String> refused) {
    var name = name(file);
    int dot = name.lastIndexOf('.');
    var account = dot < 0 ? name : name.substring(0, dot);
    var type = TYPES.get(name.substring(dot + 1).toLowerCase(Locale.ROOT));
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      refused.add(name + " is no regular file");
    } else if (dot < 0 || type == null) {
      refused.add(name + " has none of the endings .jpg, .jpeg, .png and .gif");
    } else if (!UserIds.canBeSubject(account)) {
      refused.add(name + " names no account: an id " + UserIds.RULE_OF_TOKENS);
    } else if (images.containsKey(account)) {
      refused.add(name + " is the second image of " + account);
    } else {
      images.put(account, new Image(file, type));
    }
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }
}
