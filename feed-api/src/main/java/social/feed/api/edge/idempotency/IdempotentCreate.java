package social.feed.api.edge.idempotency;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.security.Viewer;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.idempotency.IdempotencyRecords;
import social.feed.table.kernel.idempotency.Recording;
import social.feed.table.row.IdempotencyRecord;

/**
 * Creates a resource once a request. With a key, one transaction writes the resource and the
 * response. Every other request with the same content finds that response, including a concurrent
 * one and one after a crash. Only successful responses are recorded, so a refused request can be
 * retried.
 */
@Singleton
public final class IdempotentCreate {
  /** The pattern of an {@code Idempotency-Key}. */
  public static final String KEY = "^[A-Za-z0-9_.:-]{1,128}$";

  private final IdempotencyRecords records;
  private final StoredAnswers answers;
  private final InstantSource clock;

  IdempotentCreate(IdempotencyRecords records, StoredAnswers answers, InstantSource clock) {
    this.records = records;
    this.answers = answers;
    this.clock = clock;
  }

  /**
   * Runs a creation, or repeats its response. A key costs one read unit and at least two write
   * units more, and twice the write units of the creation. A refusal costs one read unit more.
   *
   * @param key the caller's key, if there is one
   * @param body of the request; compared as a value, so white space does not matter
   * @param newId makes the id of the new resource from the time of the creation
   * @param drafting checks the request; its exception is the response
   * @throws ProblemException {@code idempotency_key_reused}, and the exceptions of the creation
   */
  public HttpResponse<String> create(
      Viewer viewer,
      @Nullable String key,
      HttpRequest<?> request,
      Object body,
      Function<Instant, String> newId,
      Function<NewResource, PendingCreation> drafting) {
    if (key == null) {
      NewResource resource = resource(newId);
      return answer(request, resource.id(), drafting.apply(resource).withoutKey().get());
    }
    String fingerprint = answers.fingerprint(request, body);
    return records
        .find(viewer.userId(), key)
        .map(before -> repeat(request, before, fingerprint))
        .orElseGet(
            () -> {
              try {
                NewResource resource = resource(newId);
                PendingCreation draft = drafting.apply(resource);
                return write(
                    request, record(viewer, key, fingerprint, resource, draft.answer()), draft);
              } catch (ProblemException refusal) {
                // A concurrent request with the key may have succeeded, and be the reason.
                return records
                    .find(viewer.userId(), key)
                    .map(before -> repeat(request, before, fingerprint))
                    .orElseThrow(() -> refusal);
              }
            });
  }

  private NewResource resource(Function<Instant, String> newId) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    return new NewResource(newId.apply(now), now);
  }

  private HttpResponse<String> write(
      HttpRequest<?> request, IdempotencyRecord record, PendingCreation draft) {
    return switch (records.insert(record, draft.rows(), draft.forbidden(), draft.more())) {
      case Recording.Written() -> answer(request, record.resourceId(), draft.answer());
      case Recording.KeyTaken(IdempotencyRecord before) ->
          repeat(request, before, record.fingerprint());
      case Recording.RowTaken() -> keep(request, record, draft.withoutKey().get());
    };
  }

  /** Records the response for a resource that existed before, which is a success too. */
  private HttpResponse<String> keep(
      HttpRequest<?> request, IdempotencyRecord draft, Created created) {
    IdempotencyRecord record =
        draft.answering(created.status().getCode(), answers.json(created.body()));
    return switch (records.insert(record, List.of())) {
      case Recording.KeyTaken(IdempotencyRecord before) ->
          repeat(request, before, record.fingerprint());
      case Recording.Written(), Recording.RowTaken() ->
          answer(request, record.resourceId(), created);
    };
  }

  private static HttpResponse<String> repeat(
      HttpRequest<?> request, IdempotencyRecord before, String fingerprint) {
    if (!before.fingerprint().equals(fingerprint)) {
      throw new ProblemException(
          ProblemCode.IDEMPOTENCY_KEY_REUSED, "The key belongs to another request");
    }
    return answer(request, before.resourceId(), HttpStatus.valueOf(before.status()), before.body());
  }

  private IdempotencyRecord record(
      Viewer viewer, String key, String fingerprint, NewResource resource, Created created) {
    return new IdempotencyRecord(
        viewer.userId(),
        key,
        fingerprint,
        resource.id(),
        created.status().getCode(),
        answers.json(created.body()),
        resource.createdAt().plus(Retention.IDEMPOTENCY_RECORDS).getEpochSecond());
  }

  private HttpResponse<String> answer(HttpRequest<?> request, String id, Created created) {
    return answer(request, id, created.status(), answers.json(created.body()));
  }

  private static HttpResponse<String> answer(
      HttpRequest<?> request, String id, HttpStatus status, String json) {
    return HttpResponse.<String>status(status)
        .header(HttpHeaders.LOCATION, StoredAnswers.path(request) + "/" + id)
        .contentType(MediaType.APPLICATION_JSON_TYPE)
        .body(json);
  }
}
