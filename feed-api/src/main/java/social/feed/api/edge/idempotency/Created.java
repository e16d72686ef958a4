package social.feed.api.edge.idempotency;

import io.micronaut.http.HttpStatus;

/**
 * The answer to a creation.
 *
 * @param status 201, or 200 for what was there
 * @param body what is there now
 */
public record Created(HttpStatus status, Object body) {}
