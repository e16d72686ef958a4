package social.feed.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The results of a run, read from the text that {@link BenchmarkReport} writes.
 *
 * @param file the name of the text
 * @param title the first line
 * @param run the second line: date, commit and machine
 */
record ResultText(String file, String title, String run, String text, List<Table> tables) {
  /** The name of results that show where time goes; of one benchmark: with its name behind. */
  static final String PROFILES = "profiles";

  /** The end of the name of a text. */
  static final String TEXT = ".txt";

  private static final Pattern RUN = Pattern.compile("(\\d{4}-\\d\\d-\\d\\d), commit ([^,]+), .*");

  /** Between the cells of a line. No cell has it. */
  private static final Pattern BETWEEN = Pattern.compile(" {2,}");

  private static final Pattern NUMBER = Pattern.compile("\\d[\\d,]*(\\.\\d+)?");
  private static final String MISSED = "misses";

  /** In a row whose ratio says nothing of a goal: a compiler still worked for it. */
  static final String UNDECIDED = "not warm";

  /**
   * A figure of a run.
   *
   * @param label what of the goal it is about; empty if there is nothing else
   * @param isMissed whether the run says that it misses its goal, which it knows more exactly
   */
  record Figure(String label, double value, boolean isMissed) {
    Figure times(double factor) {
      return new Figure(label, value * factor, isMissed);
    }
  }

  /**
   * A table of the text.
   *
   * @param heading the last one above
   * @param rows cells, without empty ones behind the last
   */
  record Table(String heading, List<String> header, List<List<String>> rows) {
    String name() {
      return header.getFirst();
    }
  }

  /** Reads the text of a benchmark, if the folder has it. */
  static Optional<ResultText> in(Path folder, String name) throws IOException {
    var file = folder.resolve(name + TEXT);
    return Files.exists(file)
        ? Optional.of(of(name + TEXT, Files.readString(file, UTF_8)))
        : Optional.empty();
  }

  /** Reads a text. Fails if it does not begin with a title and a run. */
  static ResultText of(String file, String text) {
    var lines = text.lines().limit(2).toList();
    if (lines.size() < 2 || !RUN.matcher(lines.get(1)).matches()) {
      throw new IllegalStateException(file + " does not begin with a title, a date and a commit");
    }
    return new ResultText(file, lines.get(0), lines.get(1), text, tables(text));
  }

  /** A table is a block of lines of which one has several cells. Another block is a heading. */
  private static List<Table> tables(String text) {
    var tables = new ArrayList<Table>();
    var heading = "";
    for (var block : text.split("\n\n")) {
      var lines = block.lines().map(line -> Arrays.asList(BETWEEN.split(line))).toList();
      if (lines.stream().anyMatch(cells -> cells.size() > 1)) {
        tables.add(new Table(heading, lines.getFirst(), lines.subList(1, lines.size())));
      } else {
        heading = block.lines().findFirst().orElse("");
      }
    }
    return tables;
  }

  /** Returns the name of the results, as {@link #in} takes it. */
  String name() {
    return file.replace(TEXT, "");
  }

  /** Returns the name of the page next to the text. */
  String page() {
    return name() + ".html";
  }

  String date() {
    return ofRun(1);
  }

  String commit() {
    return ofRun(2);
  }

  boolean isOfTheCommitOf(ResultText other) {
    return commit().equals(other.commit());
  }

  private String ofRun(int group) {
    var found = RUN.matcher(run);
    if (!found.matches()) {
      throw new IllegalStateException(file);
    }
    return found.group(group);
  }

  /**
   * Returns the figures of a table that decide on a goal, in its order.
   *
   * @param table the first cell of its header
   * @param column the name of the first column with the figures; a header without any has one
   * @param rows what the first cell of a row must be; its first group is the label
   */
  List<Figure> figures(String table, String column, String rows) {
    return tables.stream()
        .filter(one -> one.name().equals(table))
        .flatMap(one -> figures(one, column, Pattern.compile(rows)).stream())
        .toList();
  }

  /** As {@link #figures}, of the tables below a heading. */
  List<Figure> figuresBelow(String heading, String column, String rows) {
    return tables.stream()
        .filter(one -> one.heading().equals(heading))
        .flatMap(one -> figures(one, column, Pattern.compile(rows)).stream())
        .toList();
  }

  private List<Figure> figures(Table table, String column, Pattern rows) {
    int at = table.header().size() == 1 ? 1 : table.header().indexOf(column);
    if (at < 1) {
      throw new IllegalStateException(
          "%s has no column %s for %s".formatted(file, column, table.name()));
    }
    var figures = new ArrayList<Figure>();
    for (var row : table.rows()) {
      var name = rows.matcher(row.getFirst());
      // A line with one cell is a sentence below the table.
      if (row.size() > 1 && !row.contains(UNDECIDED) && name.matches()) {
        var label = name.groupCount() == 0 ? "" : name.group(1);
        var isMissed = row.stream().anyMatch(cell -> cell.contains(MISSED));
        figures.add(new Figure(label, number(at < row.size() ? row.get(at) : ""), isMissed));
      }
    }
    return figures;
  }

  /** Returns the figures that a sentence has: the first group of each match. */
  List<Figure> sentence(String pattern) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map(found -> found.group(1))
        .map(
            value ->
                value.startsWith("not ")
                    ? new Figure("", Double.POSITIVE_INFINITY, true)
                    : new Figure("", number(value), false))
        .toList();
  }

  private double number(String cell) {
    var number = NUMBER.matcher(cell);
    if (!number.lookingAt()) {
      throw new IllegalStateException("%s has no figure in \"%s\"".formatted(file, cell));
    }
    return Double.parseDouble(number.group().replace(",", ""));
  }
}
