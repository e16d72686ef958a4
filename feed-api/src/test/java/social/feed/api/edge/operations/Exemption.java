package social.feed.api.edge.operations;

import java.util.List;

/**
 * A route that is not in the OpenAPI document: a row of {@code undocumented.txt}.
 *
 * @param rights the statuses for each kind of caller, with a right signature where the route has
 *     one
 * @param reason why the document leaves it out
 */
record Exemption(Authorisation rights, String reason) {

  static List<Exemption> all() {
    return Authorisation.lines("/undocumented.txt").stream()
        .map(
            line -> {
              int end = line.lastIndexOf('|');
              var rights = Authorisation.row(line.substring(0, end));
              return new Exemption(rights, line.substring(end + 1).strip());
            })
        .toList();
  }

  String operation() {
    return rights.operation();
  }

  /** Whether its address has a signature in place of a token. */
  boolean isSigned() {
    return operation().contains(" /media/");
  }
}
