package social.feed.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/** The requests that a client has sent. */
public final class RequestLog implements ExecutionInterceptor {
  private final List<SdkRequest> requests = new CopyOnWriteArrayList<>();

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    requests.add(context.request());
  }

  /** Returns the requests since the previous call, in order. */
  public List<SdkRequest> take() {
    var taken = List.copyOf(requests);
    requests.clear();
    return taken;
  }
}
