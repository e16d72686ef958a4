package social.feed.engine;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.dynamodb.services.local.shared.access.sqlite.SQLiteDBAccess;
import software.amazon.dynamodb.services.local.shared.access.sqlite.SQLiteDBAccessJob;
import software.amazon.dynamodb.services.local.shared.access.sqlite.SQLiteIndexElement;
import software.amazon.dynamodb.services.local.shared.access.sqlite.TableSchemaInfo;

/**
 * Parses the stored description of a table once. The engine stores it as JSON and parses it several
 * times in each request, which takes most of its time for a table with six indexes.
 *
 * <p>The cache finds a description by its stored bytes, so a changed one is parsed again. It
 * compares them and hashes nothing: without the optimizing compiler, only the comparison is fast.
 * All reads of rows get the same description, whose lists cannot change. A change of the table gets
 * a copy, because the engine changes the one that it read before it stores it.
 */
final class SchemaCache extends DelegatingDeserializer {
  private static final long serialVersionUID = 1L;

  /** More than the tables that one JVM uses at a time. */
  private static final int MOST = 64;

  private static final List<Parsed> PARSED = new CopyOnWriteArrayList<>();
  private static final Map<Class<?>, List<Field>> FIELDS = new ConcurrentHashMap<>();
  private static final ThreadLocal<Boolean> CHANGES = ThreadLocal.withInitial(() -> false);
  private static boolean isInstalled;

  /** A stored description. */
  private record Parsed(byte[] json, @Nullable TableSchemaInfo schema) {}

  private SchemaCache(JsonDeserializer<?> original) {
    super(original);
  }

  /** Installs the cache for all engines of this JVM, if that has not happened yet. */
  static synchronized void install() {
    if (!isInstalled) {
      List.of(SQLiteDBAccess.class, SQLiteDBAccessJob.class)
          .forEach(type -> installIn((ObjectMapper) EngineInternals.read(type, "MAPPER", type)));
      isInstalled = true;
    }
  }

  private static void installIn(ObjectMapper mapper) {
    mapper.configure(JsonParser.Feature.INCLUDE_SOURCE_IN_LOCATION, true);
    mapper.registerModule(
        new SimpleModule(SchemaCache.class.getName())
            .setDeserializerModifier(
                new BeanDeserializerModifier() {
                  private static final long serialVersionUID = 1L;

                  @Override
                  public JsonDeserializer<?> modifyDeserializer(
                      DeserializationConfig config,
                      BeanDescription bean,
                      JsonDeserializer<?> original) {
                    return bean.getBeanClass() == TableSchemaInfo.class
                        ? new SchemaCache(original)
                        : original;
                  }
                }));
  }

  /** Runs something that may change the descriptions that it reads on this thread. */
  static <T extends @Nullable Object> T changing(Supplier<T> change) {
    boolean isWithinAnother = CHANGES.get();
    CHANGES.set(true);
    try {
      return change.get();
    } finally {
      CHANGES.set(isWithinAnother);
    }
  }

  @Override
  protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> original) {
    return new SchemaCache(original);
  }

  @Override
  public @Nullable Object deserialize(JsonParser json, DeserializationContext context)
      throws IOException {
    if (!(json.currentTokenLocation().contentReference().getRawContent() instanceof byte[] bytes)) {
      return super.deserialize(json, context);
    }
    for (var parsed : PARSED) {
      if (Arrays.equals(parsed.json, bytes)) {
        return forThisThread(parsed.schema);
      }
    }
    var fixed = (TableSchemaInfo) copy(super.deserialize(json, context), true);
    if (PARSED.size() >= MOST) {
      PARSED.clear();
    }
    PARSED.add(new Parsed(bytes.clone(), fixed));
    return forThisThread(fixed);
  }

  private static @Nullable Object forThisThread(@Nullable TableSchemaInfo fixed) {
    return CHANGES.get() ? copy(fixed, false) : fixed;
  }

  /**
   * Copies everything that can change; descriptions of the SDK's model cannot.
   *
   * @param isFixed whether a change of the lists and maps of the copy fails
   */
  private static @Nullable Object copy(@Nullable Object value, boolean isFixed) {
    return switch (value) {
      case List<?> list -> {
        var copy = new ArrayList<@Nullable Object>(list.size());
        list.forEach(element -> copy.add(copy(element, isFixed)));
        yield isFixed ? Collections.unmodifiableList(copy) : copy;
      }
      case Map<?, ?> map -> {
        var copy = new LinkedHashMap<Object, @Nullable Object>();
        map.forEach((name, element) -> copy.put(name, copy(element, isFixed)));
        yield isFixed ? Collections.unmodifiableMap(copy) : copy;
      }
      case TableSchemaInfo schema -> fieldsCopied(schema, new TableSchemaInfo(), isFixed);
      case SQLiteIndexElement element -> fieldsCopied(element, new SQLiteIndexElement(), isFixed);
      case null, default -> value;
    };
  }

  private static Object fieldsCopied(Object from, Object to, boolean isFixed) {
    try {
      for (var field : FIELDS.computeIfAbsent(from.getClass(), SchemaCache::fields)) {
        field.set(to, copy(field.get(from), isFixed));
      }
      return to;
    } catch (ReflectiveOperationException e) {
      throw EngineInternals.moved(e);
    }
  }

  private static List<Field> fields(Class<?> type) {
    var fields = new ArrayList<Field>();
    for (var field : type.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers())) {
        field.setAccessible(true);
        fields.add(field);
      }
    }
    return fields;
  }
}
