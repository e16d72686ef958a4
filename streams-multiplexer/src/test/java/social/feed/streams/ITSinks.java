package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.engine.LocalQueue;
import social.feed.engine.eventsource.StreamTail;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.event.EventContent;
import social.feed.streams.plan.Lane;
import social.feed.streams.plan.Plan;
import social.feed.streams.sink.EventOutbox;
import social.feed.streams.sink.Publisher;
import social.feed.streams.sink.SinkConsumer;
import social.feed.streams.sink.SinkLoop;
import social.feed.streams.sink.SinkMessage;
import social.feed.streams.sink.SqsSinkDeadLetters;
import social.feed.streams.sink.SqsSinkQueue;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.erasure.Erasures;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.media.MediaStore;
import social.feed.table.row.Suspect;
import social.feed.table.row.SuspicionFinding;
import social.feed.table.row.SuspicionReason;
import social.feed.table.row.Visibility;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.Polling;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;

/** Events from the table's stream through a real queue to publishers. */
class ITSinks {
  private static final String GOOD = "good";
  private static final String BAD = "bad";

  /** The calls of a sink that the loop makes at once. */
  private static final int SINK_CALLS_AT_ONCE = 4;

  /** How long notifications are kept. */
  private static final Duration KEPT = Duration.ofDays(90);

  private final TestTable table = TestTable.start();
  private final SeedWorld world = new SeedWorld(table.table(), table.clock());
  private final LocalQueue queues = LocalQueue.start();
  private final SqsClient client = queues.newClient();
  private final String sinks = queues.createQueue("sinks").toString();
  private final String deadLetters = queues.createQueue("dead").toString();
  private final DynamoDbStreamsClient streams = table.newStreamsClient();
  private final List<DomainEvent> published = new CopyOnWriteArrayList<>();
  private final AtomicInteger tries = new AtomicInteger();
  private final AtomicBoolean isBroken = new AtomicBoolean(true);
  private volatile Runnable during = () -> {};
  private StreamTail tail;
  private SqsSinkQueue queue;

  @BeforeEach
  void follow() {
    var arn = table.client().describeTable(t -> t.tableName(table.table().name())).table();
    tail = new StreamTail(streams, arn.latestStreamArn());
    queue = new SqsSinkQueue(client, sinks);
  }

  @AfterEach
  void stop() {
    streams.close();
    client.close();
    queues.close();
    table.close();
  }

  @Test
  void changes_arePublishedWithWhatIsPublic() {
    var ann = world.user("ann");
    var bob = world.user("bob");
    bob.follows(ann);
    var post = ann.posts("Hello #sea");
    bob.likes(post);
    bob.comments(post, "Hi");
    bob.unlikes(post);
    ann.posts("for friends", Visibility.FOLLOWERS);
    ann.posts("for me", Visibility.PRIVATE);
    bob.unfollows(ann);
    deliver(List.of(GOOD));

    try (var _ = SinkLoop.start(queue, consumer(), unpublished())) {
      Polling.until(() -> published.size() >= 8);
    }

    // Notifications are written by effects, whose records have not been delivered yet.
    assertThat(published.stream().map(event -> event.type().eventName()).sorted())
        .containsExactly(
            "account.registered",
            "account.registered",
            "comment.created",
            "follow.created",
            "follow.deleted",
            "like.created",
            "like.deleted",
            "post.created");
    assertThat(only(EventType.POST_CREATED).data())
        .containsEntry("text", "Hello #sea")
        .containsEntry("tags", List.of("sea"));
    assertThat(only(EventType.COMMENT_CREATED).data()).containsEntry("text", "Hi");
    assertThat(only(EventType.LIKE_DELETED).version())
        .isGreaterThan(only(EventType.LIKE_CREATED).version());
    assertThat(only(EventType.LIKE_CREATED).actor()).isEqualTo(bob.id());
    assertThat(waiting(sinks)).isZero();
    assertThat(waiting(deadLetters)).isZero();
  }

  /** Of a message that finds no place the queue would have to give another copy, much later. */
  @Test
  void burstOfMessages_isReceivedOnce() {
    var received = new AtomicInteger();
    world.user("ann");
    deliver(List.of(GOOD));
    var event = SinkMessage.read(receive(sinks).getFirst().body()).event();
    var burst = SinkLoop.TAKEN;
    queue.send(messages(GOOD, burst, event), Duration.ZERO);
    var isFull = new CountDownLatch(1);
    during = () -> await(isFull);

    try (var _ =
        SinkLoop.start(new SqsSinkQueue(counting(received), sinks), consumer(), unpublished())) {
      Polling.until(() -> received.get() >= burst);
      isFull.countDown();
      Polling.until(() -> published.size() >= burst);
    }

    assertThat(received).hasValue(burst);
    assertThat(waiting(sinks)).isZero();
  }

  /** Returns the client, which counts the messages that it receives. */
  private SqsClient counting(AtomicInteger received) {
    return (SqsClient)
        Proxy.newProxyInstance(
            SqsClient.class.getClassLoader(),
            new Class<?>[] {SqsClient.class},
            (_, method, arguments) -> {
              var response = method.invoke(client, arguments);
              if (response instanceof ReceiveMessageResponse messages) {
                received.addAndGet(messages.messages().size());
              }
              return response;
            });
  }

  /** Each sink that hangs has more messages than the loop takes, and comes before the good one. */
  @Test
  void sinksThatHang_doNotDelayAnother() throws InterruptedException {
    var isOver = new CountDownLatch(1);
    var good = new CountDownLatch(3);
    var calls = new ConcurrentHashMap<String, AtomicInteger>();
    world.user("ann");
    deliver(List.of(GOOD));
    var event = SinkMessage.read(receive(sinks).getFirst().body()).event();
    var hanging = List.of("hangs-1", "hangs-2", "hangs-3", "hangs-4", "hangs-5");
    for (var sink : hanging) {
      queue.send(messages(sink, SinkLoop.TAKEN + 20, event), Duration.ZERO);
    }
    queue.send(messages(GOOD, 3, event), Duration.ZERO);
    var consumer =
        new SinkConsumer(
            sink ->
                Optional.of(
                    _ -> {
                      calls.computeIfAbsent(sink, _ -> new AtomicInteger()).incrementAndGet();
                      if (sink.equals(GOOD)) {
                        good.countDown();
                      } else {
                        await(isOver);
                      }
                    }),
            _ -> List.of(),
            new EventContent(table.table(), table.clock()),
            queue,
            unpublished(),
            table.clock());

    try (var _ = SinkLoop.start(queue, consumer, unpublished())) {
      try {
        assertThat(good.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(hanging)
            .allSatisfy(sink -> assertThat(calls.get(sink)).hasValueBetween(1, SINK_CALLS_AT_ONCE));
      } finally {
        isOver.countDown();
      }
    }
  }

  private List<SinkMessage> messages(String sink, int number, DomainEvent event) {
    var now = table.clock().instant();
    return Collections.nCopies(number, new SinkMessage(sink, 0, now, event));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void notifications_arePublishedWithoutThoseOfHiddenPosts() {
    var ann = world.user("ann");
    var bob = world.user("bob");
    bob.follows(ann);
    bob.likes(ann.posts("for all"));
    bob.likes(ann.posts("for friends", Visibility.FOLLOWERS));
    deliver(List.of());
    deliver(List.of(GOOD));

    publishAll();

    assertThat(published.stream().filter(e -> e.type() == EventType.NOTIFICATION_CREATED))
        .extracting(event -> event.data().get("kind"))
        .containsExactlyInAnyOrder("follow", "like");
  }

  @Test
  void postMadePrivateOrDeletedMeanwhile_isPublishedWithoutItsText() {
    var ann = world.user("ann");
    var hidden = ann.posts("soon hidden");
    var deleted = ann.posts("soon deleted");
    ann.comments(hidden, "never shown");
    deliver(List.of(GOOD));
    world.posts.changeVisibility(hidden.postId(), ann.id(), Visibility.PRIVATE);
    ann.deletes(deleted);
    deliver(List.of(GOOD));

    publishAll();

    assertThat(published)
        .extracting(DomainEvent::type)
        .contains(EventType.POST_CREATED, EventType.POST_VISIBILITY_CHANGED, EventType.POST_DELETED)
        .doesNotContain(EventType.COMMENT_CREATED);
    assertThat(published).noneMatch(event -> event.data().containsKey("text"));
  }

  /** An erasure removes the profile first, and posts and comments over hours. */
  @Test
  void accountErasedMeanwhile_isPublishedWithNoTextLikeOrComment() {
    var ann = world.user("ann");
    var bob = world.user("bob");
    var cid = world.user("cid");
    var erased = ann.posts("of an erased account");
    var post = bob.posts("stays");
    ann.comments(post, "of an erased account");
    ann.likes(post);
    cid.comments(erased, "under a post of an erased account");
    cid.likes(erased);
    cid.comments(post, "stays too");
    deliver(List.of(GOOD));
    erase(ann);

    publishAll();

    assertThat(published.stream().flatMap(e -> Stream.ofNullable(e.data().get("text"))))
        .containsExactlyInAnyOrder("stays", "stays too");
    assertThat(published)
        .extracting(DomainEvent::type)
        .contains(EventType.POST_CREATED)
        .doesNotContain(EventType.LIKE_CREATED);
    assertThat(published).filteredOn(e -> e.data().containsKey("handle")).hasSize(2);
  }

  private void erase(SeedWorld.Person person) {
    new Erasures(table.table(), world.users).begin(person.id(), Timestamps.now(table.clock()));
  }

  /** What hides a notification between its event and the call of a sink. */
  private enum Hiding {
    BLOCK,
    BLOCK_BY_THE_ACTOR,
    MUTE,
    UNLIKE,
    ERASED_ACTOR,
    ERASED_RECIPIENT,
    EXPIRY
  }

  @ParameterizedTest
  @EnumSource
  void notificationHiddenMeanwhile_isNotPublished(Hiding hiding) {
    var ann = world.user("ann");
    var bob = world.user("bob");
    var cid = world.user("cid");
    var post = ann.posts("for all");
    bob.likes(post);
    if (hiding != Hiding.ERASED_RECIPIENT && hiding != Hiding.EXPIRY) {
      cid.likes(post);
    }
    deliver(List.of());
    deliver(List.of(GOOD));
    switch (hiding) {
      case BLOCK -> ann.blocks(bob);
      case BLOCK_BY_THE_ACTOR -> bob.blocks(ann);
      case MUTE -> ann.mutes(bob);
      case UNLIKE -> {
        bob.unlikes(post);
        deliver(List.of());
      }
      case ERASED_ACTOR -> erase(bob);
      case ERASED_RECIPIENT -> erase(ann);
      case EXPIRY -> table.clock().advance(KEPT.plusDays(1));
    }

    publishAll();

    var expected =
        hiding == Hiding.ERASED_RECIPIENT || hiding == Hiding.EXPIRY
            ? List.<String>of()
            : List.of(cid.id());
    assertThat(published.stream().filter(e -> e.type() == EventType.NOTIFICATION_CREATED))
        .extracting(DomainEvent::actor)
        .containsExactlyElementsOf(expected);
  }

  private Suspect suspect(SeedWorld.Person person) {
    var finding = SuspicionFinding.of(SuspicionReason.FOLLOW_BURST, 400, 200);
    var day = table.clock().instant().truncatedTo(ChronoUnit.DAYS);
    return Suspect.of(new Suspect.Evidence(person.id(), 1, day, List.of(finding)));
  }

  @Test
  void suspicionOfAnErasedAccount_isNotPublished() {
    var ann = world.user("ann");
    var bob = world.user("bob");
    Stream.of(ann, bob).forEach(person -> table.table().putAll(List.of(suspect(person))));
    deliver(List.of(GOOD));
    erase(ann);

    publishAll();

    assertThat(only(EventType.ACCOUNT_SUSPICIOUS).actor()).isEqualTo(bob.id());
  }

  @Test
  void sinkThatFails_delaysNeitherTheLaneNorOtherSinks() {
    var ann = world.user("ann");
    ann.posts("one");
    ann.posts("two");

    deliver(List.of(BAD, GOOD));
    publishAll();

    assertThat(published).hasSize(3);
    // It rests after its first failure.
    assertThat(tries).hasValue(1);
    isBroken.set(false);
    table.clock().advance(Duration.ofMinutes(1));
    table.clock().advance(Duration.ofMinutes(1));
    Polling.until(
        () -> {
          publishAll();
          return published.size() == 6;
        });
    assertThat(published.stream().map(DomainEvent::id).distinct()).hasSize(3);
  }

  @Test
  void sinkThatFailsForADay_leavesDeadLettersThatCanBeRedriven() {
    var ann = world.user("ann");
    deliver(List.of(BAD));
    table.clock().advance(SinkMessage.PATIENCE.plusMinutes(1));

    publishAll();

    assertThat(published).isEmpty();
    var dead = receive(deadLetters);
    assertThat(dead).hasSize(1);
    assertThat(SqsSinkDeadLetters.reason(dead.getFirst())).contains("The broker is down");
    var message = SqsSinkDeadLetters.read(dead.getFirst()).orElseThrow();
    isBroken.set(false);
    queue.send(List.of(message.again(table.clock().instant())), Duration.ZERO);
    table.clock().advance(Duration.ofMinutes(2));
    publishAll();
    assertThat(published)
        .singleElement()
        .satisfies(event -> assertThat(event.entity()).isEqualTo("account:" + ann.id()));
  }

  private SqsSinkDeadLetters unpublished() {
    return new SqsSinkDeadLetters(client, deadLetters);
  }

  /** After a downgrade a message may have a type that this version does not know. */
  @Test
  void messageThatCannotBeRead_isADeadLetterAsItWas() {
    world.user("ann");
    deliver(List.of(GOOD));
    var body = receive(sinks).getFirst().body();
    var later = body.replace(EventType.ACCOUNT_REGISTERED.eventName(), "account.renamed");
    for (var sent : List.of(later, body)) {
      client.sendMessage(m -> m.queueUrl(sinks).messageBody(sent));
    }

    try (var _ = SinkLoop.start(queue, consumer(), unpublished())) {
      Polling.until(() -> published.size() == 1 && waiting(sinks) == 0);
    }

    assertThat(receive(deadLetters)).extracting(Message::body).containsExactly(later);
  }

  /** A queue on AWS moves by itself what was received too often. */
  @Test
  void messageThatTheQueueMoved_canBeRedriven() {
    world.user("ann");
    deliver(List.of(BAD));
    var moved = receive(sinks).getFirst();

    assertThat(SqsSinkDeadLetters.read(moved)).contains(SinkMessage.read(moved.body()));
    assertThat(SqsSinkDeadLetters.reason(moved)).contains("too often");
    var other = Message.builder().body("{\"keys\": {}}").build();
    assertThat(SqsSinkDeadLetters.read(other)).isEmpty();
  }

  /** Each time that a message returns costs requests of the queue, however many wait with it. */
  @Test
  void messagesOfASinkThatFailsForADay_returnAHundredTimesEachAtMost() {
    var clock = table.clock();
    var waiting = new PriorityQueue<Waiting>(Comparator.comparing(Waiting::due));
    var dead = new ArrayList<SinkMessage>();
    var consumer =
        new SinkConsumer(
            _ -> Optional.of(this::publishBadly),
            _ -> List.of(),
            new EventContent(table.table(), table.clock()),
            (messages, delay) ->
                messages.forEach(
                    message -> waiting.add(new Waiting(message, clock.instant().plus(delay)))),
            (message, _) -> dead.add(message),
            clock);
    world.user("ann");
    deliver(List.of(BAD));
    var event = SinkMessage.read(receive(sinks).getFirst().body()).again(clock.instant());
    int messages = 20;
    for (int i = 0; i < messages; i++) {
      waiting.add(new Waiting(event, clock.instant()));
    }

    int received = 0;
    while (!waiting.isEmpty()) {
      var next = waiting.poll();
      if (next.due().isAfter(clock.instant())) {
        clock.advance(Duration.between(clock.instant(), next.due()));
      }
      consumer.handle(next.message());
      received++;
    }

    assertThat(dead).hasSize(messages);
    assertThat(received).isBetween(messages * 96, messages * 110);
  }

  private record Waiting(SinkMessage message, Instant due) {}

  /** A sink that hangs would otherwise have as many calls after its rest as it has messages. */
  @Test
  void sinkThatHangs_hasOneCallAfterEachRest() throws InterruptedException {
    world.user("ann");
    deliver(List.of(BAD));
    var event = SinkMessage.read(receive(sinks).getFirst().body()).event();
    var message = messages(BAD, 1, event).getFirst();
    consumer.handle(message);
    table.clock().advance(Duration.ofMinutes(1));
    var isCalled = new CountDownLatch(1);
    var isOver = new CountDownLatch(1);
    during =
        () -> {
          if (isCalled.getCount() > 0) {
            isCalled.countDown();
            await(isOver);
          }
        };
    var hanging = Thread.ofVirtual().start(() -> consumer.handle(message));
    isCalled.await();

    for (int i = 0; i < 50; i++) {
      consumer.handle(message);
    }

    assertThat(tries).as("the first one, and the trial").hasValue(2);
    isOver.countDown();
    hanging.join();
    assertThat(waiting(sinks)).isEqualTo(52);
    assertThat(waiting(deadLetters)).isZero();
    // A trial that never ended, as its table was away, does not end the sink.
    during = () -> {};
    isBroken.set(false);
    table.clock().advance(Duration.ofMinutes(1));
    consumer.handle(message);
    assertThat(published).hasSize(1);
    consumer.handle(message);
    assertThat(published).as("all of them again").hasSize(2);
  }

  /** A trial that calls nothing says nothing about the sink. */
  @Test
  void trialOfAnEventThatIsNoLongerPublished_isLeftToTheNextOne() {
    var ann = world.user("ann");
    var deleted = ann.posts("soon deleted");
    ann.likes(deleted);
    deliver(List.of(BAD));
    var messages = receive(sinks).stream().map(it -> SinkMessage.read(it.body())).toList();
    var account = of(messages, EventType.ACCOUNT_REGISTERED);
    consumer.handle(account);
    ann.deletes(deleted);
    isBroken.set(false);
    table.clock().advance(Duration.ofMinutes(1));

    consumer.handle(of(messages, EventType.LIKE_CREATED));
    assertThat(tries).as("that of the failure").hasValue(1);
    consumer.handle(account);

    assertThat(published)
        .extracting(DomainEvent::type)
        .containsExactly(EventType.ACCOUNT_REGISTERED);
  }

  private static SinkMessage of(List<SinkMessage> messages, EventType type) {
    return messages.stream().filter(it -> it.event().type() == type).findFirst().orElseThrow();
  }

  /** An operator who disables a webhook for an hour loses nothing that waits for it. */
  @Test
  void sinkThatIsPaused_keepsItsMessagesForADay() {
    world.user("ann");
    deliver(List.of(GOOD));
    var message = SinkMessage.read(receive(sinks).getFirst().body());
    var isPaused = new AtomicBoolean(true);
    var calls = new ArrayList<DomainEvent>();
    var sent = new ArrayList<SinkMessage>();
    var dead = new ArrayList<String>();
    var pausing =
        new SinkConsumer(
            _ -> Optional.of(pausable(calls, isPaused)),
            _ -> List.of(),
            new EventContent(table.table(), table.clock()),
            (messages, _) -> sent.addAll(messages),
            (_, reason) -> dead.add(reason),
            table.clock());

    pausing.handle(message);
    assertThat(sent)
        .singleElement()
        .satisfies(it -> assertThat(it.since()).isEqualTo(message.since()));
    isPaused.set(false);
    pausing.handle(sent.getFirst());
    assertThat(calls).as("it did not rest").hasSize(1);

    isPaused.set(true);
    table.clock().advance(SinkMessage.PATIENCE.plusMinutes(1));
    pausing.handle(sent.getFirst());
    assertThat(dead).containsExactly("The sink was disabled for a day");
    assertThat(calls).hasSize(1);
    assertThat(sent).hasSize(1);
  }

  private static Publisher pausable(List<DomainEvent> calls, AtomicBoolean isPaused) {
    return new Publisher() {
      @Override
      public void publish(DomainEvent event) {
        calls.add(event);
      }

      @Override
      public boolean isPaused() {
        return isPaused.get();
      }
    };
  }

  /** What applies a record again does not know the sinks of the platform. */
  @Test
  void messageToEverySink_isPublishedInThoseThatWantIt() {
    isBroken.set(false);
    world.user("ann");
    deliver(List.of(SinkMessage.EVERY));
    assertThat(waiting(sinks)).isEqualTo(1);

    publishAll();

    assertThat(published).hasSize(2);
    assertThat(published.stream().map(DomainEvent::id).distinct()).hasSize(1);
    assertThat(tries).hasValue(1);
  }

  @Test
  void withoutASink_nothingIsWritten() {
    world.user("ann").posts("Hello");
    deliver(List.of());
    assertThat(waiting(sinks)).isZero();
  }

  @Test
  void sinkThatIsNoLongerConfigured_getsNothing() {
    world.user("ann");
    deliver(List.of("gone"));
    publishAll();
    assertThat(waiting(sinks)).isZero();
    assertThat(waiting(deadLetters)).isZero();
  }

  private void deliver(List<String> to) {
    var plan = new Plan(KEPT).withEvents();
    var multiplexer =
        new Multiplexer(
            table.table(),
            plan,
            new EffectHandlers(
                table.table(),
                table.clock(),
                20,
                BatchSizes.STANDARD,
                ErasureSweeps.Settings.unpaced(),
                _ -> {},
                MediaStore.NONE,
                new EventOutbox(queue, _ -> to, table.clock())),
            new CelebrityRule(1_000),
            deadLetter -> {
              throw new AssertionError(deadLetter.reason());
            },
            table.clock());
    var event = new DynamodbTimeWindowEvent();
    event.setRecords(
        tail.read().stream()
            .map(StreamTail.Tailed::record)
            .filter(record -> LaneFilter.acceptsWithEvents(Lane.EFFECTS, record))
            .toList());
    assertThat(multiplexer.handle(Lane.EFFECTS, event).getBatchItemFailures()).isEmpty();
  }

  private final SinkConsumer consumer =
      new SinkConsumer(
          sink ->
              Optional.ofNullable(
                  Map.<String, Publisher>of(GOOD, published::add, BAD, this::publishBadly)
                      .get(sink)),
          _ -> List.of(GOOD, BAD),
          new EventContent(table.table(), table.clock()),
          (messages, delay) -> queue.send(messages, delay),
          unpublished(),
          table.clock());

  private SinkConsumer consumer() {
    return consumer;
  }

  private void publishBadly(DomainEvent event) {
    tries.incrementAndGet();
    during.run();
    if (isBroken.get()) {
      throw new IllegalStateException("The broker is down");
    }
    published.add(event);
  }

  /** Publishes what can be received now. */
  private void publishAll() {
    var received = receive(sinks);
    while (!received.isEmpty()) {
      received.forEach(message -> consumer.handle(SinkMessage.read(message.body())));
      received = receive(sinks);
    }
  }

  private List<Message> receive(String from) {
    var received =
        client
            .receiveMessage(
                r -> r.queueUrl(from).maxNumberOfMessages(10).messageAttributeNames("All"))
            .messages();
    received.forEach(
        message ->
            client.deleteMessage(d -> d.queueUrl(from).receiptHandle(message.receiptHandle())));
    return received;
  }

  /** The number of messages of a queue, also of those that are delayed or hidden. */
  private long waiting(String at) {
    var names =
        List.of(
            QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
            QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED,
            QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE);
    return client
        .getQueueAttributes(g -> g.queueUrl(at).attributeNames(names))
        .attributes()
        .values()
        .stream()
        .mapToLong(Long::parseLong)
        .sum();
  }

  private DomainEvent only(EventType type) {
    var events = published.stream().filter(event -> event.type() == type).toList();
    assertThat(events).hasSize(1);
    return events.getFirst();
  }
}
