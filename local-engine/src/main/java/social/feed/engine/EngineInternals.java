package social.feed.engine;

import java.lang.reflect.Field;
import software.amazon.dynamodb.services.local.shared.access.AmazonDynamoDBLocal;
import software.amazon.dynamodb.services.local.shared.access.LocalDBAccess;
import software.amazon.dynamodb.services.local.shared.access.LocalDBClient;

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

  static void write(Class<?> declaring, String field, Object holder, Object value) {
    try {
      accessible(declaring, field).set(holder, value);
    } catch (ReflectiveOperationException e) {
      throw moved(e);
    }
  }

  /** Makes an engine use less processor time, before it has its first table. */
  static void accelerate(AmazonDynamoDBLocal engine) {
    SchemaCache.install();
    CallerRunsQueue.install((LocalDBAccess) read(LocalDBClient.class, "dbAccess", engine));
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
