package social.feed.streams.lambda;

import org.crac.Context;
import org.crac.Resource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.User;

/**
 * Prepares a function before Lambda takes the snapshot that all its instances start from. Reads an
 * account that does not exist from the table, so that the client's classes are loaded and its
 * codecs built. One read unit for each published version. Also creates the client of queues and the
 * handlers of effects, which without a snapshot are created when they are needed, and rehearses an
 * invocation without calls ({@link LaneRehearsal}).
 *
 * <p>A table that cannot be read is only logged: a version that starts while the table does not
 * answer must work when the table answers again.
 */
final class Priming implements Resource {
  private static final Logger LOG = LoggerFactory.getLogger(Priming.class);

  /** An id that no account can have. */
  private static final String NO_ACCOUNT = " ";

  private final Table table;
  private final MultiplexerSettings settings;
  private final Runnable createLate;

  /**
   * @param createLate creates what is otherwise created when it is needed
   */
  Priming(Table table, MultiplexerSettings settings, Runnable createLate) {
    this.table = table;
    this.settings = settings;
    this.createLate = createLate;
  }

  @Override
  public void beforeCheckpoint(Context<? extends Resource> context) {
    createLate.run();
    try {
      LaneRehearsal.run(settings);
    } catch (RuntimeException e) {
      LOG.warn("Not rehearsed", e);
    }
    try {
      table.get(User.key(NO_ACCOUNT));
      LOG.info("Primed: {} was read", table.name());
    } catch (RuntimeException e) {
      LOG.warn("Not primed: {} cannot be read", table.name(), e);
    }
  }

  @Override
  public void afterRestore(Context<? extends Resource> context) {
    // The client opens new connections for those that did not survive.
  }
}
