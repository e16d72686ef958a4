package social.feed.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import social.feed.event.EventType;
import social.feed.event.webhook.WebhookSecret;
import social.feed.simulation.UnsteadyReceivers.Call;

/** A webhook, as its operator knows it. */
final class KnownWebhook {
  /** Between the time that is signed and the call. */
  private static final Duration DELAY = Duration.ofSeconds(2);

  final String id;
  final List<EventType> types;
  final List<Signing> secrets = new ArrayList<>();

  /** Whether it was enabled, from a time on. */
  final TreeMap<Instant, Boolean> enabled = new TreeMap<>();

  boolean isEnabled = true;
  Instant deletedAt = Instant.MAX;

  /** The version of its row of deliveries, and when the present process wrote it. */
  long version;

  final List<Instant> writes = new ArrayList<>();

  /** A secret of a webhook, and the time in which it signs. */
  record Signing(WebhookSecret secret, Instant from, Instant until) {}

  KnownWebhook(String id, List<EventType> types) {
    this.id = id;
    this.types = types;
  }

  boolean exists() {
    return deletedAt.equals(Instant.MAX);
  }

  boolean isEnabledAllTheTime(Instant from, Instant to) {
    var before = enabled.floorEntry(from);
    return before != null
        && before.getValue()
        && !enabled.subMap(from, false, to, true).containsValue(false);
  }

  /**
   * Whether each secret of the moment has signed a call, and no other one has.
   *
   * @param stale how old the webhook of the caller may be
   */
  boolean hasSigned(Call call, Duration stale) {
    var time = Instant.ofEpochSecond(Long.parseLong(call.timestamp()));
    boolean isRight = Duration.between(time, call.at()).abs().compareTo(DELAY) < 0;
    for (var one : secrets) {
      boolean hasSigned = one.secret().hasSigned(call.id(), time, call.body(), call.signatures());
      boolean mustSign =
          !one.from().isAfter(call.at().minus(stale)) && one.until().isAfter(call.at());
      boolean mayNotSign = !one.until().isAfter(call.at().minus(stale));
      isRight &= hasSigned ? !mayNotSign : !mustSign;
    }
    return isRight;
  }
}
