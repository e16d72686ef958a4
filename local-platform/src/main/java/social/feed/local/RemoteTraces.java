package social.feed.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Map;
import java.util.UUID;
import social.feed.table.erasure.ErasureTraces;

/**
 * Asks the process that has the search index open what it has of an erased account. The accounts of
 * one part of a sweep share their work there too.
 */
final class RemoteTraces {
  private static final String NAME = "traces";
  private static final String SEPARATOR = " ";

  private RemoteTraces() {}

  /** Serves the calls of other processes. */
  static LoopbackCalls serve(ErasureTraces traces) {
    var parts = new Parts(traces);
    return LoopbackCalls.serve(0, Map.of(NAME, parts::areLeft));
  }

  /** Returns what the process at an address knows. */
  static ErasureTraces at(URI address) {
    return new ErasureTraces() {
      @Override
      public boolean areLeft(String userId) {
        return ofPart().areLeft(userId);
      }

      @Override
      public ErasureTraces ofPart() {
        var part = UUID.randomUUID().toString();
        return userId -> ask(address, part + SEPARATOR + userId);
      }
    };
  }

  private static boolean ask(URI address, String text) {
    try {
      return Boolean.parseBoolean(LoopbackCalls.call(address, NAME, text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Answers for the parts of sweeps. Only the latest part is kept, because all processes share one
   * sweep. Calls for an earlier one begin it again.
   */
  private static final class Parts {
    private final ErasureTraces traces;
    private String name = "";
    private ErasureTraces latest = ErasureTraces.UNKNOWN;

    Parts(ErasureTraces traces) {
      this.traces = traces;
    }

    synchronized String areLeft(String text) {
      var words = text.split(SEPARATOR, 2);
      if (!words[0].equals(name)) {
        latest = traces.ofPart();
        name = words[0];
      }
      return Boolean.toString(latest.areLeft(words[1]));
    }
  }
}
