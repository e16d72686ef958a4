package social.feed.api.function;

import io.micronaut.core.convert.ArgumentConversionContext;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.http.MutableHttpParameters;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The variables of a query, in their order, each with all its values. */
final class GatewayQuery implements MutableHttpParameters {
  private final Map<String, List<String>> variables = new LinkedHashMap<>();
  private ConversionService conversions;

  /**
   * @param raw the query as it was sent, without its question mark
   */
  GatewayQuery(@Nullable String raw, ConversionService conversions) {
    this.conversions = conversions;
    if (raw == null || raw.isEmpty()) {
      return;
    }
    for (String pair : raw.split("[&;]", -1)) {
      int equals = pair.indexOf('=');
      String name = decode(equals < 0 ? pair : pair.substring(0, equals));
      if (!pair.isEmpty()) {
        add(name, equals < 0 ? "" : decode(pair.substring(equals + 1)));
      }
    }
  }

  private static String decode(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      // An incomplete escape stands for itself.
      return text;
    }
  }

  @Override
  public MutableHttpParameters add(CharSequence name, List<CharSequence> values) {
    values.forEach(value -> add(name.toString(), value.toString()));
    return this;
  }

  private void add(String name, String value) {
    variables.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
  }

  @Override
  public void setConversionService(ConversionService conversionService) {
    this.conversions = conversionService;
  }

  @Override
  public List<String> getAll(CharSequence name) {
    return variables.getOrDefault(name.toString(), List.of());
  }

  @Override
  public @Nullable String get(CharSequence name) {
    List<String> all = getAll(name);
    return all.isEmpty() ? null : all.getFirst();
  }

  @Override
  public Set<String> names() {
    return variables.keySet();
  }

  @Override
  public Collection<List<String>> values() {
    return variables.values();
  }

  @Override
  public <T> Optional<T> get(CharSequence name, ArgumentConversionContext<T> context) {
    List<String> all = getAll(name);
    if (all.isEmpty()) {
      return Optional.empty();
    }
    return conversions.convert(all.size() == 1 ? all.getFirst() : all, context);
  }
}
