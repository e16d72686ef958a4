package social.feed.engine;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Notifies listeners after each processed write request, whether or not it was accepted. */
final class WriteListeners extends Handler.Wrapper {

  private static final String TARGET = "X-Amz-Target";

  private static final Set<String> WRITES =
      Set.of(
          "PutItem",
          "UpdateItem",
          "DeleteItem",
          "BatchWriteItem",
          "TransactWriteItems",
          "ExecuteStatement",
          "BatchExecuteStatement",
          "ExecuteTransaction");

  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  WriteListeners(Handler engine) {
    super(engine);
  }

  void onWrite(Runnable listener) {
    listeners.add(listener);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    boolean handled = super.handle(request, response, callback);
    if (isWrite(request.getHeaders().get(TARGET))) {
      listeners.forEach(Runnable::run);
    }
    return handled;
  }

  /** The header has the form {@code DynamoDB_20120810.PutItem}. */
  private static boolean isWrite(@Nullable String target) {
    return target != null && WRITES.contains(target.substring(target.indexOf('.') + 1));
  }
}
