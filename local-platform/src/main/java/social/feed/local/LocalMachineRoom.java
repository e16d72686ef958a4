package social.feed.local;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import social.feed.engine.LocalQueue;
import social.feed.engine.eventsource.EventSource;
import social.feed.local.dlq.DeadLetterPage;
import social.feed.local.dlq.DeadLetterQueue;
import social.feed.local.dlq.LeasedDeadLetter;
import social.feed.local.dlq.LeasedMessages;
import social.feed.local.page.MachineRoom;
import social.feed.local.page.VerifyRun;
import social.feed.local.page.Xray;
import social.feed.streams.RedriveOutcome;
import social.feed.streams.plan.Lane;
import social.feed.streams.sink.SinkMessage;
import social.feed.streams.sink.SqsSinkQueue;

/** The machine room of this process. It is created before the parts that it shows. */
final class LocalMachineRoom implements MachineRoom {
  private static final int MOST = 100;
  private static final Duration HIDDEN = Duration.ofSeconds(30);

  private final CompletableFuture<Parts> parts = new CompletableFuture<>();
  private final VerifyRun verification = new VerifyRun();
  private final LocalStreamControl control;
  private final Xray xray;

  private record Parts(
      EventSource stream, LocalMultiplexer multiplexer, LocalQueue queue, Queues urls) {}

  LocalMachineRoom(LocalStreamControl control, Xray xray) {
    this.control = control;
    this.xray = xray;
  }

  void attach(EventSource stream, LocalMultiplexer multiplexer, LocalQueue queue, Queues urls) {
    parts.complete(new Parts(stream, multiplexer, queue, urls));
  }

  @Override
  public List<LaneStatus> lanes() {
    boolean isHeld = control.isHeld();
    return parts.join().stream.status().stream()
        .map(
            status -> {
              var lane = Lane.valueOf(status.mapping().toUpperCase(Locale.ROOT));
              return new LaneStatus(
                  status.mapping(),
                  status.idle(),
                  isHeld,
                  xray.isOn() ? xray.lagMillis(lane) : null,
                  xray.isOn() ? xray.unhandled(lane) : null,
                  status.recordsHandled(),
                  status.failedInvocations(),
                  status.recordsGivenUp(),
                  status.lastError().orElse(null));
            })
        .toList();
  }

  @Override
  public VerifyRun verification() {
    return verification;
  }

  @Override
  public List<DeadLetterStatus> deadLetters() {
    return withQueue(
        leased ->
            leased.deadLetters().stream()
                .map(
                    each ->
                        new DeadLetterStatus(
                            each.id(),
                            each.handler(),
                            each.subject(),
                            each.reason(),
                            each.sentAt().toString(),
                            DeadLetterPage.of(each)))
                .toList());
  }

  @Override
  public Optional<String> redrive(String id) {
    return withQueue(leased -> find(leased, id).map(found -> redriven(leased, found)));
  }

  private String redriven(LeasedMessages leased, LeasedDeadLetter found) {
    var outcome =
        found
            .deadLetter()
            .map(parts.join().multiplexer.redrive()::apply)
            .or(() -> found.unpublished().map(this::publishedAgain));
    if (outcome.isEmpty()) {
      return "It cannot be read: " + found.problem();
    }
    return switch (outcome.get()) {
      case RedriveOutcome.Applied(var effects) -> {
        leased.delete(found);
        yield effects.isEmpty() ? "It has no effects." : "Applied: " + String.join(", ", effects);
      }
      case RedriveOutcome.AppliedBefore() -> {
        leased.delete(found);
        yield "It was applied before.";
      }
      case RedriveOutcome.Failed(var reason) -> "Kept, because it failed again: " + reason;
    };
  }

  private RedriveOutcome publishedAgain(SinkMessage unpublished) {
    var all = parts.join();
    if (all.urls.sinks().isEmpty()) {
      return new RedriveOutcome.Failed("this platform has no sinks");
    }
    try (var client = all.queue.newClient()) {
      var queue = new SqsSinkQueue(client, all.urls.sinks().get().toString());
      return LocalRedrive.publishAgain(unpublished, queue);
    }
  }

  @Override
  public Optional<String> drop(String id) {
    return withQueue(
        leased ->
            find(leased, id)
                .map(
                    found -> {
                      leased.delete(found);
                      return "Dropped.";
                    }));
  }

  private static Optional<LeasedDeadLetter> find(LeasedMessages leased, String id) {
    return leased.deadLetters().stream().filter(each -> each.id().equals(id)).findFirst();
  }

  /** Messages cannot be read without a receive, which hides them from others for the moment. */
  private synchronized <T> T withQueue(Function<LeasedMessages, T> use) {
    var all = parts.join();
    try (var queue =
            new DeadLetterQueue(
                all.queue.newClient(), all.urls.deadLetters().toString(), MOST, Duration.ZERO);
        var leased = queue.receive(HIDDEN)) {
      return use.apply(leased);
    }
  }
}
