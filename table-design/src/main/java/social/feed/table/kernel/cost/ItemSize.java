package social.feed.table.kernel.cost;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Returns the size of an item in bytes. Source: Amazon DynamoDB developer guide, "DynamoDB item
 * sizes and formats" ({@code CapacityUnitCalculations.html}). The overhead of 100 bytes that the
 * guide adds to each index entry counts for storage only, so it is not part of these sizes.
 */
public final class ItemSize {
  /** "An attribute of type List or Map requires 3 bytes of overhead, regardless of contents." */
  private static final int CONTAINER = 3;

  /** "Each List or Map element also requires 1 byte of overhead." */
  private static final int ELEMENT = 1;

  private static final int DIGITS_IN_A_BYTE = 2;

  private ItemSize() {}

  /** Returns the size of an item: the sum of its attribute names in UTF-8 and their values. */
  public static long of(Map<String, AttributeValue> item) {
    return item.entrySet().stream().mapToLong(it -> utf8(it.getKey()) + of(it.getValue())).sum();
  }

  /** Returns the size of a value without the name of its attribute. */
  public static long of(AttributeValue value) {
    return switch (value.type()) {
      // "Strings are Unicode with UTF-8 binary encoding."
      case S -> utf8(value.s());
      case N -> number(value.n());
      // "The size of a binary attribute is the number of raw bytes."
      case B -> bytes(value.b());
      // "The size of a null attribute or a Boolean attribute is 1 byte."
      case BOOL, NUL -> 1;
      // The size of a set is the sum of its elements.
      case SS -> value.ss().stream().mapToLong(ItemSize::utf8).sum();
      case NS -> value.ns().stream().mapToLong(ItemSize::number).sum();
      case BS -> value.bs().stream().mapToLong(ItemSize::bytes).sum();
      case L -> CONTAINER + list(value.l());
      case M -> CONTAINER + of(value.m()) + (long) ELEMENT * value.m().size();
      case UNKNOWN_TO_SDK_VERSION ->
          throw new IllegalArgumentException("The type of " + value + " is not known");
    };
  }

  private static long list(List<AttributeValue> values) {
    return values.stream().mapToLong(it -> ELEMENT + of(it)).sum();
  }

  /**
   * "Numbers are variable length. Leading and trailing zeros are trimmed. The size of a number is
   * approximately 1 byte per two significant digits + 1 byte." A negative number has one more.
   */
  private static long number(String text) {
    var number = new BigDecimal(text).stripTrailingZeros();
    int digits = number.signum() == 0 ? 0 : number.precision();
    return 1 + Math.ceilDiv(digits, DIGITS_IN_A_BYTE) + (number.signum() < 0 ? 1 : 0);
  }

  private static long bytes(SdkBytes bytes) {
    return bytes.asByteArrayUnsafe().length;
  }

  private static long utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
