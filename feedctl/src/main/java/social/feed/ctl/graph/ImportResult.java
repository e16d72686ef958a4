package social.feed.ctl.graph;

import java.util.ArrayList;
import java.util.List;

/**
 * What an import did.
 *
 * @param survey what the file holds
 * @param accounts how many were new
 * @param edges how many were new
 * @param posts how many were new
 * @param renamed new accounts that have not the handle of their id, in sentences
 * @param refused what broke a rule, in sentences
 */
public record ImportResult(
    GraphSurvey survey,
    long accounts,
    long edges,
    long posts,
    List<String> renamed,
    List<String> refused) {

  static final class Builder {
    final GraphSurvey survey;
    long accounts;
    long edges;
    long posts;
    final List<String> renamed = new ArrayList<>();
    final List<String> refused = new ArrayList<>();

    Builder(GraphSurvey survey) {
      this.survey = survey;
    }

    ImportResult build() {
      return new ImportResult(
          survey, accounts, edges, posts, List.copyOf(renamed), List.copyOf(refused));
    }
  }
}
