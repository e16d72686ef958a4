package social.feed.api.edge.idempotency;

import io.micronaut.http.HttpStatus;

/**
 * The response to a creation.
 *
 * @param status 201, or 200 for a resource that existed before
 * @param body the resource as it is now
 */
public record Created(HttpStatus status, Object body) {}
