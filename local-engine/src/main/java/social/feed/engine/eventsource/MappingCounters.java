package social.feed.engine.eventsource;

import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** The counters of a mapping since its event source started. */
final class MappingCounters {

  final LongAdder handled = new LongAdder();
  final LongAdder givenUp = new LongAdder();
  final LongAdder failedInvocations = new LongAdder();
  private volatile Optional<String> lastError = Optional.empty();

  void error(String error) {
    lastError = Optional.of(error);
  }

  Optional<String> lastError() {
    return lastError;
  }
}
