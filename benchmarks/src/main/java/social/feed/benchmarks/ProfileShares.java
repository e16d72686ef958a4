package social.feed.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import social.feed.benchmarks.ResultText.Figure;

/**
 * Shows which parts of a process used its processor time, from recordings of JFR: one column for
 * each measurement, with both sides, or for each other recording. A recording is named as the row
 * of the results, then as its side. Needs no other library, so that it starts from its source.
 */
final class ProfileShares {
  private static final String COSTS = "--costs";
  private static final String AS = "--as";
  private static final String JFR = ".jfr";

  /** The sides of a measurement, as its recordings are named. */
  private static final List<String> SIDES = List.of("platform", "bare");

  /** A part that is below this share in all recordings is counted with the rest. */
  private static final double LEAST = 0.005;

  /** A part with fewer classes than this in a start is counted in the sum only. */
  private static final long LEAST_CLASSES = 5;

  /** The methods that waited for locks which are listed. */
  private static final int MOST_LOCKS = 8;

  /** The first column of the results with the costs of both sides begins with it. */
  private static final String COST = "Processor time ";

  private static final String COST_OF_COMPILER = "of it the compiler, µs";
  private static final String REST = "the rest";
  private static final String NONE = "–";
  private static final String BETWEEN_SIDES = " / ";

  private final List<Column> columns;
  private final Optional<ResultText> costs;

  /** What the page is about, behind the name of the results; may be empty. */
  private final String about;

  /**
   * A measurement, or a recording of something else.
   *
   * @param sides the recordings by side, or one without a side
   */
  private record Column(String title, Map<String, ProfileRecording> sides) {
    boolean hasSides() {
      return !sides.containsKey("");
    }

    /** Returns a value of each side. */
    String cell(BiFunction<String, ProfileRecording, String> value) {
      return (hasSides() ? SIDES.stream() : Stream.of(""))
          .map(
              side ->
                  Optional.ofNullable(sides.get(side)).map(r -> value.apply(side, r)).orElse(NONE))
          .collect(Collectors.joining(BETWEEN_SIDES));
    }
  }

  private ProfileShares(List<Column> columns, Optional<ResultText> costs, String about) {
    this.columns = columns;
    this.costs = costs;
    this.about = about;
  }

  /**
   * Prints the tables, and writes them as the results {@code profiles}, or {@code profiles-routes}
   * for those with the costs of {@code routes.txt}.
   *
   * @param arguments {@code --costs} and the text of the results of the same run, if wanted, {@code
   *     --as} and what the page is about, if wanted, then recordings, and folders of recordings
   */
  public static void main(String[] arguments) throws IOException {
    var paths = new ArrayList<>(Arrays.asList(arguments));
    var costs = taken(COSTS, paths);
    var text = costs.isEmpty() ? Optional.<ResultText>empty() : Optional.of(results(costs.get()));
    var about = taken(AS, paths).orElse("");
    new ProfileShares(columns(files(paths)), text, about).report().write();
  }

  /** Takes the value of an option from the arguments, if it is there. */
  private static Optional<String> taken(String option, List<String> arguments) {
    int at = arguments.indexOf(option);
    if (at < 0) {
      return Optional.empty();
    }
    var value = arguments.get(at + 1);
    arguments.subList(at, at + 2).clear();
    return Optional.of(value);
  }

  private static ResultText results(String file) throws IOException {
    var path = Path.of(file);
    return ResultText.of(path.getFileName().toString(), Files.readString(path));
  }

  private static List<Path> files(List<String> names) throws IOException {
    var files = new ArrayList<Path>();
    for (var name : names) {
      var path = Path.of(name);
      if (Files.isDirectory(path)) {
        try (var inside = Files.list(path)) {
          inside.filter(file -> file.toString().endsWith(JFR)).sorted().forEach(files::add);
        }
      } else {
        files.add(path);
      }
    }
    if (files.isEmpty()) {
      throw new IllegalArgumentException("No recordings in " + names);
    }
    return files;
  }

  private static List<Column> columns(List<Path> files) throws IOException {
    var columns = new LinkedHashMap<String, Column>();
    for (var file : files) {
      var name = file.getFileName().toString();
      var bare = name.endsWith(JFR) ? name.substring(0, name.length() - JFR.length()) : name;
      int dot = bare.lastIndexOf('.');
      boolean hasSide = dot > 0 && SIDES.contains(bare.substring(dot + 1));
      var title = hasSide ? bare.substring(0, dot) : bare;
      System.err.println(name);
      columns
          .computeIfAbsent(title, _ -> new Column(title, new LinkedHashMap<>()))
          .sides()
          .put(hasSide ? bare.substring(dot + 1) : "", ProfileRecording.of(file));
    }
    return List.copyOf(columns.values());
  }

  private BenchmarkReport report() {
    var report =
        new BenchmarkReport(
            ResultText.PROFILES
                + costs.map(text -> "-" + text.name()).orElse("")
                + (about.isEmpty() ? "" : "-" + about),
            "Where the processor time goes"
                + costs.map(text -> ": " + text.title()).orElse("")
                + (about.isEmpty() ? "" : ", " + about),
            run());
    report.paragraph(
        "Shares of the processor samples of Java threads, of the platform / of the bare side where a recording has a side. A sample counts for the part of its topmost frame that does not belong to the JDK. Parts below "
            + percent(LEAST)
            + " % everywhere are with the rest.");
    var parts = parts();
    report.heading("Shares, %");
    report.table(
        header("part"),
        rows(parts, (part, column) -> column.cell((_, r) -> percent(share(r, parts, part)))));
    if (columns.stream().anyMatch(column -> cost(column, SIDES.getFirst()).isPresent())) {
      costs.ifPresent(text -> addCosts(report, parts, text));
    }
    if (recordings().anyMatch(recording -> !recording.classes().isEmpty())) {
      addClasses(report);
    }
    report.heading("What held the threads");
    report.table(
        header(""),
        List.of(
            row("samples", (_, r) -> whole(r.samples())),
            row("samples lost", (_, r) -> whole(r.lost())),
            row("seconds", (_, r) -> decimal(r.seconds())),
            row("pauses of the collector", (_, r) -> whole(r.pauses())),
            row("pauses a second", (_, r) -> decimal(r.pauses() / r.seconds())),
            row("sum of the pauses, ms", (_, r) -> decimal(r.pausedMillis())),
            row("longest pause, ms", (_, r) -> decimal(r.longestMillis())),
            row("waits of 10 ms or more for a lock", (_, r) -> whole(r.lockWaits())),
            row("longest wait for a lock, ms", (_, r) -> decimal(r.longestLockWaitMillis())),
            row("load of all processors on average, %", (_, r) -> load(r, r.load())),
            row("tenths of a second with a load of 95 % or more, %", (_, r) -> load(r, r.busy())),
            row(
                "compiler C1, % of the time of all threads",
                (_, r) -> compiler(r, ProfileRecording.C1)),
            row(
                "compiler C2, % of the time of all threads",
                (_, r) -> compiler(r, ProfileRecording.C2)),
            row("most methods in the queue of C2", (_, r) -> whole(r.longestQueue())),
            row("samples of the interpreter, %", (_, r) -> percent(r.interpreted())),
            row("pinned virtual threads", (_, r) -> whole(r.pinned())),
            row("pinned for at least", (_, r) -> r.pinnedThreshold())));
    addLocks(report);
    return report;
  }

  /** A start is one recording, and a file may have several of them. */
  private void addClasses(BenchmarkReport report) {
    report.heading("Classes that were defined, for each recorded start");
    var parts =
        recordings()
            .flatMap(
                recording ->
                    recording.classes().entrySet().stream()
                        .filter(part -> part.getValue() >= LEAST_CLASSES * recording.processes())
                        .map(Map.Entry::getKey))
            .distinct()
            .sorted(
                Comparator.comparingLong(
                        (String part) ->
                            -recordings()
                                .mapToLong(one -> one.classes().getOrDefault(part, 0L))
                                .sum())
                    .thenComparing(part -> part))
            .toList();
    var rows =
        new ArrayList<>(
            rows(
                parts,
                (part, column) ->
                    column.cell(
                        (_, r) -> whole(r.classes().getOrDefault(part, 0L) / r.processes()))));
    rows.add(
        row(
            "sum",
            (_, r) ->
                whole(r.classes().values().stream().mapToLong(n -> n).sum() / r.processes())));
    report.table(header("part"), rows);
  }

  /** The methods that waited longest for locks, with the class of the lock if it is a monitor. */
  private void addLocks(BenchmarkReport report) {
    var methods =
        recordings()
            .flatMap(recording -> recording.lockWaitsByMethod().entrySet().stream())
            .collect(
                Collectors.groupingBy(
                    Map.Entry::getKey, Collectors.summingLong(wait -> wait.getValue().toMillis())))
            .entrySet()
            .stream()
            .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
            .limit(MOST_LOCKS)
            .map(Map.Entry::getKey)
            .toList();
    if (methods.isEmpty()) {
      return;
    }
    report.heading(
        "Seconds that all threads together waited for locks, by method and class of the monitor");
    report.table(
        header("method"),
        rows(
            methods,
            (method, column) ->
                column.cell(
                    (_, r) ->
                        decimal(
                            r.lockWaitsByMethod().getOrDefault(method, Duration.ZERO).toMillis()
                                / 1e3))));
  }

  private void addCosts(BenchmarkReport report, List<String> parts, ResultText text) {
    report.heading(
        costTables(text).map(ResultText.Table::name).distinct().collect(Collectors.joining("; ")));
    report.paragraph(
        "The processor time of the results (%s) without that of the compiler, where they have it, by the shares above. That of the collector has no samples, so it is in all parts."
            .formatted(text.run()));
    var rows =
        new ArrayList<>(
            rows(
                parts,
                (part, column) ->
                    column.cell(
                        (side, r) ->
                            cost(column, side)
                                .map(cost -> decimal(cost * share(r, parts, part)))
                                .orElse(NONE))));
    rows.add(
        cells(
            "sum",
            column ->
                column.cell(
                    (side, _) -> cost(column, side).map(ProfileShares::decimal).orElse(NONE))));
    report.table(header("part"), rows);
  }

  private List<String> row(String title, BiFunction<String, ProfileRecording, String> value) {
    return cells(title, column -> column.cell(value));
  }

  private List<String> cells(String title, Function<Column, String> cell) {
    return Stream.concat(Stream.of(title), columns.stream().map(cell)).toList();
  }

  private List<List<String>> rows(List<String> parts, BiFunction<String, Column, String> cell) {
    return parts.stream().map(part -> cells(part, column -> cell.apply(part, column))).toList();
  }

  private List<String> header(String first) {
    return cells(first, Column::title);
  }

  /** The last date and the machine of the recordings. */
  private String run() {
    return recordings().map(ProfileRecording::date).max(Comparator.naturalOrder()).orElseThrow()
        + ", commit "
        + costs.map(ResultText::commit).orElse("unknown")
        + ", "
        + recordings().map(ProfileRecording::machine).distinct().collect(Collectors.joining("; "));
  }

  private Stream<ProfileRecording> recordings() {
    return columns.stream().flatMap(column -> column.sides().values().stream());
  }

  /** Returns the parts that any recording has enough samples of, the largest ones first. */
  private List<String> parts() {
    Set<String> names = new HashSet<>();
    recordings()
        .forEach(
            recording ->
                recording.parts().keySet().stream()
                    .filter(part -> recording.share(part) >= LEAST)
                    .forEach(names::add));
    var parts = new ArrayList<>(names);
    parts.sort(
        Comparator.comparingDouble(
                (String part) -> -recordings().mapToDouble(one -> one.share(part)).sum())
            .thenComparing(part -> part));
    parts.add(REST);
    return parts;
  }

  private static double share(ProfileRecording recording, List<String> parts, String part) {
    return part.equals(REST)
        ? 1 - parts.stream().mapToDouble(recording::share).sum()
        : recording.share(part);
  }

  private static Stream<ResultText.Table> costTables(ResultText text) {
    return text.tables().stream().filter(table -> table.name().startsWith(COST));
  }

  /**
   * Returns the µs that samples can be of, if the results have the measurement. A compiler that
   * waits for a processor may seem to work longer than all of the process.
   */
  private Optional<Double> cost(Column column, String side) {
    return costs.flatMap(
        text ->
            costTables(text)
                .flatMap(table -> figure(text, table.name(), column, side).stream())
                .findFirst()
                .map(
                    all ->
                        Math.max(
                            0, all - figure(text, COST_OF_COMPILER, column, side).orElse(0.0))));
  }

  private static Optional<Double> figure(
      ResultText text, String table, Column column, String side) {
    return side.isEmpty()
        ? Optional.empty()
        : text.figures(table, side, "(.*)").stream()
            .filter(figure -> figure.label().equals(column.title()))
            .map(Figure::value)
            .findFirst();
  }

  /** A short recording has no load. */
  private static String load(ProfileRecording recording, double share) {
    return recording.hasLoad() ? percent(share) : NONE;
  }

  /** An old or short recording has no load of threads. */
  private static String compiler(ProfileRecording recording, String compiler) {
    return recording.hasThreadLoads() ? percent(recording.compiler(compiler)) : NONE;
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f", 100 * Math.max(0, share));
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%,.1f", value);
  }

  private static String whole(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
