package social.feed.table.kernel.schema;

import java.lang.invoke.MethodType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import social.feed.table.kernel.time.Timestamps;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverterProvider;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Selects the converter of a component's type. Times, enums and nested records have converters
 * here; the SDK converts all other types.
 */
final class Converters {
  private static final AttributeConverterProvider SDK =
      AttributeConverterProvider.defaultProvider();

  private Converters() {}

  static AttributeConverter<?> of(Type type) {
    return switch (type) {
      case ParameterizedType p when p.getRawType() == List.class ->
          list(of(p.getActualTypeArguments()[0]));
      case ParameterizedType p when p.getRawType() == Map.class ->
          map(of(p.getActualTypeArguments()[1]));
      case Class<?> c when c == Instant.class ->
          text(Instant.class, Timestamps::format, Timestamps::parse);
      case Class<?> c when c.isEnum() -> enumeration(c);
      case Class<?> c when c.isRecord() -> nested(c.asSubclass(Record.class));
      case Class<?> c -> SDK.converterFor(EnhancedType.of(boxed(c)));
      default -> throw new IllegalArgumentException("No converter for " + type);
    };
  }

  /**
   * Returns a value from its attribute. The SDK's converters read text from any type, and an empty
   * list from an attribute that is no list. An item from another writer must not be read like that.
   *
   * @throws IllegalArgumentException when the attribute has another type than is written
   */
  static <T> T read(AttributeConverter<T> converter, AttributeValue attribute) {
    var expected = converter.attributeValueType().name();
    if (!expected.equals(attribute.type().name())) {
      throw new IllegalArgumentException("Type " + attribute.type() + " instead of " + expected);
    }
    return converter.transformTo(attribute);
  }

  private static <T> AttributeConverter<List<T>> list(AttributeConverter<T> element) {
    return new FunctionConverter<>(
        EnhancedType.listOf(element.type()),
        AttributeValueType.L,
        value -> AttributeValue.fromL(value.stream().map(element::transformFrom).toList()),
        value -> value.l().stream().map(v -> read(element, v)).toList());
  }

  private static <T> AttributeConverter<Map<String, T>> map(AttributeConverter<T> element) {
    return new FunctionConverter<>(
        EnhancedType.mapOf(EnhancedType.of(String.class), element.type()),
        AttributeValueType.M,
        value -> AttributeValue.fromM(changed(value, element::transformFrom)),
        value -> changed(value.m(), v -> read(element, v)));
  }

  private static <A, B> Map<String, B> changed(Map<String, A> map, Function<A, B> change) {
    var changed = new LinkedHashMap<String, B>();
    map.forEach((key, value) -> changed.put(key, change.apply(value)));
    return changed;
  }

  private static AttributeConverter<?> enumeration(Class<?> type) {
    var texts = new HashMap<Enum<?>, String>();
    var constants = new HashMap<String, Enum<?>>();
    for (var constant : type.asSubclass(Enum.class).getEnumConstants()) {
      var text = constant.name().toLowerCase(Locale.ROOT);
      texts.put(constant, text);
      constants.put(text, constant);
    }
    return text(
        Enum.class,
        value -> Objects.requireNonNull(texts.get(value)),
        text -> Optional.ofNullable(constants.get(text)).orElseThrow());
  }

  private static <R extends Record> AttributeConverter<R> nested(Class<R> type) {
    var shape = new RecordShape<>(type);
    return new FunctionConverter<>(
        EnhancedType.of(type),
        AttributeValueType.M,
        value -> AttributeValue.fromM(shape.toAttributes(value)),
        value -> shape.fromAttributes(value.m()));
  }

  private static <T> AttributeConverter<T> text(
      Class<T> type, Function<T, String> write, Function<String, T> read) {
    return new FunctionConverter<>(
        EnhancedType.of(type),
        AttributeValueType.S,
        value -> AttributeValue.fromS(write.apply(value)),
        value -> read.apply(value.s()));
  }

  private static Class<?> boxed(Class<?> type) {
    return MethodType.methodType(type).wrap().returnType();
  }
}
