package social.feed.api.edge.problem;

import io.micronaut.http.HttpStatus;
import java.util.Locale;
import java.util.Optional;

/**
 * The catalogue of errors. The name in lower case is the stable {@code code} of a problem; the
 * status, title, cause and remedy are its documentation.
 */
public enum ProblemCode {
  INVALID_REQUEST(
      HttpStatus.BAD_REQUEST,
      "The request is malformed",
      "A path or query variable, a header or the shape of the body is not as documented.",
      "Correct what `errors` lists and send it again."),
  INVALID_JSON(
      HttpStatus.BAD_REQUEST,
      "The body is not JSON",
      "The body cannot be parsed as JSON.",
      "Send well-formed JSON."),
  INVALID_CURSOR(
      HttpStatus.BAD_REQUEST,
      "The cursor is not valid",
      "The cursor was changed, or was given to another caller, for another list or by another deployment.",
      "Start again without a cursor."),
  UNAUTHENTICATED(
      HttpStatus.UNAUTHORIZED,
      "A valid token is required",
      "The bearer token is missing, expired, not yet valid, not signed by a known key, or its subject is not a valid user id.",
      "Send `Authorization: Bearer <token>` with a fresh token."),
  NOT_FOUND(
      HttpStatus.NOT_FOUND,
      "Not found",
      "There is no such route or resource, or the caller may not see it.",
      "Check the address."),
  SEARCH_OFF(
      HttpStatus.NOT_FOUND,
      "There is no search",
      "The deployment has no search index.",
      "Do not offer a search to the members of this deployment."),
  METHOD_NOT_ALLOWED(
      HttpStatus.METHOD_NOT_ALLOWED,
      "The method is not allowed here",
      "The route exists, but not for this method.",
      "Use a method that the `Allow` header lists."),
  NOT_ACCEPTABLE(
      HttpStatus.NOT_ACCEPTABLE,
      "No acceptable media type",
      "The `Accept` header excludes what the route produces.",
      "Accept `application/json` and `application/problem+json`."),
  HANDLE_TAKEN(
      HttpStatus.CONFLICT,
      "The handle is taken",
      "Another account has the handle; upper and lower case are the same.",
      "Choose another handle."),
  ALREADY_REGISTERED(
      HttpStatus.CONFLICT,
      "The caller is already registered",
      "The caller has a profile with another handle.",
      "Use the profile that `GET /v1/users/me` shows, or give it the handle by `PATCH /v1/users/me`."),
  NOT_REGISTERED(
      HttpStatus.CONFLICT,
      "The caller is not registered",
      "The token is valid, but the caller has no profile yet.",
      "Send `POST /v1/users` first."),
  ACCOUNT_ERASED(
      HttpStatus.CONFLICT,
      "The caller's account is erased",
      "The caller requested the erasure of the account. It is in progress, or ended less than 30 days ago.",
      "The account cannot be restored. The same id can register again 30 days after the erasure ended."),
  MEDIA_NOT_UPLOADED(
      HttpStatus.CONFLICT,
      "The file was not uploaded",
      "The upload of a file is to be completed, but its bytes were not sent.",
      "Send the bytes to the address of the upload first."),
  MEDIA_IN_USE(
      HttpStatus.CONFLICT,
      "The file is shown",
      "The caller deletes a file that a post or the profile of the caller shows.",
      "Delete the post, or replace or remove the picture; the file is deleted with it."),
  TOO_LARGE(
      HttpStatus.REQUEST_ENTITY_TOO_LARGE,
      "The request is too large",
      "The body has more than 64 KiB, or an uploaded file has more bytes than were announced.",
      "Send less, or announce the size of the file."),
  ADDRESS_TOO_LONG(
      HttpStatus.REQUEST_URI_TOO_LONG,
      "The address is too long",
      "The request line has more than 4 KiB.",
      "Send a shorter address."),
  UNSUPPORTED_MEDIA_TYPE(
      HttpStatus.UNSUPPORTED_MEDIA_TYPE,
      "The media type is not supported",
      "The body is not declared as JSON, or is compressed.",
      "Send `Content-Type: application/json` and no `Content-Encoding`."),
  INVALID_CONTENT(
      HttpStatus.UNPROCESSABLE_ENTITY,
      "The content breaks a rule",
      "A text or handle is empty, too long or has characters that are not allowed, a text names too many tags or accounts, a webhook names an unknown type of events, or a time is past or more than ten years away.",
      "Correct what `errors` lists."),
  SELF_FOLLOW(
      HttpStatus.UNPROCESSABLE_ENTITY,
      "An account cannot follow itself",
      "The caller tried to follow its own account.",
      "Follow another account."),
  FOLLOW_CAP_REACHED(
      HttpStatus.UNPROCESSABLE_ENTITY,
      "The caller follows too many",
      "The caller follows the maximum number of accounts.",
      "Unfollow another account first."),
  KEPT_CAP_REACHED(
      HttpStatus.UNPROCESSABLE_ENTITY,
      "The caller keeps the posts of too many",
      "The caller has unfollowed the maximum number of accounts with `keep_history`.",
      "Unfollow without `keep_history`, or first follow and unfollow another of those accounts without it."),
  NOT_FOLLOWED(
      HttpStatus.UNPROCESSABLE_ENTITY,
      "The caller does not follow the account",
      "Only an account that is followed can be followed specially.",
      "Follow the account first: `POST /v1/users/{id}/follow`."),
  SPECIAL_CAP_REACHED(
      HttpStatus.UNPROCESSABLE_ENTITY,
      "The caller follows too many specially",
      "The caller follows the maximum number of accounts specially.",
      "End another special follow first: `DELETE /v1/users/{id}/special-follow`."),
  BLOCKED(
      HttpStatus.UNPROCESSABLE_ENTITY,
      "There is a block between the two",
      "The caller blocks the account to be followed, or is blocked by it.",
      "End the block, where it is the caller's: `DELETE /v1/users/{id}/block`."),
  SELF_BLOCK(
      HttpStatus.UNPROCESSABLE_ENTITY,
      "An account cannot block itself",
      "The caller tried to block the caller.",
      "Block another account."),
  SELF_MUTE(
      HttpStatus.UNPROCESSABLE_ENTITY,
      "An account cannot mute itself",
      "The caller tried to mute the caller.",
      "Mute another account."),
  BLOCK_CAP_REACHED(
      HttpStatus.UNPROCESSABLE_ENTITY,
      "The caller blocks too many",
      "The caller blocks the maximum number of accounts.",
      "End another block first."),
  MUTE_CAP_REACHED(
      HttpStatus.UNPROCESSABLE_ENTITY,
      "The caller mutes too many",
      "The caller mutes the maximum number of accounts.",
      "End another mute first."),
  MEDIA_QUOTA_REACHED(
      HttpStatus.UNPROCESSABLE_ENTITY,
      "The caller has too many files",
      "With this file the caller would have too many files or too many bytes, uploads in progress included.",
      "Delete other files first; their space is free a moment later."),
  MEDIA_MISMATCH(
      HttpStatus.UNPROCESSABLE_ENTITY,
      "The upload is not what was announced",
      "The size or the SHA-256 digest of the uploaded bytes differs from the announced one, or its content has another type.",
      "Upload the announced bytes again, or announce another upload."),
  MEDIA_REFUSED(
      HttpStatus.UNPROCESSABLE_ENTITY,
      "The file is not accepted",
      "The file is larger than a file may be, its image has too many pixels, more than 8 bits a channel or too many scans, or it is damaged.",
      "Announce another file."),
  MEDIA_NOT_USABLE(
      HttpStatus.UNPROCESSABLE_ENTITY,
      "A file cannot be shown",
      "A new post or the profile names a file that the caller does not have, whose upload is not completed, or that is shown elsewhere.",
      "Complete the upload first, or upload the file again."),
  WEBHOOK_LIMIT_REACHED(
      HttpStatus.UNPROCESSABLE_ENTITY,
      "There are too many webhooks",
      "The deployment has the maximum number of webhooks, disabled ones included.",
      "Delete another webhook first."),
  WEBHOOK_REFUSED(
      HttpStatus.UNPROCESSABLE_ENTITY,
      "The address cannot be a webhook",
      "The address is not an https address with a host and without a user and a fragment, or its host has no address or one that is not public.",
      "Use a public https address."),
  IDEMPOTENCY_KEY_REUSED(
      HttpStatus.UNPROCESSABLE_ENTITY,
      "The idempotency key was used for another request",
      "The caller sent another method, path or body with the same `Idempotency-Key` within a day.",
      "Send a new key with a new request."),
  RESPONSE_TOO_LARGE(
      HttpStatus.UNPROCESSABLE_ENTITY,
      "The response is too large for this deployment",
      "The API runs as a function, whose responses have at most 4 MiB, and the export has more.",
      "Ask the operator for the export: an API that runs as a service has no such limit."),
  RATE_LIMITED(
      HttpStatus.TOO_MANY_REQUESTS,
      "Too many requests",
      "The caller exceeds the request rate of one caller, where a change counts as ten requests, or already reads a page of posts older than the stored feed, or posts faster than its posts may be delivered, or writes private posts faster than an author may, or deletes or hides posts or removes followers faster than posts may be withdrawn, or unfollows accounts, or blocks followers or followed accounts, faster than their posts may be taken out of feeds, or completes an upload before its last one is complete, or has six searches in progress, or other webhooks are being tested, or this address sent too many requests without a valid token.",
      "Send it again after `Retry-After` seconds. `RateLimit` on every response contains how many more requests the caller may send at once, and nothing about deliveries, withdrawals, private posts, unfollows and blocks."),
  TOO_MANY_FOLLOWS(
      HttpStatus.TOO_MANY_REQUESTS,
      "Too many follows today",
      "The caller has reached the maximum number of follows in a UTC day.",
      "Follow again after `Retry-After` seconds."),
  TOO_MANY_UNFOLLOWS(
      HttpStatus.TOO_MANY_REQUESTS,
      "Too many unfollows today",
      "The caller has reached the maximum number of unfollows in a UTC day.",
      "Unfollow again after `Retry-After` seconds."),
  TOO_MANY_SECRETS(
      HttpStatus.TOO_MANY_REQUESTS,
      "The secret was replaced too often",
      "Four former secrets of the webhook still sign its calls, each for a day.",
      "Wait as long as `Retry-After` says, or create another webhook."),
  FOLLOWS_SLOWED_DOWN(
      HttpStatus.TOO_MANY_REQUESTS,
      "The caller is slowed down",
      "An operator allows the caller few follows and unfollows in a UTC day for some time, because they looked abnormal.",
      "Follow or unfollow again after `Retry-After` seconds."),
  FOLLOWED_TOO_RECENTLY(
      HttpStatus.TOO_MANY_REQUESTS,
      "The follow is too young",
      "An account can be unfollowed only some time after it was followed.",
      "Unfollow after `Retry-After` seconds."),
  TOO_MANY_STREAMS(
      HttpStatus.TOO_MANY_REQUESTS,
      "Too many streams",
      "The caller has the maximum number of streams open; a broken stream counts until the server detects it.",
      "Close another stream, or open it again after `Retry-After` seconds."),
  TOO_MANY_EXPORTS(
      HttpStatus.TOO_MANY_REQUESTS,
      "Too many exports",
      "An export of the caller is in progress or ended a short time ago; each export reads all rows of the account.",
      "Export again after `Retry-After` seconds."),
  HEADERS_TOO_LARGE(
      HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
      "The headers are too large",
      "The headers have more than 8 KiB.",
      "Send fewer or shorter headers."),
  INTERNAL_ERROR(
      HttpStatus.INTERNAL_SERVER_ERROR,
      "The server failed",
      "A defect. The log has the same `instance`.",
      "Report the `instance`."),
  IDENTITY_UNAVAILABLE(
      HttpStatus.SERVICE_UNAVAILABLE,
      "The issuer of tokens does not answer",
      "The keys that verify tokens cannot be read.",
      "Send the same request again after `Retry-After` seconds."),
  TABLE_BUSY(
      HttpStatus.SERVICE_UNAVAILABLE,
      "The table is busy",
      "The table throttled the request, a conflict outlasted the retries, the table did not answer, or the process reads too many pages of posts older than the stored feeds.",
      "Send the same request again after `Retry-After` seconds."),
  SEARCH_UNAVAILABLE(
      HttpStatus.SERVICE_UNAVAILABLE,
      "The search has no result",
      "The search took too long, because very many posts have its words, or the search index does not answer.",
      "Search for more or rarer words, or send the same request again after `Retry-After` seconds."),
  EXPORT_BUSY(
      HttpStatus.SERVICE_UNAVAILABLE,
      "Other exports are in progress",
      "The maximum number of concurrent exports is reached, since each export reads all rows of an account.",
      "Send the same request again after `Retry-After` seconds."),
  MEDIA_BUSY(
      HttpStatus.SERVICE_UNAVAILABLE,
      "Other uploads are in progress",
      "As many uploads wait to be completed as may, since each image takes memory, the store of files does not answer, or the image took too long to decode.",
      "Send the same request again after `Retry-After` seconds."),
  STREAMS_EXHAUSTED(
      HttpStatus.SERVICE_UNAVAILABLE,
      "The server has no stream left",
      "The server has the maximum number of streams open, or is about to stop.",
      "Open the stream again after `Retry-After` seconds, with the last event's id.");

  private final HttpStatus status;
  private final String title;
  private final String cause;
  private final String remedy;

  ProblemCode(HttpStatus status, String title, String cause, String remedy) {
    this.status = status;
    this.title = title;
    this.cause = cause;
    this.remedy = remedy;
  }

  /** The {@code code} member, e.g. {@code invalid_cursor}. */
  public String code() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The status of every answer with this code. */
  public HttpStatus status() {
    return status;
  }

  /** The same for every occurrence, as RFC 9457 requires. */
  public String title() {
    return title;
  }

  /** The cause, in one line. */
  public String cause() {
    return cause;
  }

  /** The remedy, in one line. */
  public String remedy() {
    return remedy;
  }

  /** The {@code type} member: an identifier, not an address. */
  String type() {
    return "urn:feed:problem:" + code();
  }

  /**
   * Returns the first code of a status, for errors that the framework raises with a status only.
   */
  static Optional<ProblemCode> of(HttpStatus status) {
    for (ProblemCode code : values()) {
      if (code.status == status) {
        return Optional.of(code);
      }
    }
    return Optional.empty();
  }
}
