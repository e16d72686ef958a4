package social.feed.api.idempotency;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import social.feed.api.problem.ProblemCode;
import social.feed.api.problem.ProblemException;
import social.feed.api.security.Viewer;
import social.feed.table.idempotency.IdempotencyRecords;
import social.feed.table.row.IdempotencyRecord;

/**
 * Creates something once a request. With a key, the first request reserves an id and a time; every
 * other with the same content, also one at the same moment or after a crash, writes the same item
 * and answers the same. Only answers of success are recorded: what was refused may be tried again.
 */
@Singleton
public final class Once {
  /** The form of an {@code Idempotency-Key}. */
  public static final String KEY = "^[A-Za-z0-9_.:-]{1,128}$";

  private static final Duration KEPT = Duration.ofHours(24);

  private final IdempotencyRecords records;
  private final Answers answers;
  private final InstantSource clock;

  Once(IdempotencyRecords records, Answers answers, InstantSource clock) {
    this.records = records;
    this.answers = answers;
    this.clock = clock;
  }

  /**
   * Runs a creation, or repeats the answer that it gave. Two write units more with a key.
   *
   * @param key the caller's, if any
   * @param body of the request; compared as a value, so white space does not matter
   * @param newId of what is to be created
   * @throws ProblemException {@code idempotency_key_reused}, and what the creation throws
   */
  public HttpResponse<String> create(
      Viewer viewer,
      @Nullable String key,
      HttpRequest<?> request,
      Object body,
      Function<Instant, String> newId,
      Function<Reservation, Created> creation) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    String id = newId.apply(now);
    if (key == null) {
      Created created = creation.apply(new Reservation(id, now, null));
      return answer(request, id, created.status(), answers.json(created.body()));
    }
    String fingerprint = answers.fingerprint(request, body);
    IdempotencyRecord own = reservation(viewer, key, fingerprint, id, now);
    IdempotencyRecord valid = same(records.reserve(own), fingerprint).orElse(own);
    return valid.status() == null || valid.body() == null
        ? run(request, valid, creation)
        : answer(request, valid.resourceId(), HttpStatus.valueOf(valid.status()), valid.body());
  }

  /**
   * Makes sure that no request under this key writes its item again, before the item is deleted.
   *
   * @param key of the item, if any
   * @param created the answer that the creation gave or would have given
   */
  public void close(String userId, @Nullable String key, Created created) {
    if (key != null) {
      records.complete(userId, key, created.status().getCode(), answers.json(created.body()));
    }
  }

  private HttpResponse<String> run(
      HttpRequest<?> request, IdempotencyRecord valid, Function<Reservation, Created> creation) {
    Created created =
        creation.apply(new Reservation(valid.resourceId(), valid.createdAt(), valid.requestKey()));
    String json = answers.json(created.body());
    records.complete(valid.userId(), valid.requestKey(), created.status().getCode(), json);
    return answer(request, valid.resourceId(), created.status(), json);
  }

  private static Optional<IdempotencyRecord> same(
      Optional<IdempotencyRecord> before, String fingerprint) {
    if (before.isPresent() && !before.get().fingerprint().equals(fingerprint)) {
      throw new ProblemException(
          ProblemCode.IDEMPOTENCY_KEY_REUSED, "The key belongs to another request");
    }
    return before;
  }

  private static IdempotencyRecord reservation(
      Viewer viewer, String key, String fingerprint, String id, Instant now) {
    long expiresAt = now.plus(KEPT).getEpochSecond();
    return new IdempotencyRecord(viewer.userId(), key, fingerprint, id, now, null, null, expiresAt);
  }

  private static HttpResponse<String> answer(
      HttpRequest<?> request, String id, HttpStatus status, String json) {
    return HttpResponse.<String>status(status)
        .header(HttpHeaders.LOCATION, request.getPath() + "/" + id)
        .contentType(MediaType.APPLICATION_JSON_TYPE)
        .body(json);
  }
}
