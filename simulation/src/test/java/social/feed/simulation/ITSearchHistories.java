package social.feed.simulation;

import social.feed.simulation.SearchHistory.Bug;
import social.feed.testkit.LongRunning;
import social.feed.testkit.simulation.StreamedTable;

/**
 * The search index after random histories, over a queue and an index with faults: in turn one on a
 * server and one in the process.
 */
@LongRunning
class ITSearchHistories extends HistoryContract<Bug> {
  ITSearchHistories() {
    super(Bug.NONE);
  }

  @Override
  LaneHistory history(StreamedTable table, long seed, Bug bug) {
    return new SearchHistory(table, seed, bug);
  }
}
