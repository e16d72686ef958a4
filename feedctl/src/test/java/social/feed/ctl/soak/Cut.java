package social.feed.ctl.soak;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A connection of a reader that a kill cuts.
 *
 * @param victim the process that is killed
 * @param reader the user of the stream
 * @param number the index of the connection among those of the reader
 * @param survivors the addresses of the API that answer on; empty if the whole platform is killed,
 *     which has other addresses after its restart
 */
record Cut(String victim, String reader, int number, Set<URI> survivors) {
  /**
   * Returns a sentence for each mistake of the next connection. It must be to another process, send
   * the last id that the reader had received, and get a first block.
   *
   * @param all the connections of the reader
   */
  List<String> faults(List<StreamConnection> all) {
    if (all.size() <= number + 1) {
      return List.of("%s did not reconnect after the kill of %s".formatted(reader, victim));
    }
    var faults = new ArrayList<String>();
    var before = all.get(number);
    var after = all.get(number + 1);
    if (!survivors.isEmpty() && !survivors.contains(after.address())) {
      faults.add(
          "%s reconnected to %s after the kill of %s, not to one of %s"
              .formatted(reader, after.address(), victim, survivors));
    }
    if (after.sent().isEmpty() || !after.sent().equals(before.known())) {
      faults.add(
          "%s resumed from '%s' after the kill of %s, not from its last id '%s'"
              .formatted(reader, after.sent(), victim, before.known()));
    }
    if (after.first().isEmpty()) {
      faults.add(
          "%s received nothing from %s after the kill of %s"
              .formatted(reader, after.address(), victim));
    }
    return faults;
  }
}
