package social.feed.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import social.feed.table.row.RowKind;
import social.feed.table.row.Suspect;

class SuspiciousAccountsTest {
  private static final Map<String, AttributeValue> LISTED = image(RowKind.SUSPECT, "50");
  private static final Map<String, AttributeValue> HIGHER = image(RowKind.SUSPECT, "70");
  private static final Map<String, AttributeValue> DISMISSED =
      Map.of(
          RowKind.ATTRIBUTE,
          new AttributeValue(RowKind.SUSPECT.name()),
          Suspect.DISMISSED_AT,
          new AttributeValue("2026-03-01T12:00:00Z"));

  private final SuspiciousAccounts accounts = new SuspiciousAccounts();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private static Map<String, AttributeValue> image(RowKind kind, String score) {
    return Map.of(
        RowKind.ATTRIBUTE,
        new AttributeValue(kind.name()),
        Suspect.SCORE,
        new AttributeValue().withN(score));
  }

  private double counted(
      @Nullable Map<String, AttributeValue> before, @Nullable Map<String, AttributeValue> after) {
    var record = new DynamodbStreamRecord();
    record.setDynamodb(new StreamRecord().withOldImage(before).withNewImage(after));
    accounts.bindTo(registry);
    var counter = registry.get("feed.suspicious.accounts").functionCounter();
    var until = counter.count();
    accounts.seen(record);
    return counter.count() - until;
  }

  @Test
  void account_thatIsListed_isCounted() {
    assertThat(counted(null, LISTED)).isEqualTo(1);
    assertThat(counted(DISMISSED, LISTED)).as("again").isEqualTo(1);
  }

  @Test
  void otherChanges_areNotCounted() {
    assertThat(counted(LISTED, HIGHER)).isZero();
    assertThat(counted(LISTED, DISMISSED)).isZero();
    assertThat(counted(LISTED, null)).isZero();
    assertThat(counted(null, DISMISSED)).isZero();
    assertThat(counted(null, image(RowKind.USER, "50"))).isZero();
    assertThat(counted(null, Map.of())).isZero();
  }
}
