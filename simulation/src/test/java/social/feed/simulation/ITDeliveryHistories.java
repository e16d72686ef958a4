package social.feed.simulation;

import social.feed.simulation.DeliveryHistory.Bug;
import social.feed.testkit.LongRunning;
import social.feed.testkit.simulation.StreamedTable;

/** Calls of webhooks whose receivers and callers fail. */
@LongRunning
class ITDeliveryHistories extends HistoryContract<Bug> {
  ITDeliveryHistories() {
    super(Bug.NONE);
  }

  @Override
  LaneHistory history(StreamedTable table, long seed, Bug bug) {
    return new DeliveryHistory(table, seed, bug);
  }
}
