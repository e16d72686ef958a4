package social.feed.testkit.fault;

import java.util.function.Function;
import java.util.function.Predicate;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/** Runs an action once, before the first request that is selected. */
public final class Hook implements Wire {
  public static final Wire NONE = Wire.SOUND;

  private final Predicate<DynamoDbRequest> before;
  private final Runnable action;
  private volatile boolean isDone;

  public Hook(Predicate<DynamoDbRequest> before, Runnable action) {
    this.before = before;
    this.action = action;
  }

  @Override
  public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
    if (!isDone && before.test(request)) {
      isDone = true;
      action.run();
    }
    return table.apply(request);
  }
}
