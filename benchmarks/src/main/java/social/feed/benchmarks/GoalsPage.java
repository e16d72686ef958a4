package social.feed.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Renders the goals and how much of them the results in a folder reach: a picture, a page that
 * links to all results, and the table in the README. Needs no other library, so that it starts from
 * its source.
 */
final class GoalsPage {
  private static final String CHECK = "--check";
  private static final String PICTURE = "goals.svg";
  private static final String PAGE = "index.html";

  /** In the README, above the table. */
  private static final String HEADING = "\n## Goals\n";

  private static final String ABOUT =
      "Each goal is a ratio to bare calls or to the smallest size, except where it names another one or a time. A circle reaches its goal, a square misses it.";

  private final Path folder;
  private final List<Line> lines;

  /**
   * A goal with the results that it is read from and with the profile of the same commit, if they
   * are there.
   */
  private record Line(
      Optional<ResultText> results, Optional<ResultText> profile, GoalsPicture.Row row) {
    Goal goal() {
      return row.goal();
    }

    String measured() {
      return row.goal().measured(row.figures());
    }

    String state() {
      return row.goal().state(row.figures());
    }

    boolean isMeasured() {
      return !row.figures().isEmpty();
    }

    /** Returns what shows why the goal is missed: nothing if it is reached. */
    Optional<ResultText> profileOfMiss() {
      return profile.filter(_ -> isMissed());
    }

    boolean isMissed() {
      return row.figures().stream().anyMatch(figure -> !row.goal().isReached(figure));
    }

    String of(Function<ResultText, String> part) {
      return results.filter(_ -> isMeasured()).map(part).orElse("");
    }
  }

  private GoalsPage(Path folder) throws IOException {
    this.folder = folder;
    this.lines = new ArrayList<>();
    for (var goal : Goal.values()) {
      var results = ResultText.in(folder, goal.benchmark());
      var figures = results.map(goal::in).orElse(List.of());
      var profile =
          ResultText.in(folder, goal.profile())
              .filter(found -> results.filter(found::isOfTheCommitOf).isPresent());
      lines.add(new Line(results, profile, new GoalsPicture.Row(goal, figures)));
    }
  }

  /**
   * Writes or compares the files. Exits with 1 if one differs from the results.
   *
   * @param arguments {@code --check} to compare only, the folder of the results, and the README, if
   *     it has a table of them
   */
  public static void main(String[] arguments) throws IOException {
    var paths = Stream.of(arguments).filter(a -> !a.equals(CHECK)).map(Path::of).toList();
    var files = new GoalsPage(paths.get(0)).rendered(paths.subList(1, paths.size()));
    if (!List.of(arguments).contains(CHECK)) {
      for (var file : files.entrySet()) {
        Files.writeString(file.getKey(), file.getValue(), UTF_8);
      }
      return;
    }
    var different = new ArrayList<Path>();
    for (var file : files.entrySet()) {
      if (!Files.exists(file.getKey())
          || !Files.readString(file.getKey(), UTF_8).equals(file.getValue())) {
        different.add(file.getKey());
      }
    }
    if (!different.isEmpty()) {
      System.err.println("Not rendered from the results: " + different + ". Run benchmarks/goals.");
      System.exit(1);
    }
  }

  private Map<Path, String> rendered(List<Path> readmes) throws IOException {
    var files = new LinkedHashMap<Path, String>();
    var picture = GoalsPicture.of(lines.stream().map(Line::row).toList());
    files.put(folder.resolve(PICTURE), picture + "\n");
    files.put(folder.resolve(PAGE), page(picture));
    for (var readme : readmes) {
      files.put(readme, withTable(readme, Files.readString(readme, UTF_8)));
    }
    return files;
  }

  private String page(String picture) throws IOException {
    var page = new StringBuilder();
    page.append(
        """
        <!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Benchmarks</title><style>%s\
        td:nth-child(2),td:nth-child(3),td:nth-child(4),th:nth-child(-n+4){text-align:left}td{white-space:nowrap}td:nth-child(1),td:nth-child(3),td:nth-child(4){white-space:normal}</style><h1>Benchmarks</h1>
        <p>%s</p>
        %s
        <table><tr><th>goal<th>wanted<th>measured<th><th>date<th>commit
        """
            .formatted(BenchmarkReport.STYLE, ABOUT, picture));
    for (var line : lines) {
      var cells =
          Stream.of(
              html(line.goal().title()),
              html(line.goal().wanted()),
              html(line.measured()),
              html(line.state())
                  + line.profileOfMiss()
                      .map(profile -> ", <a href=\"%s\">profile</a>".formatted(profile.page()))
                      .orElse(""),
              html(line.of(ResultText::date)),
              html(line.of(ResultText::commit)));
      page.append(cells.collect(Collectors.joining("<td>", "<tr><td>", "\n")));
    }
    page.append("</table>\n<h2>Results</h2>\n<ul>\n");
    for (var results : all()) {
      page.append(
          "<li><a href=\"%s\">%s</a>: %s. %s\n"
              .formatted(
                  results.page(), results.name(), html(results.title()), html(results.run())));
    }
    return page.append("</ul></html>\n").toString();
  }

  private List<ResultText> all() throws IOException {
    var all = new ArrayList<ResultText>();
    try (var files = Files.list(folder)) {
      for (var file : files.map(one -> one.getFileName().toString()).sorted().toList()) {
        if (file.endsWith(ResultText.TEXT)) {
          all.addAll(ResultText.in(folder, file.replace(ResultText.TEXT, "")).stream().toList());
        }
      }
    }
    return all;
  }

  private static String html(String text) {
    return BenchmarkReport.escaped(text).replaceAll("`([^`]*)`", "<code>$1</code>");
  }

  /** Returns the README with another table: the first lines below the heading that begin with |. */
  private String withTable(Path readme, String text) {
    int heading = text.indexOf(HEADING);
    int begin = heading < 0 ? -1 : text.indexOf("\n|", heading) + 1;
    if (begin <= 0) {
      throw new IllegalStateException(readme + " has no table below" + HEADING.stripTrailing());
    }
    int end = begin;
    while (text.startsWith("|", end)) {
      end = text.indexOf('\n', end) + 1;
    }
    return text.substring(0, begin) + table() + text.substring(end);
  }

  private String table() {
    var table = new StringBuilder("| goal | | measured | | results of |\n|---|---|---|---|---|\n");
    for (var line : lines) {
      var why = line.isMissed() ? ", [why](%s)".formatted(line.goal().section()) : "";
      var profile =
          line.profileOfMiss()
              .map(results -> ", [profile](results/%s)".formatted(results.page()))
              .orElse("");
      table.append(
          "| %s | %s | %s | %s%s%s | %s |\n"
              .formatted(
                  line.goal().title(),
                  line.goal().wanted(),
                  line.measured(),
                  line.state(),
                  why,
                  profile,
                  line.of(GoalsPage::link)));
    }
    return table.toString();
  }

  private static String link(ResultText results) {
    return "[%s](results/%s), commit %s"
        .formatted(results.date(), results.page(), results.commit());
  }
}
