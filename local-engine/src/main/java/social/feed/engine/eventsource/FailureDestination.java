package social.feed.engine.eventsource;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Receives the batches that are given up: the counterpart of an on-failure destination. */
@FunctionalInterface
public interface FailureDestination {

  /**
   * Stores a batch. The mapping waits until this method returns.
   *
   * @throws Exception to be called again, without limit, so that nothing is lost
   */
  void send(FailedBatch batch) throws Exception;

  /**
   * Returns a destination that drops the records and logs an error, like a mapping without a
   * destination.
   */
  static FailureDestination logged() {
    Logger log = System.getLogger(FailureDestination.class.getName());
    return batch ->
        log.log(
            Level.ERROR, "Records are lost, because the mapping has no destination: {0}", batch);
  }
}
