package social.feed.api.function;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.function.BinaryTypeConfiguration;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.http.server.HttpServerConfiguration;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import io.micronaut.json.JsonMapper;
import io.micronaut.servlet.http.BodyBuilder;
import io.micronaut.servlet.http.ServletExchange;
import io.micronaut.servlet.http.ServletHttpHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import social.feed.api.edge.log.LineAtEnd;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.table.kernel.store.CallDeadline;

/**
 * Passes an event to the routes as a request, and returns their response. A response is sent when
 * it is complete, so one that fails half-way becomes a problem.
 */
final class GatewayHandler
    extends ServletHttpHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse> {
  private final ConversionService conversions;
  private final BodyBuilder bodies;
  private final BinaryTypeConfiguration binaryTypes;
  private final ErrorResponseProcessor<?> problems;
  private final JsonMapper json;
  private final CallDeadline deadline;
  private final long bodyMax;

  GatewayHandler(ApplicationContext context) {
    super(context, context.getBean(ConversionService.class));
    this.conversions = context.getBean(ConversionService.class);
    this.bodies = context.getBean(BodyBuilder.class);
    this.binaryTypes = context.getBean(BinaryTypeConfiguration.class);
    this.problems = context.getBean(ErrorResponseProcessor.class);
    this.json = context.getBean(JsonMapper.class);
    this.deadline = context.getBean(CallDeadline.class);
    this.bodyMax = context.getBean(HttpServerConfiguration.class).getMaxRequestSize();
  }

  APIGatewayV2HTTPResponse handle(APIGatewayV2HTTPEvent event) {
    GatewayResponse response = new GatewayResponse(conversions, binaryTypes);
    GatewayRequest request = new GatewayRequest(conversions, event, response, bodies, bodyMax);
    LineAtEnd line = LineAtEnd.in(request);
    int status = HttpStatus.INTERNAL_SERVER_ERROR.getCode();
    try {
      try {
        service(request);
      } catch (HttpStatusException e) {
        // The body of the response could not be read to its end.
        refuse(request, response, cause(response, e));
      }
      if (request.getMethod() == HttpMethod.HEAD) {
        response.dropBody();
      }
      APIGatewayV2HTTPResponse answer = response.getNativeResponse();
      status = answer.getStatusCode();
      return answer;
    } finally {
      line.write(status);
    }
  }

  /** Returns why a body ends before its end. */
  private Exception cause(GatewayResponse response, HttpStatusException failure) {
    if (response.isTooLarge()) {
      return new ProblemException(ProblemCode.RESPONSE_TOO_LARGE);
    }
    return deadline.isNear()
        ? new ProblemException(
            ProblemCode.TABLE_BUSY, ProblemCode.TABLE_BUSY.cause(), Duration.ofSeconds(1))
        : failure;
  }

  private void refuse(GatewayRequest request, GatewayResponse response, Exception cause) {
    MutableHttpResponse<?> problem =
        problems.processResponse(
            ErrorContext.builder(request).cause(cause).build(), HttpResponse.serverError());
    response.dropBody();
    response.status(problem.code(), null);
    problem
        .getHeaders()
        .forEach((name, values) -> response.getHeaders().set(name, values.getFirst()));
    try {
      response.getOutputStream().write(json.writeValueAsBytes(problem.body()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected ServletExchange<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse> createExchange(
      APIGatewayV2HTTPEvent request, APIGatewayV2HTTPResponse response) {
    return new GatewayRequest(
        conversions, request, new GatewayResponse(conversions, binaryTypes), bodies, bodyMax);
  }
}
