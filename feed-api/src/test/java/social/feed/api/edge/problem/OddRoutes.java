package social.feed.api.edge.problem;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.query.Flag;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.Viewer;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.RequestLimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;

/** Routes that fail on purpose. */
@RequiresToken
@Controller("/v1/odd")
class OddRoutes {
  private static final Map<String, RuntimeException> FAILURES =
      Map.ofEntries(
          Map.entry("throughput", ProvisionedThroughputExceededException.builder().build()),
          Map.entry("request-limit", RequestLimitExceededException.builder().build()),
          Map.entry("throttling", ThrottlingException.builder().build()),
          Map.entry("conflict", TransactionConflictException.builder().build()),
          Map.entry("cancelled-conflict", cancelled("TransactionConflict")),
          Map.entry("cancelled-throttling", cancelled("ThrottlingError")),
          Map.entry(
              "unreachable", SdkClientException.create("no route", new java.io.IOException())),
          Map.entry("wrapped", new IllegalStateException(ThrottlingException.builder().build())),
          Map.entry("cancelled-condition", cancelled("ConditionalCheckFailed")),
          Map.entry("condition", ConditionalCheckFailedException.builder().build()),
          Map.entry("no-table", ResourceNotFoundException.builder().build()),
          Map.entry("defect", new IllegalStateException("PK=USER#secret")),
          Map.entry(
              "domain", new ProblemException(ProblemCode.NOT_FOUND, "There is no such thing")),
          Map.entry("too-large", new ProblemException(ProblemCode.RESPONSE_TOO_LARGE)),
          Map.entry(
              "wait",
              new ProblemException(ProblemCode.TABLE_BUSY, "Later", Duration.ofMillis(2_500))));

  private static TransactionCanceledException cancelled(String reason) {
    return TransactionCanceledException.builder()
        .cancellationReasons(
            CancellationReason.builder().code("None").build(),
            CancellationReason.builder().code(reason).build())
        .build();
  }

  enum Colour {
    @JsonProperty("red")
    RED,
    GREEN
  }

  @Serdeable
  record Thing(
      String displayName,
      @Nullable String note,
      @Nullable Colour colour,
      @Nullable Instant madeAt,
      @Nullable List<String> parts) {}

  @Get("/empty-list")
  Thing emptyList() {
    return new Thing("A", null, null, Instant.ofEpochSecond(0, 999_999_999), List.of());
  }

  @Post("/things")
  Thing echo(@Body Thing thing) {
    return thing;
  }

  @Get("/failures/{name}")
  String fail(@PathVariable String name) {
    throw FAILURES.get(name);
  }

  @Get("/variables/{id}")
  Map<String, String> variables(
      @PathVariable @Pattern(regexp = "[a-z]{1,8}") String id,
      @QueryValue(defaultValue = "20") @Min(1) @Max(50) int limit,
      @Nullable @QueryValue("keep_history") @Flag.TrueOrFalse Flag keepHistory) {
    return Map.of(
        "id",
        id,
        "limit",
        "" + limit,
        "keep",
        keepHistory == null ? "" : "" + Flag.isSet(keepHistory));
  }

  @Get("/required")
  Map<String, String> required(@QueryValue("some_name") String someName) {
    return Map.of("name", someName);
  }

  @Get("/pair/{id}")
  String pair(
      @PathVariable @Pattern(regexp = "[a-z]{1,8}") String id,
      @QueryValue("some_name") String someName,
      @QueryValue(defaultValue = "20") int limit,
      @QueryValue("other_name") String otherName) {
    return id + someName + limit + otherName;
  }

  @Get("/me")
  Map<String, String> me(Viewer viewer) {
    return Map.of("id", viewer.userId(), "thread", Thread.currentThread().isVirtual() + "");
  }
}
