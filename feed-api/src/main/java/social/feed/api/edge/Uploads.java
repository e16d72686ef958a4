package social.feed.api.edge;

/** The only route whose bodies are large, and may take long to arrive. */
public final class Uploads {
  /** The beginning of its path. */
  public static final String PATH = "/media/uploads/";

  private Uploads() {}
}
