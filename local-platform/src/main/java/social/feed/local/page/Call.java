package social.feed.local.page;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.row.Key;

/**
 * A call of DynamoDB that has ended. Names and values are in the places of their placeholders.
 *
 * @param at when it began, in milliseconds since the epoch
 * @param millis how long it took
 * @param request what was sent
 * @param written the keys of the items that it wrote, empty where it failed
 * @param items the number of items that it returned; null for a write
 * @param units the units that it consumed, by the table and its indexes
 * @param total all these units
 * @param error the code of the error; null if it succeeded
 */
record Call(
    double at,
    double millis,
    CallText request,
    List<Key> written,
    @Nullable Integer items,
    Map<String, Double> units,
    ConsumedUnits total,
    @Nullable String error) {
  private static final int BYTES_OF_A_KEY = 150;
  private static final int BYTES_OF_A_CALL = 300;

  /** Returns about how many bytes it takes in memory. */
  int size() {
    return BYTES_OF_A_CALL + request.length() + written.size() * BYTES_OF_A_KEY;
  }
}
