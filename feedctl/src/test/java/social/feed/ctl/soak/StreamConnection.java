package social.feed.ctl.soak;

import java.net.URI;

/**
 * A connection of a reader to the event stream.
 *
 * @param address the process of the API
 * @param sent the id that the reader sent to resume from, empty if it sent none
 * @param first the id of the first block, empty until one came
 * @param last the id of the last block, empty until one came
 */
record StreamConnection(URI address, String sent, String first, String last) {
  static StreamConnection opened(URI address, String sent) {
    return new StreamConnection(address, sent, "", "");
  }

  StreamConnection received(String id) {
    return new StreamConnection(address, sent, first.isEmpty() ? id : first, id);
  }

  /** Returns the last id that the reader has from here on: what its next connection must send. */
  String known() {
    return last.isEmpty() ? sent : last;
  }
}
