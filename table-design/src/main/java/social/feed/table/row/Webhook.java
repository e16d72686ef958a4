package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An address that is called with events: {@code WEBHOOK#<id> / META}. It belongs to the deployment
 * and names no account. The secrets are stored as they are, because calls are signed with them.
 *
 * @param webhookId the webhook
 * @param url the address
 * @param eventTypes the types of events that it gets; empty for all public ones
 * @param description what it is for; absent when never given
 * @param isEnabled whether it is called
 * @param secret signs its calls: {@code whsec_} and Base64
 * @param formerSecret signs its calls too, until {@code formerUntil}; absent when never replaced
 * @param formerUntil the end of the former secret
 * @param olderSecrets those that were replaced before it and signed then, the newest first; absent
 *     without any
 * @param createdAt when it was created
 * @param version grows by one with each change, from 1
 */
@StoredAs(RowKind.WEBHOOK)
public record Webhook(
    String webhookId,
    String url,
    List<String> eventTypes,
    @Nullable String description,
    boolean isEnabled,
    String secret,
    @Nullable String formerSecret,
    @Nullable Instant formerUntil,
    @Nullable List<FormerSecret> olderSecrets,
    Instant createdAt,
    long version)
    implements Row {
  public static final String VERSION = "version";

  /** The most former secrets that sign at once: each adds a signature to each call. */
  public static final int FORMER_MAX = 4;

  /** Returns a new webhook, whose secret was never replaced. */
  public static Webhook of(
      String webhookId,
      String url,
      List<String> eventTypes,
      @Nullable String description,
      boolean isEnabled,
      String secret,
      Instant createdAt) {
    return new Webhook(
        webhookId, url, eventTypes, description, isEnabled, secret, null, null, null, createdAt, 1);
  }

  public static Key key(String webhookId) {
    return new Key(Keys.webhook(webhookId), Keys.META);
  }

  /** Returns the former secrets that still sign a call, the last one first. */
  public List<FormerSecret> formerSecrets(Instant now) {
    var last =
        formerSecret == null || formerUntil == null
            ? Stream.<FormerSecret>empty()
            : Stream.of(new FormerSecret(formerSecret, formerUntil));
    var older = Stream.ofNullable(olderSecrets).flatMap(List::stream);
    return Stream.concat(last, older).filter(former -> now.isBefore(former.until())).toList();
  }

  /** Returns the secrets that sign a call, the present one first. */
  public List<String> secrets(Instant now) {
    return Stream.concat(Stream.of(secret), formerSecrets(now).stream().map(FormerSecret::secret))
        .toList();
  }

  /**
   * Returns the webhook with another secret. Each former one signs until its own time.
   *
   * @param until the end of the present secret
   */
  public Webhook withSecret(String next, Instant now, Instant until) {
    var former = formerSecrets(now);
    return new Webhook(
        webhookId,
        url,
        eventTypes,
        description,
        isEnabled,
        next,
        secret,
        until,
        former.isEmpty() ? null : former,
        createdAt,
        version);
  }

  /** Returns the webhook with other settings, in the same version. */
  public Webhook with(
      String newUrl, List<String> newTypes, @Nullable String newDescription, boolean nowEnabled) {
    return new Webhook(
        webhookId,
        newUrl,
        newTypes,
        newDescription,
        nowEnabled,
        secret,
        formerSecret,
        formerUntil,
        olderSecrets,
        createdAt,
        version);
  }

  /** Returns the webhook in the version after another one. */
  public Webhook after(long before) {
    return new Webhook(
        webhookId,
        url,
        eventTypes,
        description,
        isEnabled,
        secret,
        formerSecret,
        formerUntil,
        olderSecrets,
        createdAt,
        before + 1);
  }

  @Override
  public Key key() {
    return key(webhookId);
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.of();
  }

  @Override
  public List<Key> parents() {
    return List.of(WebhookRegistry.KEY);
  }

  /** Omits the secrets, since the text may be logged. */
  @Override
  public String toString() {
    return "Webhook[" + webhookId + ", version " + version + "]";
  }
}
