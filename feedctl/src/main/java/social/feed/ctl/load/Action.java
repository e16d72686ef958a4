package social.feed.ctl.load;

import java.util.Locale;

/**
 * A request of a session, with its weight in the standard mix. The first two begin every session
 * and have no weight.
 */
public enum Action {
  UNREAD("GET", "/v1/notifications/unread-count", 0),
  HOME("GET", "/v1/feed", 0),
  /** The page after the last page that the account has read; the first page if that is unknown. */
  OLDER("GET", "/v1/feed", 15),
  READ("GET", "/v1/posts/{id}", 28),
  COMMENTS("GET", "/v1/posts/{id}/comments", 8),
  PROFILE("GET", "/v1/users/{id}", 10),
  TIMELINE("GET", "/v1/users/{id}/posts", 6),
  FOLLOWERS("GET", "/v1/users/{id}/followers", 2),
  NOTIFICATIONS("GET", "/v1/notifications", 4),
  READ_ALL("POST", "/v1/notifications/read-all", 1),
  TAG("GET", "/v1/tags/{tag}/posts", 3),
  TRENDS("GET", "/v1/tags/trending", 2),
  AUTHORS("GET", "/v1/leaderboards/authors", 1),
  LIKE("POST", "/v1/posts/{id}/like", 12),
  UNLIKE("DELETE", "/v1/posts/{id}/like", 1),
  COMMENT("POST", "/v1/posts/{id}/comments", 2),
  FOLLOW("POST", "/v1/users/{id}/follow", 2),
  UNFOLLOW("DELETE", "/v1/users/{id}/follow", 1),
  WRITE("POST", "/v1/posts", 2);

  private final String method;
  private final String path;
  private final int weight;

  Action(String method, String path, int weight) {
    this.method = method;
    this.path = path;
    this.weight = weight;
  }

  String method() {
    return method;
  }

  /** Returns the path with its variables. */
  String path() {
    return path;
  }

  /** Returns the route, such as {@code GET /v1/feed}. */
  public String route() {
    return method + " " + path;
  }

  int weight() {
    return weight;
  }

  /** Returns the name in a mix and in reports. */
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  boolean opensASession() {
    return this == UNREAD || this == HOME;
  }
}
