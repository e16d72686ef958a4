package social.feed.table.kernel.store;

import social.feed.table.kernel.declaration.BaseTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;

/** The two conditions that most writes carry. */
public final class Conditions {
  /** Holds while there is no item at the key. */
  public static final String ABSENT = "attribute_not_exists(" + BaseTable.PK + ")";

  /** Holds while there is an item at the key, so that an update cannot create one. */
  public static final String PRESENT = "attribute_exists(" + BaseTable.PK + ")";

  private Conditions() {}

  /** {@link #ABSENT} for the enhanced client. */
  public static Expression absent() {
    return Expression.builder().expression(ABSENT).build();
  }
}
