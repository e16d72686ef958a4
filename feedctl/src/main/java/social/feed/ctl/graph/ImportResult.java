package social.feed.ctl.graph;

import java.util.ArrayList;
import java.util.List;

/**
 * The result of an import.
 *
 * @param survey the content of the file
 * @param accounts the number of new accounts
 * @param edges the number of new edges
 * @param posts the number of new posts
 * @param renamed a sentence for each new account without the handle of its id
 * @param refused a sentence for each account or follower of which something was skipped
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
