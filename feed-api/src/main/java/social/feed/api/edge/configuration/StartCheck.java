package social.feed.api.edge.configuration;

import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.ConfigurationReader;
import io.micronaut.context.annotation.Context;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.inject.qualifiers.Qualifiers;

/**
 * Reads all settings of the API at the start, so that a wrong one fails the start. The framework
 * would read each record when it is first needed, which can be a request.
 */
@Context
final class StartCheck {
  private static final String PREFIX = "feed.";

  StartCheck(BeanContext beans) {
    for (BeanDefinition<?> definition :
        beans.getBeanDefinitions(Qualifiers.byStereotype(ConfigurationReader.class))) {
      String prefix = definition.stringValue(ConfigurationReader.class, "prefix").orElse("");
      if (prefix.startsWith(PREFIX)) {
        beans.getBean(definition);
      }
    }
  }
}
