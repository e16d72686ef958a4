package social.feed.table.media;

import java.util.regex.Pattern;

/** What the id of a file and the name of an object may be. Neither can lead out of its place. */
final class ObjectName {
  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]+(\\.[a-z]+)?");

  private ObjectName() {}

  /**
   * Returns the name.
   *
   * @throws IllegalArgumentException for another form
   */
  static String checked(String name) {
    if (!FORM.matcher(name).matches()) {
      throw new IllegalArgumentException("Not the name of an object: '" + name + "'");
    }
    return name;
  }
}
