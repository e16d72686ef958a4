package social.feed.engine.eventsource;

import java.time.Duration;

/** Lets time pass. */
@FunctionalInterface
interface Waiting {

  /** Throws {@link StoppedException} as soon as the event source is to stop. */
  void await(Duration duration);
}
