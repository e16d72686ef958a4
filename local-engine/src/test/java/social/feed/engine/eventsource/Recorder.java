package social.feed.engine.eventsource;

import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A function that records the numbers of each call, and then runs the function of the test. */
final class Recorder implements StreamFunction {

  private final StreamFunction then;
  private final List<List<Integer>> calls = Collections.synchronizedList(new ArrayList<>());

  Recorder() {
    this(event -> null);
  }

  Recorder(StreamFunction then) {
    this.then = then;
  }

  @Override
  public @Nullable TimeWindowEventResponse handle(DynamodbTimeWindowEvent event) throws Exception {
    calls.add(event.getRecords().stream().map(TestRecords::number).toList());
    return then.handle(event);
  }

  List<List<Integer>> calls() {
    synchronized (calls) {
      return List.copyOf(calls);
    }
  }

  List<Integer> numbers() {
    return calls().stream().flatMap(List::stream).toList();
  }
}
