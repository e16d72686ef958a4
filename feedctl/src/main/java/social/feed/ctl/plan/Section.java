package social.feed.ctl.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A part of a plan: a table with notes.
 *
 * @param title in lower case, also the name in JSON
 * @param columns the names of the columns
 * @param rows the cells of each row: numbers or texts
 * @param notes sentences below the table
 */
record Section(String title, List<String> columns, List<List<Object>> rows, List<String> notes) {
  private static final double MANY = 100;
  private static final double SOME = 0.095;

  static Section of(String title, String... columns) {
    return new Section(title, List.of(columns), new ArrayList<>(), new ArrayList<>());
  }

  Section row(Object... cells) {
    rows.add(List.of(cells));
    return this;
  }

  Section note(String note) {
    notes.add(note);
    return this;
  }

  /** Returns a cell as text: numbers in groups of three digits, small ones with a fraction. */
  static String text(Object cell) {
    if (!(cell instanceof Number number)) {
      return cell.toString();
    }
    double value = number.doubleValue();
    if (value == 0) {
      return "0";
    }
    if (value == Math.rint(value) || Math.abs(value) >= MANY) {
      return grouped("%,.0f", value);
    }
    return Math.abs(value) < SOME
        ? String.format(Locale.ROOT, "%.3g", value)
        : grouped("%,.1f", value);
  }

  private static String grouped(String format, double value) {
    return String.format(Locale.ROOT, format, value).replace(',', ' ');
  }

  /** Returns the section as plain text, numbers on the right. */
  String plain() {
    var text = new StringBuilder(title).append('\n');
    var widths = new int[columns.size()];
    for (int c = 0; c < widths.length; c++) {
      widths[c] = columns.get(c).length();
      for (var row : rows) {
        widths[c] = Math.max(widths[c], text(row.get(c)).length());
      }
    }
    line(text, List.copyOf(columns), widths);
    rows.forEach(row -> line(text, row, widths));
    notes.forEach(note -> text.append("  ").append(note).append('\n'));
    return text.toString();
  }

  private void line(StringBuilder text, List<?> cells, int[] widths) {
    var line = new StringBuilder();
    for (int c = 0; c < widths.length; c++) {
      int column = c;
      boolean isText =
          rows.stream().allMatch(row -> row.get(column) instanceof String cell && !cell.isEmpty());
      int width = isText ? -widths[c] : widths[c];
      line.append("  ").append(String.format("%" + width + "s", text(cells.get(c))));
    }
    text.append(line.toString().stripTrailing()).append('\n');
  }

  /** Returns the section as Markdown, below a heading of the third level. */
  String markdown() {
    var text = new StringBuilder("### ").append(title).append("\n\n");
    text.append("| ").append(String.join(" | ", columns)).append(" |\n");
    text.append("|---".repeat(columns.size())).append("|\n");
    for (var row : rows) {
      text.append("| ")
          .append(String.join(" | ", row.stream().map(Section::text).toList()))
          .append(" |\n");
    }
    notes.forEach(note -> text.append('\n').append(note).append('\n'));
    return text.append('\n').toString();
  }
}
