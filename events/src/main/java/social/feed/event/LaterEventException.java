package social.feed.event;

/** An event has what this version does not know: its type, or a field of its data. */
public final class LaterEventException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;
  private static final int LONGEST = 100;

  /**
   * @param unknown what is not known, such as {@code The event type account.renamed}
   */
  LaterEventException(String unknown) {
    super(line(unknown));
  }

  /** The name comes from another process. */
  private static String line(String text) {
    var line = text.replaceAll("[^\\x20-\\x7e]", "?");
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...";
  }
}
