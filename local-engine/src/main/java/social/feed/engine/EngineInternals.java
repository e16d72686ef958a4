package social.feed.engine;

import java.lang.reflect.Field;

/** Reads private fields of DynamoDB Local. A version that moves one fails with its name. */
final class EngineInternals {

  private EngineInternals() {}

  /**
   * Returns the value of a field that a class declares; the holder of a static field is its class.
   */
  static Object read(Class<?> declaring, String field, Object holder) {
    try {
      return accessible(declaring, field).get(holder);
    } catch (ReflectiveOperationException e) {
      throw moved(e);
    }
  }

  static IllegalStateException moved(ReflectiveOperationException e) {
    return new IllegalStateException("This version of DynamoDB Local has another structure", e);
  }

  private static Field accessible(Class<?> declaring, String name) throws NoSuchFieldException {
    Field field = declaring.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }
}
