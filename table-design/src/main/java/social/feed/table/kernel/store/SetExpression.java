package social.feed.table.kernel.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** An update of some attributes under one condition, for the low-level client. */
public final class SetExpression {
  private final List<String> sets = new ArrayList<>();
  private final List<String> removes = new ArrayList<>();
  private final Map<String, String> names = new HashMap<>();
  private final Map<String, AttributeValue> values = new HashMap<>();
  private String condition = Conditions.PRESENT;

  /** Sets an attribute. */
  public SetExpression set(String attribute, AttributeValue value) {
    sets.add(name(attribute) + " = " + value(attribute, value));
    return this;
  }

  /** Adds to a number that is there. */
  public SetExpression add(String attribute, long delta) {
    sets.add(
        name(attribute)
            + " = "
            + name(attribute)
            + " + "
            + value(attribute, AttributeValue.fromN(Long.toString(delta))));
    return this;
  }

  /** Adds one to a number that need not be there. */
  public SetExpression increment(String attribute) {
    values.put(":zero", AttributeValue.fromN("0"));
    sets.add(
        "%1$s = if_not_exists(%1$s, :zero) + %2$s"
            .formatted(name(attribute), value(attribute, AttributeValue.fromN("1"))));
    return this;
  }

  /** Removes an attribute. */
  public SetExpression remove(String attribute) {
    removes.add(name(attribute));
    return this;
  }

  /** Adds a comparison of an attribute with a value to the condition that the item exists. */
  public SetExpression when(String attribute, String comparison, AttributeValue operand) {
    condition +=
        " AND " + name(attribute) + " " + comparison + " " + value("if_" + attribute, operand);
    return this;
  }

  /** Adds to the condition that an attribute is not there. */
  public SetExpression whenAbsent(String attribute) {
    condition += " AND attribute_not_exists(" + name(attribute) + ")";
    return this;
  }

  /** The request; it never creates an item. */
  public UpdateItemRequest.Builder request() {
    var request =
        UpdateItemRequest.builder()
            .updateExpression(expression())
            .conditionExpression(condition)
            .expressionAttributeNames(names);
    return values.isEmpty() ? request : request.expressionAttributeValues(values);
  }

  /** The same as a part of a transaction. */
  public Update.Builder inTransaction() {
    var update =
        Update.builder()
            .updateExpression(expression())
            .conditionExpression(condition)
            .expressionAttributeNames(names);
    return values.isEmpty() ? update : update.expressionAttributeValues(values);
  }

  private String expression() {
    var parts = new ArrayList<String>();
    if (!sets.isEmpty()) {
      parts.add("SET " + String.join(", ", sets));
    }
    if (!removes.isEmpty()) {
      parts.add("REMOVE " + String.join(", ", removes));
    }
    return String.join(" ", parts);
  }

  private String name(String attribute) {
    names.put("#" + attribute, attribute);
    return "#" + attribute;
  }

  private String value(String attribute, AttributeValue value) {
    values.put(":" + attribute, value);
    return ":" + attribute;
  }
}
