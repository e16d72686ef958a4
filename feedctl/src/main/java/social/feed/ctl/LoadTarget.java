package social.feed.ctl;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import social.feed.ctl.load.LoadReport;
import social.feed.ctl.load.LoadRun;
import social.feed.table.kernel.cost.ConsumedUnits;

/** What a load runs against. */
interface LoadTarget extends AutoCloseable {
  /** Returns the addresses of the processes of the API. */
  List<URI> apis();

  /** Returns whether it is a local platform, which is no one's product. */
  boolean isLocal();

  /** Creates accounts, edges and posts. */
  void create(LoadRun run, Path edges);

  /** Waits until all writes have had their effects; empty if the platform does not say. */
  Optional<Duration> drained();

  /** Returns the units of all effects so far, if they are known. */
  Optional<ConsumedUnits> behind();

  /** Verifies the table, where that is possible. */
  Optional<LoadReport.Verified> verified();

  @Override
  void close();
}
