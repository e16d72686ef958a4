package social.feed.engine.eventsource;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Where batches go that are given up: the counterpart of an on-failure destination. */
@FunctionalInterface
public interface FailureDestination {

  /**
   * Takes a batch. Until this returns the mapping does not go on.
   *
   * @throws Exception it is called again, without end: nothing is lost
   */
  void send(FailedBatch batch) throws Exception;

  /** Drops the records, as a mapping without a destination does, and logs an error that says so. */
  static FailureDestination logged() {
    Logger log = System.getLogger(FailureDestination.class.getName());
    return batch -> log.log(Level.ERROR, "Records are lost, for want of a destination: {0}", batch);
  }
}
