package social.feed.api.edge.problem;

import io.micronaut.core.bind.ArgumentBinder.BindingResult;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.convert.ArgumentConversionContext;
import io.micronaut.core.convert.ConversionContext;
import io.micronaut.core.convert.ConversionError;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.bind.RequestBinderRegistry;
import io.micronaut.json.JsonMapper;
import io.micronaut.validation.validator.Validator;
import io.micronaut.web.router.MethodBasedRouteMatch;
import io.micronaut.web.router.RouteAttributes;
import jakarta.inject.Singleton;
import jakarta.validation.Constraint;
import jakarta.validation.ConstraintViolation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.json.BodyCheck;

/**
 * Completes the refusal of a malformed request: the framework stops at the first variable, header
 * or body that it cannot read, and checks constraints only after it has read all of them. This
 * class reads the other parts, checks their constraints and adds their errors. It uses no store.
 *
 * <p>Two errors stay alone. Only the list itself can say whether a cursor is one of its own. And a
 * decoder stops at the first wrong field of a body, so the other fields of that body are unknown.
 */
@Singleton
public final class RequestErrors {
  private static final String BODY = RequestErrors.class.getName();

  private final RequestBinderRegistry binders;
  private final Validator validator;
  private final JsonMapper json;
  private final ExceptionMapper mapper;

  RequestErrors(
      RequestBinderRegistry binders, Validator validator, JsonMapper json, ExceptionMapper mapper) {
    this.binders = binders;
    this.validator = validator;
    this.json = json;
    this.mapper = mapper;
  }

  /** Keeps the body of a request that is refused before the framework reads the body. */
  public static void keepBody(HttpRequest<?> request, byte @Nullable [] body) {
    request.setAttribute(BODY, body == null ? new byte[0] : body);
  }

  /**
   * Returns a refusal with the errors of all parts of the request: first the errors of form, then
   * those about content; each sorted by name. Other problems are returned unchanged.
   */
  ProblemException complete(HttpRequest<?> request, ProblemException first) {
    return first.errors().isEmpty() || first.code().status() != HttpStatus.BAD_REQUEST
        ? first
        : RouteAttributes.getRouteMatch(request)
            .map(route -> route instanceof MethodBasedRouteMatch<?, ?> match ? match : null)
            .map(route -> with(first, request, route))
            .orElse(first);
  }

  private ProblemException with(
      ProblemException first, HttpRequest<?> request, MethodBasedRouteMatch<?, ?> route) {
    Argument<?>[] arguments = route.getArguments();
    @Nullable Object[] values = new Object[arguments.length];
    List<FieldError> unread = new ArrayList<>();
    for (int i = 0; i < arguments.length; i++) {
      values[i] = value(request, arguments[i], unread);
    }
    Collection<? extends ConstraintViolation<?>> violations =
        validator
            .forExecutables()
            .validateParameters(route.getTarget(), route.getExecutableMethod(), values);
    Set<String> known = first.errors().stream().map(FieldError::field).collect(Collectors.toSet());
    List<FieldError> form = new ArrayList<>(unread);
    form.addAll(FieldErrors.of(violations, false));
    form.removeIf(error -> known.contains(error.field()));
    List<FieldError> content = new ArrayList<>(FieldErrors.of(violations, true));
    content.removeIf(error -> known.contains(error.field()));
    if (form.isEmpty() && content.isEmpty()) {
      return first;
    }
    form.addAll(first.errors());
    form.sort(Comparator.comparing(FieldError::field).thenComparing(FieldError::message));
    form.addAll(content);
    return ProblemException.invalid(form);
  }

  /** Returns the value of an argument, absent where it is wrong or comes from elsewhere. */
  private <T> @Nullable T value(
      HttpRequest<?> request, Argument<T> argument, List<FieldError> errors) {
    if (argument.isAnnotationPresent(Body.class)) {
      return body(request, argument, errors);
    }
    if (!argument.getAnnotationMetadata().hasStereotype(Bindable.class)
        && !argument.getAnnotationMetadata().hasStereotype(Constraint.class)) {
      return null;
    }
    ArgumentConversionContext<T> context = ConversionContext.of(argument);
    BindingResult<T> result =
        binders
            .findArgumentBinder(argument)
            .map(binder -> binder.bind(context, request))
            .orElseGet(BindingResult::empty);
    Optional<ConversionError> wrong =
        result.getConversionErrors().stream().findFirst().or(context::getLastError);
    Optional<T> value = wrong.isPresent() ? Optional.empty() : result.getValue();
    if (wrong.isPresent()) {
      errors.addAll(mapper.map(argument, wrong.get()).errors());
    } else if (value.isEmpty() && isRequired(argument)) {
      errors.add(FieldErrors.missing(argument));
    }
    return value.orElse(null);
  }

  private <T> @Nullable T body(
      HttpRequest<?> request, Argument<T> argument, List<FieldError> errors) {
    byte[] body = request.getAttribute(BODY, byte[].class).orElse(null);
    if (body == null) {
      return null;
    }
    if (body.length == 0) {
      if (isRequired(argument)) {
        errors.add(FieldErrors.missing(argument));
      }
      return null;
    }
    try {
      BodyCheck.check(request, body);
      return json.readValue(body, argument);
    } catch (ProblemException | IOException e) {
      errors.addAll(mapper.map(e, HttpStatus.BAD_REQUEST).errors());
      return null;
    }
  }

  private static boolean isRequired(Argument<?> argument) {
    return !argument.isNullable()
        && argument.getAnnotationMetadata().stringValue(Bindable.class, "defaultValue").isEmpty();
  }
}
