package social.feed.streams.lambda;

import org.crac.Context;
import org.crac.Resource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.User;

/**
 * What a function does before Lambda takes the snapshot that all its instances start from: one read
 * of the table, of an account that there is not, so that the client's classes are loaded and its
 * codecs built. One read unit for each published version. And the client of queues is made, which
 * without a snapshot waits until it is needed.
 *
 * <p>A table that cannot be read is told and no more: a version that begins while the table does
 * not answer is to be there when it answers again.
 */
final class Priming implements Resource {
  private static final Logger LOG = LoggerFactory.getLogger(Priming.class);

  /** No account can have it. */
  private static final String NOBODY = " ";

  private final Table table;
  private final Runnable more;

  /**
   * @param more makes what is made late otherwise
   */
  Priming(Table table, Runnable more) {
    this.table = table;
    this.more = more;
  }

  @Override
  public void beforeCheckpoint(Context<? extends Resource> context) {
    more.run();
    try {
      table.get(User.key(NOBODY));
      LOG.info("Primed: {} was read", table.name());
    } catch (RuntimeException e) {
      LOG.warn("Not primed: {} cannot be read", table.name(), e);
    }
  }

  @Override
  public void afterRestore(Context<? extends Resource> context) {
    // Connections that did not survive are made anew by the client.
  }
}
