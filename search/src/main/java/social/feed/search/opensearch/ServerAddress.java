package social.feed.search.opensearch;

import java.net.URI;
import java.util.Optional;

/**
 * Where a server of OpenSearch is, and how requests to it are authorized.
 *
 * @param url such as {@code http://localhost:9200}, or with {@code user:password@}
 * @param region that of a domain of Amazon OpenSearch Service, whose requests are signed with the
 *     credentials of the process; empty for any other server
 */
public record ServerAddress(URI url, Optional<String> region) {
  /**
   * @throws IllegalArgumentException if it names no server, or has two ways to authorize requests
   */
  public ServerAddress {
    if (url.getHost() == null) {
      throw new IllegalArgumentException(
          "The address of the search server needs a scheme and a host, as in http://localhost:9200");
    }
    if (region.isPresent() && (!url.getScheme().equals("https") || url.getUserInfo() != null)) {
      throw new IllegalArgumentException(
          "Requests to a search server in a region of AWS are signed: its address begins with https://"
              + " and has no user");
    }
  }

  /** Returns the address of a server that checks no signatures. */
  public static ServerAddress of(URI url) {
    return new ServerAddress(url, Optional.empty());
  }

  /** Returns the address without user and password. */
  @Override
  public String toString() {
    return url.getScheme() + "://" + authority();
  }

  /** Returns host and port. */
  String authority() {
    return url.getPort() < 0 ? url.getHost() : url.getHost() + ":" + url.getPort();
  }
}
