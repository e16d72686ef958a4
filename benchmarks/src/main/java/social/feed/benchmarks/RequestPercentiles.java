package social.feed.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Shows what happened while the slowest requests of an open load were on their way, next to how
 * much of it happens at any time. It reads recordings of the processes that send the requests,
 * serve them and keep the rows: {@code ROUTE, LOAD.SIDE.jfr}, {@code ROUTE, LOAD, server.SIDE.jfr}
 * and {@code ROUTE, LOAD, engine.SIDE.jfr}. Their clocks are the same. Needs no other library, so
 * that it starts from its source.
 */
final class RequestPercentiles {
  private static final List<String> SIDES = List.of("platform", "bare");

  /** The processes, and what their files have behind the route. */
  private static final Map<String, String> PROCESSES = processes();

  private static final String CLIENT = "client";
  private static final String SERVER = "server";
  private static final double SLOWEST = 0.01;

  private final List<Request> requests = new ArrayList<>();

  /** What happened, in the order of the table. */
  private final Map<String, List<Span>> causes = new LinkedHashMap<>();

  /** A time, in nanoseconds. */
  private record Span(long from, long to) {
    long nanos() {
      return to - from;
    }

    /** Returns how much of a list without overlaps is within this time. */
    long within(List<Span> others) {
      return others.stream()
          .mapToLong(other -> Math.max(0, Math.min(to, other.to) - Math.max(from, other.from)))
          .sum();
    }
  }

  /**
   * A request.
   *
   * @param time from when it was due to its response
   * @param unsent from when it was due until it was sent
   */
  private record Request(Span time, Span unsent) {}

  /** A line of a table, as the value of a route and side. */
  private record Row(String title, Function<RequestPercentiles, String> value) {}

  private RequestPercentiles() {}

  /**
   * Prints the tables, and writes them as the results {@code profiles-NAME-percentiles}.
   *
   * @param arguments the text of the results of the same run, and the folder of the recordings
   */
  public static void main(String[] arguments) throws IOException {
    var file = Path.of(arguments[0]);
    var text = ResultText.of(file.getFileName().toString(), Files.readString(file));
    write(text, read(Path.of(arguments[1])));
  }

  private static Map<String, String> processes() {
    var processes = new LinkedHashMap<String, String>();
    processes.put(SERVER, ", server");
    processes.put("engine", ", engine");
    processes.put(CLIENT, "");
    return processes;
  }

  /** Returns the sides of each route. */
  private static Map<String, List<RequestPercentiles>> read(Path folder) throws IOException {
    var routes = new LinkedHashMap<String, List<RequestPercentiles>>();
    var end = "." + SIDES.getFirst() + ".jfr";
    try (var files = Files.list(folder)) {
      for (var name : files.map(file -> file.getFileName().toString()).sorted().toList()) {
        if (name.endsWith(end) && PROCESSES.values().stream().noneMatch(isOf(name, end))) {
          var route = name.substring(0, name.length() - end.length());
          var sides = new ArrayList<RequestPercentiles>();
          for (var side : SIDES) {
            sides.add(of(folder, route, side));
          }
          routes.put(route, sides);
        }
      }
    }
    if (routes.isEmpty()) {
      throw new IllegalArgumentException("No recordings in " + folder);
    }
    return routes;
  }

  private static Predicate<String> isOf(String name, String end) {
    return process -> !process.isEmpty() && name.endsWith(process + end);
  }

  private static RequestPercentiles of(Path folder, String route, String side) throws IOException {
    var slow = new RequestPercentiles();
    for (var process : PROCESSES.entrySet()) {
      var file = folder.resolve(route + process.getValue() + "." + side + ".jfr");
      System.err.println(file.getFileName());
      slow.add(process.getKey(), file);
    }
    if (slow.requests.isEmpty()) {
      throw new IllegalStateException(route + ", " + side + " has no requests");
    }
    slow.causes.replaceAll((_, spans) -> merged(spans));
    return slow;
  }

  private void add(String process, Path file) throws IOException {
    var collector = cause("the collector of the " + process + " paused it");
    var locks = cause("threads of the " + process + " waited 10 ms or more for a lock");
    var compilers = cause("the compiler of the " + process + " worked, 1 ms or more for a method");
    var busy = process.equals(SERVER) ? cause("no processor had time left") : new ArrayList<Span>();
    var loads = new ArrayList<RecordedEvent>();
    try (var recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        var event = recording.readEvent();
        switch (event.getEventType().getName()) {
          case "jdk.GCPhasePause" -> collector.add(span(event));
          case "jdk.Compilation" -> compilers.add(span(event));
          case "jdk.JavaMonitorEnter", "jdk.ThreadPark" -> {
            if (ProfileRecording.isWaitForLock(event)) {
              locks.add(span(event));
            }
          }
          case "jdk.CPULoad" -> loads.add(event);
          case RequestEvent.NAME -> {
            var sent = span(event);
            long due = sent.from - event.getLong(RequestEvent.LATE);
            requests.add(new Request(new Span(due, sent.to), new Span(due, sent.from)));
          }
          default -> {}
        }
      }
    }
    // A load is that of the time since the one before.
    loads.sort(Comparator.comparing(RecordedEvent::getStartTime));
    for (int i = 1; i < loads.size(); i++) {
      if (ProfileRecording.isBusy(loads.get(i))) {
        busy.add(new Span(span(loads.get(i - 1)).from, span(loads.get(i)).from));
      }
    }
  }

  /** Returns the times of what happened, none at first. */
  private List<Span> cause(String title) {
    return causes.computeIfAbsent(title, _ -> new ArrayList<>());
  }

  private static Span span(RecordedEvent event) {
    var start = event.getStartTime();
    long from = start.getEpochSecond() * 1_000_000_000 + start.getNano();
    return new Span(from, from + event.getDuration().toNanos());
  }

  /** Returns the times that are in any of them, without overlaps. */
  private static List<Span> merged(List<Span> spans) {
    var merged = new ArrayList<Span>();
    for (var span : spans.stream().sorted(Comparator.comparingLong(Span::from)).toList()) {
      if (!merged.isEmpty() && merged.getLast().to >= span.from) {
        var last = merged.removeLast();
        merged.add(new Span(last.from, Math.max(last.to, span.to)));
      } else {
        merged.add(span);
      }
    }
    return merged;
  }

  /** Returns the slowest requests, the longest one first. */
  private List<Request> slowest() {
    return requests.stream()
        .sorted(Comparator.comparingLong((Request request) -> request.time.nanos()).reversed())
        .limit((long) Math.ceil(SLOWEST * requests.size()))
        .toList();
  }

  private List<Span> slowestTimes() {
    return slowest().stream().map(Request::time).toList();
  }

  /** From the first request to the last response. */
  private List<Span> whole() {
    var times = requests.stream().map(Request::time).toList();
    return List.of(
        new Span(
            times.stream().mapToLong(Span::from).min().orElseThrow(),
            times.stream().mapToLong(Span::to).max().orElseThrow()));
  }

  private double share(String cause, List<Span> times) {
    var spans = causes.getOrDefault(cause, List.of());
    return times.stream().mapToLong(time -> time.within(spans)).sum() / nanos(times);
  }

  /** Returns the share of the time of the slowest requests before they were sent. */
  private double unsent() {
    return nanos(slowest().stream().map(Request::unsent).toList()) / nanos(slowestTimes());
  }

  /** Returns how many requests are on their way on average, in times without overlaps. */
  private double inFlight(List<Span> times) {
    return requests.stream().mapToLong(request -> request.time.within(times)).sum() / nanos(times);
  }

  private static double nanos(List<Span> times) {
    return times.stream().mapToLong(Span::nanos).sum();
  }

  private static void write(ResultText text, Map<String, List<RequestPercentiles>> routes)
      throws IOException {
    var report =
        new BenchmarkReport(
            ResultText.PROFILES + "-" + text.name() + "-percentiles",
            "What happens while slow requests wait: " + text.title(),
            text.run());
    report.paragraph(
        "Of recordings at each load whose 99th percentile misses its goal, the platform / the bare side. The load is a share of what both sides reach. The time of a request begins when it was due. The slowest requests are one of a hundred.");
    report.table(
        header("", routes),
        rows(
            routes,
            Stream.of(
                new Row("requests", slow -> decimal("%,.0f", slow.requests.size())),
                new Row("p99, ms", slow -> millis(slow.slowestTimes().getLast())),
                new Row("longest, ms", slow -> millis(slow.slowestTimes().getFirst())),
                new Row(
                    "separate times of the slowest",
                    slow -> decimal("%,.0f", merged(slow.slowestTimes()).size())),
                new Row(
                    "requests on their way, then",
                    slow -> decimal("%,.1f", slow.inFlight(merged(slow.slowestTimes())))),
                new Row(
                    "requests on their way, on average",
                    slow -> decimal("%,.1f", slow.inFlight(slow.whole()))),
                new Row(
                    "time of the slowest before they were sent, %",
                    slow -> decimal("%.1f", 100 * slow.unsent())))));
    report.heading("Shares of the time of the slowest requests, %");
    report.paragraph(
        "Several may happen at once. What happens as often at any time, as the next table has it, is not the reason.");
    report.table(header("while", routes), shares(routes, RequestPercentiles::slowestTimes));
    report.heading("Shares of all the time, %");
    report.table(header("while", routes), shares(routes, RequestPercentiles::whole));
    report.write();
  }

  private static List<List<String>> shares(
      Map<String, List<RequestPercentiles>> routes,
      Function<RequestPercentiles, List<Span>> times) {
    // All sides have the same causes, whatever happened.
    var causes = routes.values().iterator().next().getFirst().causes.keySet();
    return rows(
        routes,
        causes.stream()
            .map(
                cause ->
                    new Row(
                        cause,
                        slow -> decimal("%.1f", 100 * slow.share(cause, times.apply(slow))))));
  }

  private static List<String> header(String first, Map<String, List<RequestPercentiles>> routes) {
    return Stream.concat(Stream.of(first), routes.keySet().stream()).toList();
  }

  private static List<List<String>> rows(
      Map<String, List<RequestPercentiles>> routes, Stream<Row> rows) {
    return rows.map(
            row ->
                Stream.concat(
                        Stream.of(row.title()),
                        routes.values().stream()
                            .map(
                                sides ->
                                    sides.stream()
                                        .map(row.value())
                                        .collect(Collectors.joining(" / "))))
                    .toList())
        .toList();
  }

  private static String millis(Span span) {
    return decimal("%,.1f", span.nanos() / 1e6);
  }

  private static String decimal(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
