package social.feed.ctl.load;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.BitSet;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import social.feed.ctl.graph.ImportProgress;
import social.feed.table.kernel.cost.ConsumedUnits;

/**
 * A load of sessions on an API: {@link #prepare} gets tokens and finds the posts that the requests
 * name, {@link #run} sends the requests. Keeps the tokens of the accounts and the ids of the posts
 * that it uses in memory.
 */
public final class LoadRun implements AutoCloseable {
  /** The most posts of an account before the load: one page of its posts. */
  public static final int MAX_POSTS = 50;

  /** How long the last answers are awaited. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** A minute for each of two effects, and some time for their requests. */
  private static final Duration PATIENCE_WITH_PROBE = Duration.ofSeconds(130);

  private static final double NANOS = 1e9;

  /** A rate over a shorter time says nothing. */
  private static final double SHORTEST_SECONDS = 0.1;

  /** Differs in each run, so that a load is not answered with the posts of an earlier one. */
  private final String run = UUID.randomUUID().toString();

  private final ApiCalls api;
  private final SocialGraph graph;
  private final Mix mix;
  private final Settings settings;
  private final LagProbe probe;
  private final OpenLoad load;
  private final Map<Long, String> posts = new ConcurrentHashMap<>();

  /** The authors of {@link #posts} before the load, and the others whose posts requests name. */
  private final NavigableSet<Integer> withPosts = new ConcurrentSkipListSet<>();

  private final Set<Integer> withoutPosts = ConcurrentHashMap.newKeySet();
  private final Map<Integer, String> cursors = new ConcurrentHashMap<>();
  private final Map<Action, ConsumedUnits> units = new EnumMap<>(Action.class);
  private volatile boolean stopped;

  /**
   * The size of a load.
   *
   * @param perSecond the average number of requests a second
   * @param posts the number of posts that each account has before, 1 to {@value #MAX_POSTS}
   * @param seed the same seed gives the same requests at the same intended times
   */
  public record Settings(double perSecond, Duration duration, int inFlight, int posts, long seed) {
    OpenLoad.Settings open() {
      return new OpenLoad.Settings(
          perSecond, OpenLoad.Arrivals.POISSON, seed, duration, Long.MAX_VALUE, inFlight, PATIENCE);
    }
  }

  /**
   * The state of a running load.
   *
   * @param sent the requests sent a second, since the previous state
   * @param answered the requests answered a second, with any status
   * @param units the units a second
   * @param effectsLag the newest lag of the lane of effects in milliseconds; -1 if there is none
   * @param countsLag the same for the lane of counts
   */
  public record Live(
      OpenLoad.Progress progress,
      double sent,
      double answered,
      ConsumedUnits units,
      long effectsLag,
      long countsLag) {}

  /**
   * The lags of a lane in milliseconds.
   *
   * @param seen the time until the effect of a write was visible
   * @param unseen the writes whose effect was not visible within a minute. A measurement that was
   *     cut off when the load was stopped is none of these
   */
  public record Lag(Histogram seen, long unseen) {}

  /**
   * The results.
   *
   * @param units the units that the answers reported, by action
   * @param probe the units of the requests that measured the lag, by route
   * @param failedMeasurements the measurements of the lag that ended with an error. After {@value
   *     LagProbe#MOST_FAILURES} the lag is no longer measured
   * @param isStopped whether the load was stopped before its end
   */
  public record Results(
      OpenLoad.Result load,
      Map<Action, ConsumedUnits> units,
      Map<String, ConsumedUnits> probe,
      Lag effects,
      Lag counts,
      int failedMeasurements,
      boolean isStopped) {}

  /**
   * Creates a load, which runs once.
   *
   * @param urls the processes of one API, which get the requests in turn
   * @param tokens the tokens by account; if it is empty, the platform issues tokens for development
   * @param probes two accounts that measure the lag and take no other part
   */
  public LoadRun(
      List<URI> urls,
      Map<String, String> tokens,
      SocialGraph graph,
      Mix mix,
      Settings settings,
      List<String> probes) {
    this.api = new ApiCalls(urls, tokens);
    this.graph = graph;
    this.mix = mix;
    this.settings = settings;
    this.probe = new LagProbe(api, probes.getFirst(), probes.getLast());
    this.load = new OpenLoad(settings.open(), requests());
  }

  /** Sends the requests before the load at its rate at most. Otherwise, sixteen run at once. */
  public void pacePreparation() {
    api.pace(settings.perSecond());
  }

  /**
   * Creates the accounts, edges and posts of the graph through the API.
   *
   * @throws IllegalStateException if a response is an error
   */
  public void create(ImportProgress progress) {
    new ApiAccounts(api, graph, progress).create(settings.posts());
  }

  /**
   * Gets the tokens of all accounts that send a request, and the ids of all posts that a request
   * names and that exist already. One request for each. In place of the posts of an author who has
   * none, the requests name those of another author.
   *
   * @throws IllegalStateException if requests name posts, and none of their authors has any
   */
  public void prepare(ImportProgress progress) {
    var callers = new BitSet();
    var authors = new BitSet();
    var times = settings.open().times();
    var steps = workload();
    while (times.getAsLong() < settings.duration().toNanos()) {
      var step = steps.next();
      callers.set(step.account());
      if (step.post() >= 0 && step.action() != Action.WRITE) {
        authors.set(step.target());
      }
    }
    var numbers = callers.stream().boxed().toList();
    if (numbers.isEmpty()) {
      throw new IllegalArgumentException("Rate and duration are too small: there is no request");
    }
    ApiAccounts.each(progress, "tokens", numbers, i -> () -> api.signIn(graph.id(i)));
    ApiAccounts.each(
        progress,
        "find posts",
        authors.stream().boxed().toList(),
        i -> () -> find(i, numbers.get(i % numbers.size())));
    if (withPosts.isEmpty() && !authors.isEmpty()) {
      throw new IllegalStateException(
          "%s has no posts%s. Omit --prepared, or import with --posts-per-user."
              .formatted(
                  graph.id(authors.nextSetBit(0)),
                  authors.cardinality() == 1
                      ? ""
                      : ", nor have the %,d other authors of this load"
                          .formatted(authors.cardinality() - 1)));
    }
    ApiAccounts.each(progress, "probe", List.of(probe), each -> each::prepare);
  }

  private void find(int author, int caller) throws IOException, InterruptedException {
    var path = "/v1/users/%s/posts?limit=%d".formatted(graph.id(author), settings.posts());
    var answer = ApiCalls.patiently(() -> api.send(graph.id(caller), "GET", path));
    if (!answer.isOk()) {
      throw new IllegalStateException(
          "The posts of %s cannot be read: HTTP %s. Omit --prepared to create the graph."
              .formatted(graph.id(author), answer.code()));
    }
    var ids = answer.ids();
    (ids.isEmpty() ? withoutPosts : withPosts).add(author);
    for (int i = 0; i < settings.posts() && !ids.isEmpty(); i++) {
      // An author with fewer posts has its oldest one in place of the missing ones.
      int newest = Math.min(settings.posts() - 1 - i, ids.size() - 1);
      posts.put(place(author, i), ids.get(newest));
    }
  }

  /**
   * Runs the load, awaits the effects of the last measurement of the lag, and calls back about once
   * a second, on another thread, and at its end.
   */
  public Results run(Consumer<Live> everySecond) {
    return run(everySecond, probe::stop);
  }

  /** Runs the load like {@link #run}, but does not await the effects of the last measurement. */
  public Results warmUp(Consumer<Live> everySecond) {
    return run(everySecond, probe::cutOff);
  }

  private Results run(Consumer<Live> everySecond, Runnable endOfProbe) {
    api.sendAtOnce();
    var probing = Thread.ofVirtual().start(probe::run);
    var pulse = new Pulse(everySecond);
    OpenLoad.Result result;
    try (var clock = Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().factory())) {
      var _ = clock.scheduleWithFixedDelay(pulse, 1, 1, TimeUnit.SECONDS);
      result = load.run();
      endOfProbe.run();
      probing.join(PATIENCE_WITH_PROBE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
    pulse.run();
    return new Results(
        result,
        units(),
        probe.units(),
        lag(probe.effects()),
        lag(probe.counts()),
        probe.failures(),
        stopped);
  }

  /** Returns how many authors have no posts, so that requests name those of another. */
  public int authorsWithoutPosts() {
    return withoutPosts.size();
  }

  /** Returns the size of the load. */
  public Settings settings() {
    return settings;
  }

  /** Ends the load before its time. Callable from any thread. */
  public void stop() {
    stopped = true;
    load.stop();
    probe.cutOff();
  }

  private static Lag lag(LagProbe.Lag lag) {
    return new Lag(lag.seen(), lag.unseenOnes());
  }

  /** Reports what changed since the previous report. */
  private final class Pulse implements Runnable {
    private final Consumer<Live> everySecond;
    private Duration elapsed = Duration.ZERO;
    private long sent;
    private long answered;
    private ConsumedUnits spent = ConsumedUnits.NONE;

    private Pulse(Consumer<Live> everySecond) {
      this.everySecond = everySecond;
    }

    @Override
    public void run() {
      var progress = load.progress();
      long answers = OpenLoad.answered(progress.codes());
      var now = units().values().stream().reduce(ConsumedUnits.NONE, ConsumedUnits::plus);
      double seconds =
          Math.max(SHORTEST_SECONDS, progress.elapsed().minus(elapsed).toNanos() / NANOS);
      everySecond.accept(
          new Live(
              progress,
              (progress.sent() - sent) / seconds,
              (answers - answered) / seconds,
              new ConsumedUnits(
                  (now.read() - spent.read()) / seconds, (now.write() - spent.write()) / seconds),
              probe.effects().latest(),
              probe.counts().latest()));
      elapsed = progress.elapsed();
      sent = progress.sent();
      answered = answers;
      spent = now;
    }
  }

  private Workload workload() {
    return new Workload(graph, mix, settings.posts(), settings.perSecond(), settings.seed());
  }

  private Iterator<OpenLoad.Request> requests() {
    var steps = workload();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return true;
      }

      @Override
      public OpenLoad.Request next() {
        var step = steps.next();
        return new OpenLoad.Request(step.action().key(), _ -> send(step));
      }
    };
  }

  private String send(Workload.Step step) throws IOException, InterruptedException {
    var answer =
        api.send(
            graph.id(step.account()),
            step.action().method(),
            path(step),
            body(step),
            headers(step));
    synchronized (units) {
      units.merge(step.action(), answer.units(), ConsumedUnits::plus);
    }
    if (answer.isOk()) {
      note(step, answer);
    }
    return answer.code();
  }

  private String path(Workload.Step step) {
    var path = step.action().path();
    if (step.action() == Action.OLDER) {
      var cursor = cursors.get(step.account());
      return cursor == null ? path : path + "?cursor=" + cursor;
    }
    if (step.tag() >= 0) {
      return path.replace("{tag}", tag(step));
    }
    return path.replace("{id}", step.post() < 0 ? graph.id(step.target()) : post(step));
  }

  /**
   * Returns the post, or an older one of its author if it is not written yet. Where the author has
   * none, returns one of another author, if possible not of the account that sends the request.
   */
  private String post(Workload.Step step) {
    return post(step.target(), step.post())
        .or(() -> post(other(step), Math.min(step.post(), settings.posts() - 1)))
        .orElseThrow(() -> new IllegalStateException("There is no post for " + step));
  }

  /** Returns the next author with posts, so that the same request names the same post again. */
  private int other(Workload.Step step) {
    return Stream.of(withPosts.tailSet(step.target()), withPosts)
        .flatMap(Collection::stream)
        .filter(author -> author != step.account())
        .findFirst()
        .orElseGet(step::account);
  }

  private Optional<String> post(int author, int newest) {
    for (int post = newest; post >= 0; post--) {
      var id = posts.get(place(author, post));
      if (id != null) {
        return Optional.of(id);
      }
    }
    return Optional.empty();
  }

  private static String body(Workload.Step step) {
    return switch (step.action()) {
      case WRITE -> "{\"text\":\"Post %d of the load #%s\"}".formatted(step.number(), tag(step));
      case COMMENT -> "{\"text\":\"Comment %d of the load\"}".formatted(step.number());
      case UNREAD,
          HOME,
          OLDER,
          READ,
          COMMENTS,
          PROFILE,
          TIMELINE,
          FOLLOWERS,
          NOTIFICATIONS,
          READ_ALL,
          TAG,
          TRENDS,
          AUTHORS,
          LIKE,
          UNLIKE,
          FOLLOW,
          UNFOLLOW ->
          "";
    };
  }

  /** A post has a key, as a client that may send it again would give it. */
  private Map<String, String> headers(Workload.Step step) {
    return step.action() == Action.WRITE
        ? Map.of("Idempotency-Key", "%s-%d".formatted(run, step.number()))
        : Map.of();
  }

  private static String tag(Workload.Step step) {
    return "topic" + step.tag();
  }

  private void note(Workload.Step step, ApiCalls.Answer answer) {
    if (step.action() == Action.WRITE) {
      posts.put(place(step.account(), step.post()), answer.id());
    } else if (step.action() == Action.HOME || step.action() == Action.OLDER) {
      answer
          .cursor()
          .ifPresentOrElse(
              cursor -> cursors.put(step.account(), cursor), () -> cursors.remove(step.account()));
    }
  }

  private static long place(int author, int post) {
    return (long) author << Integer.SIZE | post;
  }

  private Map<Action, ConsumedUnits> units() {
    synchronized (units) {
      return new EnumMap<>(units);
    }
  }

  @Override
  public void close() {
    api.close();
  }
}
