package social.feed.simulation;

import social.feed.simulation.ErasureHistory.Bug;
import social.feed.testkit.LongRunning;
import social.feed.testkit.simulation.StreamedTable;

/** Erasures of accounts that a search index has, over a queue and an index with faults. */
@LongRunning
class ITErasureHistories extends HistoryContract<Bug> {
  ITErasureHistories() {
    super(Bug.NONE);
  }

  @Override
  LaneHistory history(StreamedTable table, long seed, Bug bug) {
    return new ErasureHistory(table, seed, bug);
  }
}
