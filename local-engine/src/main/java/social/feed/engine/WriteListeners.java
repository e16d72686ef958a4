package social.feed.engine;

import java.util.List;
import java.util.Locale;
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

  /** In lower case: a header says {@code PutItem}, a method {@code putItem}. */
  private static final Set<String> WRITES =
      Set.of(
          "putitem",
          "updateitem",
          "deleteitem",
          "batchwriteitem",
          "transactwriteitems",
          "executestatement",
          "batchexecutestatement",
          "executetransaction");

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
    called(operation(request.getHeaders().get(TARGET)));
    return handled;
  }

  /** Runs the listeners if an operation writes. */
  void called(String operation) {
    if (WRITES.contains(operation.toLowerCase(Locale.ROOT))) {
      listeners.forEach(Runnable::run);
    }
  }

  /** The header has the form {@code DynamoDB_20120810.PutItem}. */
  private static String operation(@Nullable String target) {
    return target == null ? "" : target.substring(target.indexOf('.') + 1);
  }
}
