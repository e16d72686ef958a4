package social.feed.api.edge.configuration;

import io.micronaut.context.BeanResolutionContext;
import io.micronaut.context.annotation.ConfigurationReader;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.naming.NameUtils;
import io.micronaut.core.type.Argument;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.inject.InjectionPoint;
import io.micronaut.validation.validator.DefaultValidator;
import io.micronaut.validation.validator.ValidatorConfiguration;
import jakarta.inject.Singleton;
import jakarta.validation.ConstraintViolation;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Refuses settings that break the constraints of their record, with one message that names each
 * property and its rule. The framework's own check stops at the first one and names the parameter
 * of a constructor. The message contains no values, since a setting can be a secret.
 */
@Singleton
@Replaces(DefaultValidator.class)
final class ConfigurationCheck extends DefaultValidator {

  ConfigurationCheck(ValidatorConfiguration configuration) {
    super(configuration);
  }

  @Override
  public <T> void validateBean(
      BeanResolutionContext context, BeanDefinition<T> definition, T bean) {
    Set<ConstraintViolation<T>> violations = validate(bean);
    if (!violations.isEmpty()) {
      String prefix = definition.stringValue(ConfigurationReader.class, "prefix").orElse("");
      throw new ConfigurationException(
          violations.stream()
              .map(
                  violation ->
                      prefix
                          + "."
                          + NameUtils.hyphenate(violation.getPropertyPath().toString())
                          + " "
                          + violation.getMessage())
              .sorted()
              .collect(Collectors.joining("; ", "Correct these settings: ", "")));
    }
  }

  /** The record is checked as a whole. */
  @Override
  public <T> void validateBeanArgument(
      BeanResolutionContext context,
      InjectionPoint point,
      Argument<T> argument,
      int index,
      @Nullable T value) {}
}
