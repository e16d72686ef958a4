package social.feed.streams;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/** Runs an action once, before or after a request of the multiplexer. */
final class RequestHook implements ExecutionInterceptor {
  private record Plan(Predicate<SdkRequest> request, Runnable action) {}

  private final AtomicReference<@Nullable Plan> before = new AtomicReference<>();
  private final AtomicReference<@Nullable Plan> after = new AtomicReference<>();

  void before(Predicate<SdkRequest> request, Runnable action) {
    before.set(new Plan(request, action));
  }

  void after(Predicate<SdkRequest> request, Runnable action) {
    after.set(new Plan(request, action));
  }

  /** Whether all planned actions have run. */
  boolean happened() {
    return before.get() == null && after.get() == null;
  }

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    run(before, context.request());
  }

  @Override
  public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
    run(after, context.request());
  }

  private static void run(AtomicReference<@Nullable Plan> planned, SdkRequest request) {
    var plan = planned.get();
    if (plan != null && plan.request.test(request) && planned.compareAndSet(plan, null)) {
      plan.action.run();
    }
  }
}
