package social.feed.api.edge.operations;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import social.feed.api.edge.operations.Authorisation.Caller;
import social.feed.testkit.GeneratedPage;

/** The authorization matrix as a page of the documentation. */
class AuthorisationPageTest {

  @Test
  void page_isTheMatrix() {
    var page =
        new StringBuilder(
            """
            # Who is answered what

            Written by a test from the matrix that it tries on a running server, each cell; do not edit. A route of the OpenAPI
            document without a row fails the build.

            The path names an account, a post that it wrote for its followers, a comment of its own under that post, or a
            notification of its own. The caller has no token, is that account, is another one, follows it, or is blocked by it. What
            is not for the caller is 404, as if it did not exist; there is no 403.

            | route | anonymous | self | other | follower | blocked |
            |---|---|---|---|---|---|
            """);
    for (var row : Authorisation.all()) {
      page.append("| `").append(method(row)).append(path(row)).append("` |");
      for (Caller caller : Caller.values()) {
        page.append(' ').append(row.statuses().get(caller)).append(" |");
      }
      page.append('\n');
    }
    GeneratedPage.named("authorisation.md").is(page.toString());
  }

  private static String method(Authorisation row) {
    return row.operation().substring(0, row.operation().indexOf(' ')).toUpperCase(Locale.ROOT);
  }

  private static String path(Authorisation row) {
    return row.operation().substring(row.operation().indexOf(' '));
  }
}
