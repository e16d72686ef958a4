package social.feed.simulation;

import social.feed.simulation.EventHistory.Bug;
import social.feed.testkit.LongRunning;
import social.feed.testkit.simulation.StreamedTable;

/** Events of random histories, over a queue and a broker with faults. */
@LongRunning
class ITEventHistories extends HistoryContract<Bug> {
  ITEventHistories() {
    super(Bug.NONE);
  }

  @Override
  LaneHistory history(StreamedTable table, long seed, Bug bug) {
    return new EventHistory(table, seed, bug);
  }
}
