package social.feed.ctl;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import social.feed.ctl.load.LoadReport;
import social.feed.ctl.load.LoadRun;
import social.feed.table.kernel.cost.ConsumedUnits;

/** A platform that runs already. The graph is created through its API. */
final class RunningLoadTarget implements LoadTarget {
  private final List<URI> apis;
  private final boolean isLocal;

  /**
   * Creates the target.
   *
   * @param local those of the addresses at which a local platform must answer. If these are all,
   *     its stream can be drained
   * @throws IllegalStateException if none answers at one of them
   */
  RunningLoadTarget(List<URI> apis, List<URI> local) {
    this.apis = List.copyOf(apis);
    this.isLocal = local.size() == apis.size();
    local.forEach(RunningLoadTarget::requirePlatform);
  }

  private static void requirePlatform(URI api) {
    new PlatformStream(api)
        .requirePlatform(
            "%s If it is yours, add %s %s and --tokens"
                .formatted(LoadTargetOptions.HARM, LoadTargetOptions.OWNED, api.getHost()));
  }

  @Override
  public List<URI> apis() {
    return apis;
  }

  @Override
  public boolean isLocal() {
    return isLocal;
  }

  @Override
  public void create(LoadRun run, Path edges) {
    run.create(new ConsoleProgress());
    drained();
  }

  @Override
  public Optional<Duration> drained() {
    if (!isLocal) {
      return Optional.empty();
    }
    long since = System.nanoTime();
    // Each process can say whether the stream of all of them is drained.
    new PlatformStream(apis.getFirst()).drain(new ConsoleProgress());
    return Optional.of(Duration.ofNanos(System.nanoTime() - since));
  }

  @Override
  public Optional<ConsumedUnits> behind() {
    return Optional.empty();
  }

  @Override
  public Optional<LoadReport.Verified> verified() {
    return Optional.empty();
  }

  @Override
  public void close() {}
}
