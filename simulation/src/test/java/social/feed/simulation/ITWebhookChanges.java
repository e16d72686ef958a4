package social.feed.simulation;

import social.feed.simulation.WebhookChanges.Bug;
import social.feed.testkit.LongRunning;
import social.feed.testkit.simulation.StreamedTable;

/** Webhooks that change while events are on their way to them. */
@LongRunning
class ITWebhookChanges extends HistoryContract<Bug> {
  ITWebhookChanges() {
    super(Bug.NONE);
  }

  @Override
  LaneHistory history(StreamedTable table, long seed, Bug bug) {
    return new WebhookChanges(table, seed, bug);
  }
}
