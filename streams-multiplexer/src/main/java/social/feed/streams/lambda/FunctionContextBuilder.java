package social.feed.streams.lambda;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.ApplicationContextConfiguration;
import io.micronaut.context.BeanContext;
import io.micronaut.context.DefaultApplicationContext;
import io.micronaut.context.annotation.ConfigurationReader;
import io.micronaut.context.env.EnvironmentPropertySource;
import io.micronaut.context.env.SystemPropertiesPropertySource;
import io.micronaut.core.convert.MutableConversionService;
import io.micronaut.function.aws.LambdaApplicationContextBuilder;
import io.micronaut.inject.BeanConfiguration;
import io.micronaut.inject.BeanDefinitionReference;
import io.micronaut.runtime.converters.time.TimeConverterRegistrar;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.annotation.Annotation;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/**
 * Builds the context of a function: the beans of this module, with settings from environment
 * variables {@code FEED_*} and system properties. A context of Micronaut's own builder also has the
 * beans of its modules for HTTP and JSON, which a function never asks for, and searches all jars of
 * the package for them. That took a third of a start.
 *
 * <p>The settings are read at the start, and so is what a bean of the function requires. Everything
 * else is created when it is asked for.
 */
final class FunctionContextBuilder extends LambdaApplicationContextBuilder {
  private static final String VARIABLES = "FEED_";

  /** The settings need these, and those that are there from the start. */
  private final MutableConversionService conversions = MutableConversionService.create();

  FunctionContextBuilder() {
    new TimeConverterRegistrar().register(conversions);
    deduceEnvironment(false);
    enableDefaultPropertySources(false);
    propertySources(new SystemPropertiesPropertySource(), variables());
  }

  @Override
  public Optional<MutableConversionService> getConversionService() {
    return Optional.of(conversions);
  }

  /** Lambda's own builder also creates all beans at the start, needed or not. */
  @Override
  public Set<Class<? extends Annotation>> getEagerInitAnnotated() {
    return Set.of(ConfigurationReader.class);
  }

  private static EnvironmentPropertySource variables() {
    return new EnvironmentPropertySource(
        System.getenv().keySet().stream().filter(name -> name.startsWith(VARIABLES)).toList(),
        List.of());
  }

  @Override
  protected ApplicationContext newApplicationContext() {
    return new OfThisModule(this);
  }

  /** A context that has the beans of this module, and none of other modules. */
  private static final class OfThisModule extends DefaultApplicationContext {
    /** Where the processor of annotations lists the beans that it found. */
    private static final String LISTED =
        "META-INF/micronaut/" + BeanDefinitionReference.class.getName() + "/";

    OfThisModule(ApplicationContextConfiguration configuration) {
      super(configuration);
    }

    @Override
    @SuppressWarnings("rawtypes") // As declared by Micronaut.
    protected List<BeanDefinitionReference> resolveBeanDefinitionReferences() {
      return Stream.of(DefaultApplicationContext.class, OfThisModule.class)
          .flatMap(one -> namesInJarOf(one).stream())
          .flatMap(name -> definition(name).stream())
          .<BeanDefinitionReference>map(one -> one)
          .toList();
    }

    @Override
    protected Iterable<BeanConfiguration> resolveBeanConfigurations() {
      return List.of();
    }

    @Override
    protected void initializeTypeConverters(BeanContext context) {
      // The environment has those that settings need.
    }

    /** Returns the names of the definitions in the jar, or the folder, of a class. */
    private static List<String> namesInJarOf(Class<?> type) {
      try {
        var module = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        return Files.isDirectory(module) ? namesIn(module) : namesOf(module);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (URISyntaxException e) {
        throw new IllegalStateException(e);
      }
    }

    private static List<String> namesOf(Path jar) throws IOException {
      try (var zip = new ZipFile(jar.toFile())) {
        return zip.stream()
            .map(entry -> entry.getName())
            .filter(name -> name.startsWith(LISTED) && name.length() > LISTED.length())
            .map(name -> name.substring(LISTED.length()))
            .toList();
      }
    }

    private static List<String> namesIn(Path folder) throws IOException {
      try (Stream<Path> files = Files.list(folder.resolve(LISTED))) {
        return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
      }
    }

    /** Leaves out what needs a library that is not there, as Micronaut does. */
    private static Optional<BeanDefinitionReference<?>> definition(String name) {
      try {
        return Optional.of(
            (BeanDefinitionReference<?>)
                Class.forName(name).getDeclaredConstructor().newInstance());
      } catch (NoClassDefFoundError _) {
        return Optional.empty();
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(name, e);
      }
    }
  }
}
