package social.feed.api.function;

import io.micronaut.context.annotation.Primary;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.core.convert.ArgumentConversionContext;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.bind.DefaultRequestBinderRegistry;
import io.micronaut.http.bind.binders.DefaultBodyAnnotationBinder;
import io.micronaut.http.bind.binders.RequestArgumentBinder;
import io.micronaut.http.codec.MediaTypeCodecRegistry;
import io.micronaut.servlet.http.ServletBinderRegistry;
import io.micronaut.servlet.http.ServletBodyBinder;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * The framework's binders, with one difference: a request without a body has none. Theirs would
 * parse the empty text.
 */
@Primary
@Singleton
@Replaces(DefaultRequestBinderRegistry.class)
@SuppressWarnings("rawtypes") // the superclass has this signature
final class GatewayBinders<T> extends ServletBinderRegistry<T> {

  GatewayBinders(
      MediaTypeCodecRegistry codecs,
      ConversionService conversions,
      List<RequestArgumentBinder> binders,
      DefaultBodyAnnotationBinder<T> bodyBinder) {
    super(codecs, conversions, binders, bodyBinder);
  }

  @Override
  protected ServletBodyBinder<T> newServletBodyBinder(
      MediaTypeCodecRegistry codecs,
      ConversionService conversions,
      DefaultBodyAnnotationBinder<T> bodyBinder) {
    return new GatewayBodyBinder<>(conversions, codecs, bodyBinder);
  }

  private static final class GatewayBodyBinder<T> extends ServletBodyBinder<T> {

    GatewayBodyBinder(
        ConversionService conversions,
        MediaTypeCodecRegistry codecs,
        DefaultBodyAnnotationBinder<T> bodyBinder) {
      super(conversions, codecs, bodyBinder);
    }

    @Override
    public BindingResult<T> bind(ArgumentConversionContext<T> context, HttpRequest<?> source) {
      return source instanceof GatewayRequest request && !request.hasBody()
          ? BindingResult.empty()
          : super.bind(context, source);
    }
  }
}
