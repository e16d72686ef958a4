package social.feed.search.opensearch;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.Set;

/**
 * Where a server of OpenSearch is, and how requests to it are authorized.
 *
 * @param url such as {@code http://localhost:9200}, or with {@code user:password@}
 * @param region that of a domain of Amazon OpenSearch Service, whose requests are signed with the
 *     credentials of the process; empty for any other server
 */
public record ServerAddress(URI url, Optional<String> region) {
  private static final Set<String> SCHEMES = Set.of("http", "https");
  private static final Set<String> NO_PATHS = Set.of("", "/");

  /**
   * @throws IllegalArgumentException if it names no server, or has two ways to authorize requests
   */
  public ServerAddress {
    if (url.getHost() == null || !SCHEMES.contains(String.valueOf(url.getScheme()))) {
      throw new IllegalArgumentException(
          "The address of the search server needs a scheme and a host, as in http://localhost:9200");
    }
    // A password with such a character, not encoded, would be taken for the rest of an address.
    if (!NO_PATHS.contains(url.getRawPath())
        || url.getRawQuery() != null
        || url.getRawFragment() != null) {
      throw new IllegalArgumentException(
          "The address of the search server ends with its host or port. In a password, /, ? and # are"
              + " written %2F, %3F and %23");
    }
    if (region.isPresent() && (!url.getScheme().equals("https") || url.getUserInfo() != null)) {
      throw new IllegalArgumentException(
          "Requests to a search server in a region of AWS are signed: its address begins with https://"
              + " and has no user");
    }
  }

  /**
   * Returns the address that a setting has. A failure never has the text, which may have a
   * password.
   *
   * @param setting the name of the setting
   * @param region as of the address
   * @throws IllegalArgumentException if the text is no address of a server
   */
  public static ServerAddress ofSetting(String setting, String text, Optional<String> region) {
    URI url;
    try {
      url = new URI(text);
    } catch (URISyntaxException _) {
      // Without the cause, whose message has the text.
      throw new IllegalArgumentException(
          ("%s is no URL. It looks like https://search.example.com; in a user and a password, write"
                  + " each character that URLs reserve as %% and two digits")
              .formatted(setting));
    }
    return new ServerAddress(url, region);
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
