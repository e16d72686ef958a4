package social.feed.api.edge.cost;

import io.micronaut.core.propagation.ThreadPropagatedContextElement;
import social.feed.table.kernel.cost.CostMeter;

/**
 * Binds the meter of a request to every thread that works for the request.
 *
 * @param meter the meter of the request
 */
record BoundMeter(CostMeter meter) implements ThreadPropagatedContextElement<CostMeter> {

  @Override
  public CostMeter updateThreadContext() {
    return meter.bind();
  }

  @Override
  public void restoreThreadContext(CostMeter before) {
    before.bind();
  }
}
