package social.feed.table.kernel.cost;

import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/**
 * Limits the read rate of a client by the units that DynamoDB reports. The client also needs a
 * {@link CostInterceptor}, which requests that report.
 */
public final class UnitRateInterceptor implements ExecutionInterceptor {
  private final UnitRateLimiter reads;

  public UnitRateInterceptor(UnitRateLimiter reads) {
    this.reads = reads;
  }

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    reads.await();
  }

  @Override
  public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
    CostInterceptor.units(context.response()).forEach(units -> reads.spend(units.read()));
  }
}
