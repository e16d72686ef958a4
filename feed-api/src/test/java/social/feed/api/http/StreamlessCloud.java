package social.feed.api.http;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.time.Clock;
import java.time.Duration;
import social.feed.engine.eventsource.StreamFunction;
import social.feed.table.kernel.store.Table;
import social.feed.testkit.fault.CloudTable;
import social.feed.testkit.simulation.Cloud;
import social.feed.testkit.simulation.CloudLane;
import social.feed.testkit.simulation.Scale;
import social.feed.testkit.simulation.Subject;

/** Creates clouds in which nothing handles the stream, for tests of what the API reads. */
public final class StreamlessCloud implements Subject {
  private StreamlessCloud() {}

  /** Returns a cloud with a table of its own and the given limits. */
  public static Cloud with(CloudTable.Limits limits) {
    var lane = new CloudLane.Settings(1, 1, false, false, 1, Duration.ZERO, Duration.ofMinutes(1));
    return new Cloud(
        new Cloud.Settings(limits, 1, lane, lane, new Scale(1, 1, 1, 1, 1)), new StreamlessCloud());
  }

  @Override
  public StreamFunction function(Table table, Clock clock, Scale scale, Sinks sinks) {
    return _ -> null;
  }

  @Override
  public boolean isCounted(DynamodbStreamRecord record) {
    return false;
  }

  @Override
  public boolean hasEffects(DynamodbStreamRecord record) {
    return false;
  }
}
