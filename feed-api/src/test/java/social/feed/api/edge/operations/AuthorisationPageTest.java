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
            # Authorization

            Written by a test from a matrix whose cells it checks on a running server; do not edit. A route of the OpenAPI
            document without a row fails the build.

            The path contains the id of an account, of a post that the account wrote for its followers, of its comment under that
            post, of its notification, or of a webhook. The caller has no token, is that account, is another account, follows the account,
            is blocked by it, or is another account whose token has the scope of operators, `feed:operate`. A resource that the caller may not see is 404, as if it did not exist; no response is 403, but for those of the local platform to [requests of other origins and host names](running.md#for-tools).

            | route | anonymous | self | other | follower | blocked | operator |
            |---|---|---|---|---|---|---|
            """);
    for (var row : Authorisation.all()) {
      page.append(cells(row)).append('\n');
    }
    page.append(
        """

        ## Outside of the OpenAPI document

        A test compares these routes with those that the server has, so none is left out by mistake. A signed address needs no token:
        until it ends, it is answered to anyone who has it. Only responses to callers who may see the file contain it. The statuses are those with the right
        signature. Without one it is 400, with another one 404, with any token.

        | route | anonymous | self | other | follower | blocked | operator | |
        |---|---|---|---|---|---|---|---|
        """);
    for (var exemption : Exemption.all()) {
      page.append(cells(exemption.rights())).append(' ').append(exemption.reason()).append(" |\n");
    }
    GeneratedPage.named("authorisation.md").is(page.toString());
  }

  private static String cells(Authorisation row) {
    var cells = new StringBuilder("| `" + method(row) + path(row) + "` |");
    for (Caller caller : Caller.values()) {
      cells.append(' ').append(row.statuses().get(caller)).append(" |");
    }
    return cells.toString();
  }

  private static String method(Authorisation row) {
    return row.operation().substring(0, row.operation().indexOf(' ')).toUpperCase(Locale.ROOT);
  }

  private static String path(Authorisation row) {
    return row.operation().substring(row.operation().indexOf(' '));
  }
}
