package social.feed.local;

/** The route of a local platform that says where the bytes of files are, for its commands. */
public final class MediaFolderRoute {
  /** Returns the absolute path of the folder as text; 404 without a folder. */
  public static final String PATH = "/v1/dev/media";

  /** The header with the endpoint of the table that has the rows of these files. */
  public static final String TABLE = "Feed-Table-Endpoint";

  private MediaFolderRoute() {}
}
