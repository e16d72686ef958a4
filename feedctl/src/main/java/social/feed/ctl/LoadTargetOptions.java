package social.feed.ctl;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that select the platform of a load, and the consent of its owner. */
final class LoadTargetOptions {
  private static final int MAX_URLS = 16;

  /** The option that names a host of the user's own. */
  static final String OWNED = "--i-own-this-host";

  /** What a load does to a platform, for those who are asked for their consent. */
  static final String HARM =
      "A load disturbs its users and costs its owner money, and its accounts, follows and posts stay there.";

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--url",
      description =
          "API of a running platform instead of one that this command starts; once for each of up"
              + " to 16 processes of the API, which get the requests in turn")
  private List<URI> urls = List.of();

  @Option(
      names = OWNED,
      description =
          "the host of --url if no local platform answers there: confirms that you may disturb and"
              + " pay for it, and that the accounts and posts of the load stay; once for each such"
              + " host")
  private List<String> ownedHosts = List.of();

  @Option(
      names = "--tokens",
      description =
          "file with 'account token' a line, for a platform that issues no tokens for development;"
              + " the first two accounts measure the lag")
  private @Nullable Path tokensFile;

  @Option(
      names = "--prepared",
      description = "with --url: accounts, follows and posts of the graph exist already")
  private boolean isPrepared;

  /** Requires options that fit together, and the consent for another machine. */
  void check() {
    var rules = rules();
    rules.require(!urls.isEmpty() || !isPrepared, "--prepared needs --url");
    rules.require(!urls.isEmpty() || tokensFile == null, "--tokens needs --url");
    rules.require(urls.size() <= MAX_URLS, "--url may be given for up to 16 processes");
    rules.require(Set.copyOf(urls).size() == urls.size(), "--url must name each process once");
    rules.requireReadable("--tokens", tokensFile);
    requireConsent();
  }

  private OptionRules rules() {
    return new OptionRules(spec);
  }

  /**
   * Another machine belongs to others, unless the user says the opposite. An address of this
   * machine can be a tunnel to one: {@link RunningLoadTarget} asks who answers there.
   */
  private void requireConsent() {
    var rules = rules();
    rules.require(!urls.isEmpty() || ownedHosts.isEmpty(), OWNED + " needs --url");
    var hosts = urls.stream().map(this::host).toList();
    var others = hosts.stream().filter(host -> !isThisMachine(host)).toList();
    for (var host : others) {
      rules.require(
          ownedHosts.contains(host),
          "%s is not this machine. %s If it is yours, add %s %s"
              .formatted(host, HARM, OWNED, host));
    }
    rules.require(hosts.containsAll(ownedHosts), OWNED + " is for the host of --url");
    rules.require(ownedHosts.isEmpty() || tokensFile != null, OWNED + " needs --tokens");
  }

  private String host(URI url) {
    var scheme = url.getScheme();
    var host = url.getHost();
    if (host == null || !("http".equals(scheme) || "https".equals(scheme))) {
      throw new ParameterException(
          spec.commandLine(),
          "--url must be the address of an API, such as http://127.0.0.1:8080, not " + url);
    }
    return host;
  }

  private static boolean isThisMachine(String host) {
    if ("localhost".equals(host)) {
      return true;
    }
    try {
      return InetAddress.ofLiteral(host.replaceAll("[\\[\\]]", "")).isLoopbackAddress();
    } catch (IllegalArgumentException e) {
      // A name can become the name of another machine at any time.
      return false;
    }
  }

  /** Returns whether the platform runs already. */
  boolean isRunning() {
    return !urls.isEmpty();
  }

  /** Returns whether the accounts, follows and posts of the graph exist already. */
  boolean isPrepared() {
    return isPrepared;
  }

  /** Returns the tokens by account, in the order of their file; none without one. */
  Map<String, String> tokens() {
    var tokens = new LinkedHashMap<String, String>();
    if (tokensFile == null) {
      return tokens;
    }
    try {
      for (var line : Files.readAllLines(tokensFile)) {
        var parts = line.strip().split("\\s+");
        if (!line.isBlank() && !line.startsWith("#")) {
          rules().require(parts.length == 2, "--tokens: a line must have an account and its token");
          tokens.put(parts[0], parts[1]);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + tokensFile, e);
    }
    rules().require(tokens.size() >= 4, "--tokens must name at least four accounts");
    return tokens;
  }

  /**
   * Opens the platform, or starts one of its own.
   *
   * @param stop ends a platform that starts
   * @throws IllegalStateException if no local platform answers at a host without consent
   */
  LoadTarget open(LoadStop stop) {
    return urls.isEmpty()
        ? new OwnLoadTarget(stop.parts())
        : new RunningLoadTarget(
            urls, urls.stream().filter(url -> !ownedHosts.contains(host(url))).toList());
  }

  /** Returns what the report says about the platform. */
  String description() {
    return urls.isEmpty() ? "a platform of its own, in memory" : joined(urls);
  }

  /** Returns addresses as one line. */
  static String joined(List<URI> apis) {
    return apis.stream().map(URI::toString).collect(Collectors.joining(", "));
  }
}
