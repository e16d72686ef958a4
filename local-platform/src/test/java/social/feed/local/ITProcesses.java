package social.feed.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import social.feed.engine.eventsource.Checkpoints;
import social.feed.engine.eventsource.EventSourceSettings;
import social.feed.local.ChildProcess.Program;
import social.feed.streams.plan.Lane;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.FeedRef;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.LongRunning;
import social.feed.testkit.Polling;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SteppingClock;

/** Tests the processes of a platform and the calls between them, with small programs. */
@LongRunning
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ITProcesses {
  private static final String ECHO = "echo";
  private static final String DIE = "die";
  private static final String HANG = "hang";
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Program PROGRAM =
      new Program(ITProcesses.class, List.of(), Map.of("ITPROCESSES", "value"), true);

  /** A process that answers calls, or dies during a call. */
  public static void main(String[] arguments) {
    if (System.getenv("ITPROCESSES").equals("broken")) {
      System.exit(3);
    }
    var calls =
        LoopbackCalls.serve(
            Integer.parseInt(arguments[0]),
            Map.of(
                ECHO,
                text -> {
                  if (text.isEmpty()) {
                    throw new IllegalArgumentException("No text");
                  }
                  return text + " " + ProcessHandle.current().pid();
                },
                DIE,
                _ -> {
                  Runtime.getRuntime().halt(137);
                  return "";
                },
                HANG,
                _ -> {
                  new CountDownLatch(1).await();
                  return "";
                }));
    System.out.println("ready or not");
    ChildProcess.isReady(calls.address());
    ChildProcess.isReady(URI.create("http://127.0.0.1:1"));
    ChildProcess.awaitEndOfParent();
  }

  private static ProcessGroup start(int count, Program program) {
    return ProcessGroup.start("test", count, _ -> 0, program, () -> false);
  }

  private static String pid(String echo) {
    return echo.substring(echo.lastIndexOf(' ') + 1);
  }

  /** Waits until a process answers at an address, and returns its id. */
  private static String pidOfNext(URI address) {
    while (true) {
      try {
        return pid(LoopbackCalls.call(address, ECHO, "two"));
      } catch (IOException e) {
        // It is not started again yet.
        Polling.pause();
      }
    }
  }

  /** Waits until a process is ready at another address. On a busy machine a JVM starts slowly. */
  private static URI otherThan(URI first, ProcessGroup group) {
    while (true) {
      try {
        var next = group.next();
        if (!next.equals(first)) {
          return next;
        }
      } catch (IllegalStateException e) {
        // None is started again yet.
        Polling.pause();
      }
    }
  }

  @Test
  void deadProcess_failsItsCall_andIsStartedAgainAtItsAddress() throws IOException {
    try (var group = start(2, PROGRAM)) {
      var first = group.addresses().getFirst();
      var before = pid(LoopbackCalls.call(first, ECHO, "one"));

      assertThatIOException().isThrownBy(() -> LoopbackCalls.call(first, DIE, ""));

      assertThat(pidOfNext(first)).isNotEqualTo(before);
      var seen = new HashSet<URI>();
      while (seen.size() < 2) {
        seen.add(group.next());
      }
      assertThat(seen).containsExactlyInAnyOrderElementsOf(group.addresses());
    }
  }

  @Test
  void deadProcess_ofAProgramThatKeepsNoPort_isStartedAgainAtAnother() throws IOException {
    var program = new Program(ITProcesses.class, List.of(), PROGRAM.environment(), false);
    try (var group = start(1, program)) {
      var first = group.next();
      long pid = Long.parseLong(pid(LoopbackCalls.call(first, ECHO, "one")));
      var ended = ProcessHandle.of(pid).orElseThrow().onExit();

      assertThatIOException().isThrownBy(() -> LoopbackCalls.call(first, DIE, ""));
      ended.join();

      try (var _ = new ServerSocket(first.getPort(), 1, InetAddress.ofLiteral("127.0.0.1"))) {
        var second = otherThan(first, group);
        assertThat(LoopbackCalls.call(second, ECHO, "two")).startsWith("two ");
      }
    }
  }

  @Test
  void processThatHangs_isKilledSomeTimeAfterTheStop() {
    try (var group = start(1, PROGRAM)) {
      var address = group.next();
      group.killAfter(Duration.ofMillis(100));

      assertThatIOException().isThrownBy(() -> LoopbackCalls.call(address, HANG, ""));
    }
  }

  @Test
  void process_ofAPlatformThatStops_isNotStarted() {
    assertThatIllegalStateException()
        .isThrownBy(() -> ProcessGroup.start("test", 1, _ -> 0, PROGRAM, () -> true))
        .withStackTraceContaining("The platform stops");
  }

  @Test
  void failedCall_saysWhy() {
    try (var group = start(1, PROGRAM)) {
      assertThatIOException()
          .isThrownBy(() -> LoopbackCalls.call(group.next(), ECHO, ""))
          .withMessageContaining("No text");
    }
  }

  @Test
  void close_endsAllProcesses() throws IOException {
    var group = start(2, PROGRAM);
    var pids =
        List.of(
            pid(LoopbackCalls.call(group.next(), ECHO, "one")),
            pid(LoopbackCalls.call(group.next(), ECHO, "two")));
    group.close();

    assertThat(pids).doesNotHaveDuplicates();
    assertThat(pids.stream().map(Long::parseLong).flatMap(id -> ProcessHandle.of(id).stream()))
        .isEmpty();
  }

  @Test
  void processThatDoesNotStart_isReported() {
    var broken = new Program(ITProcesses.class, List.of(), Map.of("ITPROCESSES", "broken"), true);

    assertThatIllegalStateException()
        .isThrownBy(() -> start(1, broken))
        .withMessageContaining("test 1 did not start")
        .withStackTraceContaining("It ended with 3");
  }

  @Test
  void timesOfOtherProcesses_areBounded() throws IOException {
    var times = new ArrayList<Duration>();
    var control =
        new StreamControl() {
          @Override
          public void hold(Duration time) {
            times.add(time);
          }

          @Override
          public Optional<String> drain(Duration patience) {
            times.add(patience);
            return Optional.empty();
          }
        };
    try (var calls = RemoteStreamControl.serve(control)) {
      LoopbackCalls.call(calls.address(), "hold", Long.toString(Long.MAX_VALUE));
      LoopbackCalls.call(calls.address(), "drain", Long.toString(Long.MIN_VALUE));
    }
    assertThat(times).containsExactly(Duration.ofMinutes(1), Duration.ZERO);
  }

  @Test
  void hold_duringABatchThatHangs_returnsAtOnce() throws InterruptedException {
    try (var stack = BridgedStack.open();
        var multiplexer = stack.multiplexer(new CelebrityRule(1_000))) {
      var begun = new CountDownLatch(1);
      var end = new CountDownLatch(1);
      var control = new LocalStreamControl();
      var stream =
          multiplexer.follow(
              Checkpoints.inMemory(),
              EventSourceSettings.standard(),
              (lane, event) -> {
                begun.countDown();
                end.await();
                return multiplexer.handle(lane, event);
              });
      try (stream) {
        control.attach(stream);
        var world = new SeedWorld(stack.table().table(), new SteppingClock(Instant.now()));
        world.user("ben").follows(world.user("ada"));
        begun.await();

        control.hold(Duration.ofMinutes(1));

        assertThat(control.drain(Duration.ofMillis(1))).isPresent();
        end.countDown();
        assertThat(control.drain(PATIENCE)).isEmpty();
      }
    }
  }

  /** The timer of the first hold ends while the second one lasts. */
  @Test
  void hold_beforeAnotherHasEnded_lastsAsLongAsItSays() {
    try (var stack = BridgedStack.open();
        var multiplexer = stack.multiplexer(new CelebrityRule(1_000));
        var stream = multiplexer.follow(Checkpoints.inMemory(), 1)) {
      var control = new LocalStreamControl();
      control.attach(stream);
      var longer = Duration.ofSeconds(1);

      control.hold(Duration.ofMillis(50));
      long due = System.nanoTime() + longer.toNanos();
      control.hold(longer);
      Polling.until(() -> !control.isHeld());

      assertThat(System.nanoTime() - due).isNotNegative();
    }
  }

  /** A batch is lost by no death of a process, whether before or after its effects. */
  @Test
  void deathDuringACall_deliversTheBatchAgain() {
    try (var stack = BridgedStack.open();
        var multiplexer = stack.multiplexer(new CelebrityRule(1_000));
        var calls = LoopbackCalls.serve(0, MultiplexerProcess.receivers(multiplexer))) {
      var numbers = new EnumMap<Lane, AtomicInteger>(Lane.class);
      Arrays.stream(Lane.values()).forEach(lane -> numbers.put(lane, new AtomicInteger()));
      var stream =
          multiplexer.follow(
              Checkpoints.inMemory(),
              EventSourceSettings.standard(),
              (lane, event) -> {
                int number = Objects.requireNonNull(numbers.get(lane)).incrementAndGet();
                if (number % 4 == 3) {
                  throw new IOException("The process died before any effect");
                }
                var response = MultiplexerProcess.call(calls.address(), lane, event);
                if (number % 4 == 1) {
                  throw new IOException("The process died after all effects");
                }
                return response;
              });
      try (stream) {
        var clock = new SteppingClock(Instant.now().minus(Duration.ofHours(1)));
        var world = new SeedWorld(stack.table().table(), clock);
        var ada = world.user("ada");
        var ben = world.user("ben");
        ben.follows(ada);
        stream.drain(PATIENCE);
        var post = ada.posts("hello");
        ben.likes(post);
        stream.drain(PATIENCE);

        assertThat(stream.status()).allMatch(lane -> lane.failedInvocations() > 0);
        assertThat(ada.account().followersCount()).isEqualTo(1);
        assertThat(world.posts.get(post.postId()).orElseThrow().likesCount()).isEqualTo(1);
        assertThat(world.notifications.unreadCount(ada.id())).isEqualTo(2);
        assertThat(world.feeds.stored(ben.id(), new PageRequest(10, null)).items())
            .singleElement()
            .extracting(FeedRef::postId)
            .isEqualTo(post.postId());
      }
    }
  }
}
