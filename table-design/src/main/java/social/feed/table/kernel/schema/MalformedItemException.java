package social.feed.table.kernel.schema;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.BaseTable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** An item that no record of ours can be read from; it names the item's key. Never retried. */
public final class MalformedItemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public MalformedItemException(
      String problem, Map<String, AttributeValue> item, @Nullable Throwable cause) {
    super(problem + " at " + text(item, BaseTable.PK) + " / " + text(item, BaseTable.SK), cause);
  }

  private static String text(Map<String, AttributeValue> item, String attribute) {
    var value = item.get(attribute);
    return value == null || value.s() == null ? "?" : value.s();
  }
}
