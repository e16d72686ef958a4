package social.feed.table.kernel.schema;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Converts the components of a record to attributes and back. Created once per type. */
final class RecordShape<R extends Record> {
  private final Class<R> type;
  private final Constructor<R> constructor;
  private final List<Component> components;

  /** A component that is {@code @Nullable} may be absent; any other is required. */
  private record Component(
      String name,
      RecordComponent component,
      AttributeConverter<Object> converter,
      boolean optional) {}

  RecordShape(Class<R> type) {
    this.type = type;
    this.components =
        Arrays.stream(type.getRecordComponents()).map(RecordShape::component).toList();
    this.constructor = constructor(type);
  }

  Map<String, AttributeValue> toAttributes(R item) {
    var attributes = new LinkedHashMap<String, AttributeValue>();
    for (var component : components) {
      var value = read(component, item);
      if (value != null) {
        attributes.put(component.name, component.converter.transformFrom(value));
      }
    }
    return attributes;
  }

  R fromAttributes(Map<String, AttributeValue> attributes) {
    var values = new Object[components.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(components.get(i), attributes);
    }
    try {
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new MalformedItemException(type.getSimpleName() + " rejects the values", attributes, e);
    }
  }

  @Nullable AttributeValue attribute(R item, String name) {
    return toAttributes(item).get(name);
  }

  List<String> names() {
    return components.stream().map(Component::name).toList();
  }

  private @Nullable Object value(Component component, Map<String, AttributeValue> attributes) {
    var attribute = attributes.get(component.name);
    if (attribute == null) {
      if (component.optional) {
        return null;
      }
      throw new MalformedItemException(
          type.getSimpleName() + " lacks " + component.name, attributes, null);
    }
    try {
      return Converters.read(component.converter, attribute);
    } catch (RuntimeException e) {
      throw new MalformedItemException(
          type.getSimpleName() + " has an unreadable " + component.name, attributes, e);
    }
  }

  private static @Nullable Object read(Component component, Record item) {
    try {
      return component.component.getAccessor().invoke(item);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Unreadable component " + component.name, e);
    }
  }

  private static Component component(RecordComponent component) {
    component.getAccessor().setAccessible(true);
    @SuppressWarnings("unchecked")
    var converter = (AttributeConverter<Object>) Converters.of(component.getGenericType());
    return new Component(
        AttributeNames.of(component.getName()),
        component,
        converter,
        component.getAnnotatedType().isAnnotationPresent(Nullable.class));
  }

  private static <R extends Record> Constructor<R> constructor(Class<R> type) {
    var parameters =
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      var constructor = type.getDeclaredConstructor(parameters);
      constructor.setAccessible(true);
      return constructor;
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("The record " + type + " has no canonical constructor", e);
    }
  }
}
