package social.feed.local;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import social.feed.table.row.RowKind;
import social.feed.table.row.Suspect;

/**
 * Counts the accounts that the stream shows to become suspicious since this process started: listed
 * for the first time, or again after a dismissal. A higher score does not count. A record that a
 * lane reads again after a crash counts again. {@code /metrics} has the number as {@code
 * feed_suspicious_accounts_total}.
 */
public final class SuspiciousAccounts implements MeterBinder {
  /** The name of the counter, to which Prometheus appends {@code _total}. */
  private static final String NAME = "feed.suspicious.accounts";

  private final LongAdder listed = new LongAdder();

  /** Counts a record if an account becomes suspicious in it. */
  void seen(DynamodbStreamRecord record) {
    var images = record.getDynamodb();
    if (isListed(images.getNewImage()) && !isListed(images.getOldImage())) {
      listed.increment();
    }
  }

  private static boolean isListed(@Nullable Map<String, AttributeValue> image) {
    var kind = image == null ? null : image.get(RowKind.ATTRIBUTE);
    return image != null
        && kind != null
        && RowKind.SUSPECT.name().equals(kind.getS())
        && !image.containsKey(Suspect.DISMISSED_AT);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    var _ =
        FunctionCounter.builder(NAME, listed, LongAdder::sum)
            .description("Accounts that became suspicious by their follows")
            .register(registry);
  }
}
