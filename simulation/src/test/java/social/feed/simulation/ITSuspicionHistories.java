package social.feed.simulation;

import social.feed.simulation.SuspicionHistory.Bug;
import social.feed.testkit.LongRunning;
import social.feed.testkit.simulation.StreamedTable;

/** Suspicious follows of random histories, whose records come repeatedly and in any order. */
@LongRunning
class ITSuspicionHistories extends HistoryContract<Bug> {
  ITSuspicionHistories() {
    super(Bug.NONE);
  }

  @Override
  LaneHistory history(StreamedTable table, long seed, Bug bug) {
    return new SuspicionHistory(table, seed, bug);
  }
}
