package social.feed.table.kernel.schema;

import java.util.function.Function;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** An SDK converter made of two functions. */
record FunctionConverter<T>(
    EnhancedType<T> type,
    AttributeValueType attributeValueType,
    Function<T, AttributeValue> write,
    Function<AttributeValue, T> read)
    implements AttributeConverter<T> {

  @Override
  public AttributeValue transformFrom(T input) {
    return write.apply(input);
  }

  @Override
  public T transformTo(AttributeValue input) {
    return read.apply(input);
  }
}
