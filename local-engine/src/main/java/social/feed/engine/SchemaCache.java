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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
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
 * Every read gets a copy, because the engine changes the one that it read before it stores it.
 */
final class SchemaCache extends DelegatingDeserializer {
  private static final long serialVersionUID = 1L;

  /** More than the tables that one JVM uses at a time. */
  private static final int MOST = 64;

  private static final List<Parsed> PARSED = new CopyOnWriteArrayList<>();
  private static final Map<Class<?>, List<Field>> FIELDS = new ConcurrentHashMap<>();
  private static boolean isInstalled;

  /** A stored description. */
  private record Parsed(byte[] json, TableSchemaInfo schema) {}

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
        return copy(parsed.schema);
      }
    }
    var schema = (TableSchemaInfo) super.deserialize(json, context);
    if (PARSED.size() >= MOST) {
      PARSED.clear();
    }
    PARSED.add(new Parsed(bytes.clone(), schema));
    return copy(schema);
  }

  /** Copies everything that can change; descriptions of the SDK's model cannot. */
  private static @Nullable Object copy(@Nullable Object value) {
    return switch (value) {
      case List<?> list -> {
        var copy = new ArrayList<@Nullable Object>(list.size());
        list.forEach(element -> copy.add(copy(element)));
        yield copy;
      }
      case Map<?, ?> map -> {
        var copy = new LinkedHashMap<Object, @Nullable Object>();
        map.forEach((name, element) -> copy.put(name, copy(element)));
        yield copy;
      }
      case TableSchemaInfo schema -> fieldsCopied(schema, new TableSchemaInfo());
      case SQLiteIndexElement element -> fieldsCopied(element, new SQLiteIndexElement());
      case null, default -> value;
    };
  }

  private static Object fieldsCopied(Object from, Object to) {
    try {
      for (var field : FIELDS.computeIfAbsent(from.getClass(), SchemaCache::fields)) {
        field.set(to, copy(field.get(from)));
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
