package social.feed.table.kernel.schema;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.BaseTable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Thrown for an item that no record can be read from. It names the item's key. The operation is
 * never retried.
 */
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
