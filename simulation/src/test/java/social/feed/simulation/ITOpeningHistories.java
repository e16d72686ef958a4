package social.feed.simulation;

import social.feed.simulation.OpeningHistory.Bug;
import social.feed.testkit.LongRunning;
import social.feed.testkit.simulation.StreamedTable;

/** New accounts that follow in the same order, whose records come repeatedly and in any order. */
@LongRunning
class ITOpeningHistories extends HistoryContract<Bug> {
  ITOpeningHistories() {
    super(Bug.NONE);
  }

  @Override
  LaneHistory history(StreamedTable table, long seed, Bug bug) {
    return new OpeningHistory(table, seed, bug);
  }
}
