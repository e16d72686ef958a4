package social.feed.api.edge.cache;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A cache that the processes of the API share. It may be lost at any time, so each caller has a way
 * to go on without it.
 */
public interface SharedCache {
  /** No cache is configured. */
  SharedCache NONE =
      new SharedCache() {
        @Override
        public boolean isAvailable() {
          return false;
        }

        @Override
        public Duration patience() {
          return Duration.ZERO;
        }

        @Override
        public String key(String kind, String id) {
          return id;
        }

        @Override
        public Optional<List<Object>> run(String script, List<String> keys, String... arguments) {
          return Optional.empty();
        }
      };

  /** Whether the cache answered last time. Costs nothing. */
  boolean isAvailable();

  /** Returns how long a request waits for an answer, or for what another process reads for it. */
  Duration patience();

  /** Returns the key of something. It does not contain the id. */
  String key(String kind, String id);

  /**
   * Runs a script in Lua, which no other script interrupts. Blocks the thread for at most {@link
   * #patience}.
   *
   * @return the script's result, a list; empty while the cache does not answer, and where the
   *     script fails at what a key holds
   */
  Optional<List<Object>> run(String script, List<String> keys, String... arguments);
}
