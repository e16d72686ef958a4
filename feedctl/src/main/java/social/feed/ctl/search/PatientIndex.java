package social.feed.ctl.search;

import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import social.feed.search.EntryKind;
import social.feed.search.IndexState;
import social.feed.streams.index.IndexUpkeep;
import social.feed.table.kernel.store.Retry;

/**
 * A search index on a server that is asked again while it does not answer or refuses, for commands
 * that run for days or weeks. Each call may be repeated, since a correction depends on what it
 * reads. The last failure is thrown.
 *
 * @param retry how often, and with which pauses
 */
public record PatientIndex(IndexUpkeep index, Retry retry) implements IndexUpkeep {
  @Override
  public Alignment align(EntryKind kind, Collection<String> ids) {
    return answered(() -> index.align(kind, ids));
  }

  @Override
  public List<IndexState> states(EntryKind kind, Collection<String> ids) {
    return answered(() -> index.states(kind, ids));
  }

  @Override
  public List<IndexState> statesAfter(EntryKind kind, String after, int limit) {
    return answered(() -> index.statesAfter(kind, after, limit));
  }

  @Override
  public List<String> postsOf(String authorId) {
    return answered(() -> index.postsOf(authorId));
  }

  private <T> T answered(Supplier<T> call) {
    return retry.answered(call, _ -> true);
  }
}
