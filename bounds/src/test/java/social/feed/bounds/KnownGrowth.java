package social.feed.bounds;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import social.feed.bounds.Work.Measure;

/** The cells that are known to grow, each with its formulas: {@code known-growth.txt}. */
record KnownGrowth(List<Line> lines) {
  private static final String FILE = "/known-growth.txt";
  private static final int COLUMNS = 7;

  /**
   * A cell that grows.
   *
   * @param pacing what bounds or paces the work; begins with {@code must be bounded} for growth
   *     that is a defect
   */
  record Line(
      String operation,
      Knob knob,
      Formula calls,
      Formula read,
      Formula write,
      Formula messages,
      String pacing) {
    Formula of(Measure measure) {
      return switch (measure) {
        case CALLS -> calls;
        case READ -> read;
        case WRITE -> write;
        case MESSAGES -> messages;
      };
    }

    /** Returns the same line of another operation. */
    Line of(String other) {
      return new Line(other, knob, calls, read, write, messages, pacing);
    }
  }

  static KnownGrowth load() {
    try (var in = Objects.requireNonNull(KnownGrowth.class.getResourceAsStream(FILE))) {
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads the lines of a text.
   *
   * @throws IllegalArgumentException for a line that cannot be read, and for a cell with two lines
   */
  static KnownGrowth parse(String text) {
    var lines = new ArrayList<Line>();
    var cells = new HashSet<List<Object>>();
    for (var line : text.lines().filter(l -> !l.isBlank() && !l.startsWith("#")).toList()) {
      var columns = line.split("\\|", -1);
      if (columns.length != COLUMNS) {
        throw new IllegalArgumentException("Not seven columns: " + line);
      }
      int at = 0;
      var read =
          new Line(
              columns[at++].strip(),
              Knob.valueOf(columns[at++].strip()),
              new Formula(columns[at++].strip()),
              new Formula(columns[at++].strip()),
              new Formula(columns[at++].strip()),
              new Formula(columns[at++].strip()),
              columns[at].strip());
      if (read.pacing().isEmpty() || !cells.add(List.of(read.operation(), read.knob()))) {
        throw new IllegalArgumentException("No pacing, or a second line for the cell: " + line);
      }
      lines.add(read);
    }
    return new KnownGrowth(List.copyOf(lines));
  }

  Optional<Line> of(String operation, Knob knob) {
    return lines.stream()
        .filter(line -> line.operation().equals(operation) && line.knob() == knob)
        .findAny();
  }
}
