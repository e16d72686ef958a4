package social.feed.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import social.feed.benchmarks.Fairness.Request;

/**
 * What a run of {@link Fairness} measures.
 *
 * @param posts of each side in a round
 * @param fans followers of the caller
 * @param share the limits of a caller are those of production divided by it
 * @param requests what the caller sends, in turns
 * @param hasMany whether there is a side of many callers
 * @param isCheck whether the run only proves that both sides deliver, once and briefly
 */
record FairnessOptions(
    int rounds,
    int posts,
    int fans,
    int share,
    List<Request> requests,
    boolean hasMany,
    boolean isCheck) {
  private static final List<Request> ALL = List.of(Request.values());

  static FairnessOptions parsed(List<String> arguments) {
    int rounds = 5;
    int posts = 300;
    int fans = 100;
    int share = 1;
    var requests = ALL;
    boolean hasMany = true;
    for (int i = 0; i < arguments.size(); i++) {
      switch (arguments.get(i)) {
        case "--check" -> {
          return new FairnessOptions(1, 20, 5, 1, ALL, true, true);
        }
        case "--without-many" -> hasMany = false;
        case "--rounds" -> rounds = Integer.parseInt(arguments.get(++i));
        case "--posts" -> posts = Integer.parseInt(arguments.get(++i));
        case "--fans" -> fans = Integer.parseInt(arguments.get(++i));
        case "--share" -> share = Integer.parseInt(arguments.get(++i));
        case "--requests" ->
            requests =
                Stream.of(arguments.get(++i).split(","))
                    .map(name -> Request.valueOf(name.toUpperCase(Locale.ROOT)))
                    .toList();
        default -> throw new IllegalArgumentException("Unknown option " + arguments.get(i));
      }
    }
    return new FairnessOptions(rounds, posts, fans, share, requests, hasMany, false);
  }
}
