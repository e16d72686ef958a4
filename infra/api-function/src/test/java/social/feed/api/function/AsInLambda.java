package social.feed.api.function;

import io.micronaut.context.ApplicationContextBuilder;
import io.micronaut.context.ApplicationContextConfigurer;
import io.micronaut.context.annotation.ContextConfigurer;
import io.micronaut.function.aws.LambdaApplicationContextBuilder;

/**
 * Starts the context of each test with the environments and the eagerness that it has in Lambda.
 */
@ContextConfigurer
public final class AsInLambda implements ApplicationContextConfigurer {

  @Override
  public void configure(ApplicationContextBuilder builder) {
    LambdaApplicationContextBuilder.setLambdaConfiguration(builder);
  }
}
