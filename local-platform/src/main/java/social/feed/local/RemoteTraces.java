package social.feed.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Map;
import social.feed.table.erasure.ErasureTraces;

/** Asks the process that has the search index open what it has of an erased account. */
final class RemoteTraces {
  private static final String NAME = "traces";

  private RemoteTraces() {}

  /** Serves the calls of other processes. */
  static LoopbackCalls serve(ErasureTraces traces) {
    return LoopbackCalls.serve(0, Map.of(NAME, userId -> Boolean.toString(traces.areLeft(userId))));
  }

  /** Returns what the process at an address knows. */
  static ErasureTraces at(URI address) {
    return userId -> {
      try {
        return Boolean.parseBoolean(LoopbackCalls.call(address, NAME, userId));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }
}
