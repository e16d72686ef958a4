package social.feed.ctl.plan;

import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The sections of a plan as text, Markdown or JSON. */
public final class PlanReport {
  private final List<Section> sections;

  private PlanReport(List<Section> sections) {
    this.sections = List.copyOf(sections);
  }

  static PlanReport of(PlanInputs inputs, Prices prices) {
    return new PlanReport(new CapacityPlan(inputs, prices).sections());
  }

  /** Returns the report as plain text. */
  public String plain() {
    return sections.stream().map(Section::plain).collect(Collectors.joining("\n"));
  }

  /** Returns the report as Markdown with headings of the third level. */
  public String markdown() {
    return sections.stream().map(Section::markdown).collect(Collectors.joining());
  }

  /** Returns the report as JSON: for each section its rows, as objects with the columns' names. */
  public String json() {
    var all = new LinkedHashMap<String, Object>();
    sections.forEach(section -> all.put(section.title(), rows(section)));
    try {
      return JsonMapper.createDefault().writeValueAsString(all) + "\n";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A column without a name is the picture of the row. Columns of one name have numbers. */
  private static List<Map<String, Object>> rows(Section section) {
    var rows = new ArrayList<Map<String, Object>>();
    for (var cells : section.rows()) {
      var row = new LinkedHashMap<String, Object>();
      for (int c = 0; c < cells.size(); c++) {
        var name = section.columns().get(c);
        if (!name.isEmpty() && !cells.get(c).equals("")) {
          row.put(row.containsKey(name) ? name + " " + c : name, cells.get(c));
        }
      }
      rows.add(row);
    }
    return rows;
  }
}
