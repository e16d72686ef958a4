package social.feed.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The results of a run: text, which is printed at once, a page, and the plots of the page as files
 * of their own. {@code benchmarks/keep} copies them to where they are committed.
 */
final class BenchmarkReport {
  /** Quick runs have another one, whose results are not kept. */
  private static final Path FOLDER =
      Path.of(System.getProperty("benchmark.results", "target/results"));

  private static final String BETWEEN = "  ";

  /** Of each page. */
  static final String STYLE =
      """
      :root{color-scheme:light dark}
      body{font:15px/1.45 system-ui,sans-serif;max-width:76rem;margin:2rem auto;padding:0 1rem}
      table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:1rem 0}
      th,td{padding:.3rem .7rem;text-align:right;border-bottom:1px solid #8a94a366}
      th:first-child,td:first-child{text-align:left}
      svg{max-width:100%;height:auto;margin:0 1rem 1rem 0}
      """;

  private final String name;
  private final StringBuilder text = new StringBuilder();
  private final StringBuilder page = new StringBuilder();
  private final Map<String, String> plots = new LinkedHashMap<>();

  /**
   * Begins with the title, the date and the machine.
   *
   * @param name the beginning of the names of all files
   */
  BenchmarkReport(String name, String title) {
    this(name, title, Machine.description());
  }

  /**
   * Begins with the title and the run.
   *
   * @param name the beginning of the names of all files
   * @param run the date, the commit and the machine, as {@link Machine#description} has them
   */
  BenchmarkReport(String name, String title, String run) {
    this.name = name;
    page.append(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>%1$s</title><style>%2$s</style><h1>%1$s</h1>%n"
            .formatted(escaped(title), STYLE));
    print(title);
    paragraph(run);
  }

  void heading(String heading) {
    print("\n" + heading);
    page.append("<h2>%s</h2>%n".formatted(escaped(heading)));
  }

  void paragraph(String paragraph) {
    print(paragraph);
    page.append("<p>%s</p>%n".formatted(escaped(paragraph)));
  }

  /** Adds a table. The first column is aligned to the left, all others to the right. */
  void table(List<String> header, List<List<String>> rows) {
    var widths =
        IntStream.range(0, header.size())
            .map(
                column ->
                    IntStream.concat(
                            IntStream.of(1, header.get(column).length()),
                            rows.stream().mapToInt(row -> row.get(column).length()))
                        .max()
                        .orElseThrow())
            .toArray();
    print("");
    print(line(header, widths));
    page.append("<table>");
    page.append(cells("th", header));
    for (var row : rows) {
      print(line(row, widths));
      page.append(cells("td", row));
    }
    page.append("</table>\n");
  }

  private static String line(List<String> cells, int[] widths) {
    return IntStream.range(0, cells.size())
        .mapToObj(i -> ("%" + (i == 0 ? "-" : "") + widths[i] + "s").formatted(cells.get(i)))
        .collect(Collectors.joining(BETWEEN))
        .stripTrailing();
  }

  private static String cells(String element, List<String> cells) {
    return cells.stream()
        .map(cell -> "<%s>%s".formatted(element, escaped(cell)))
        .collect(Collectors.joining("", "<tr>", "\n"));
  }

  /**
   * Adds a plot.
   *
   * @param file the end of the name of its file
   */
  void plot(String file, String svg) {
    plots.put(file, svg);
    page.append(svg).append('\n');
  }

  private void print(String line) {
    System.out.println(line);
    text.append(line).append('\n');
  }

  /** Writes the text, the page and each plot. */
  void write() throws IOException {
    Files.createDirectories(FOLDER);
    write(".txt", text.toString());
    write(".html", page + "</html>\n");
    for (var plot : plots.entrySet()) {
      write("-" + plot.getKey() + ".svg", plot.getValue() + "\n");
    }
    System.out.println("\nPage: benchmarks/" + FOLDER.resolve(name + ".html"));
  }

  private void write(String end, String content) throws IOException {
    Files.writeString(FOLDER.resolve(name + end), content, UTF_8);
  }

  /** Returns a text as HTML. */
  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }
}
