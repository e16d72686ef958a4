package social.feed.api.edge.paging;

import jakarta.inject.Singleton;
import social.feed.api.edge.security.Viewer;
import social.feed.table.access.AccessPattern;

/** Begins list routes. A list binds its cursors to the caller, the access pattern and the owner. */
@Singleton
public final class Pages {
  private final CursorCodec codec;

  Pages(CursorCodec codec) {
    this.codec = codec;
  }

  /**
   * Returns a list as one caller sees it.
   *
   * @param resource id of the resource that the list belongs to; empty where the pattern identifies
   *     the list
   */
  public ListRoute list(Viewer viewer, AccessPattern pattern, String resource) {
    return new ListRoute(codec, new CursorScope(viewer.userId(), pattern.id(), resource));
  }

  /**
   * Returns a list that no access pattern reads.
   *
   * @param name of the list, in its cursors
   * @param resource what distinguishes lists of this name
   */
  public ListRoute list(Viewer viewer, String name, String resource) {
    return new ListRoute(codec, new CursorScope(viewer.userId(), name, resource));
  }
}
