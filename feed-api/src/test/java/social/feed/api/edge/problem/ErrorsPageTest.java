package social.feed.api.edge.problem;

import org.junit.jupiter.api.Test;
import social.feed.testkit.GeneratedPage;

/** The catalogue of errors as a page of the documentation. */
class ErrorsPageTest {

  @Test
  void page_isTheCatalogue() {
    var page = new StringBuilder("# Errors\n\nWritten from the code by a test; do not edit.\n\n");
    page.append(
        """
        Every error is `application/problem+json` (RFC 9457) with one of these codes. The local platform also refuses
        [requests of other origins and host names](running.md#for-tools), with 403.

        `errors` lists everything that is wrong with the variables and the fields of a request. First come the errors of form, then those about
        content, each sorted by name. One error of form makes the request `invalid_request`, otherwise it is `invalid_content`. A body that is
        not JSON is `invalid_json` where nothing else is wrong, and one error of `invalid_request` otherwise.

        Three errors are reported later than the rest of the request. The decoder stops at the first wrong field of a body, so the next response
        has the other fields. A list checks its cursor, so `invalid_cursor` comes when all else is right. What depends on the time or on stored
        rows, such as a month too long ago, comes last.

        """);
    page.append("| code | status | cause | remedy |\n|---|---|---|---|\n");
    for (var code : ProblemCode.values()) {
      page.append(
          "| `%s` | %d | %s | %s |\n"
              .formatted(code.code(), code.status().getCode(), code.cause(), code.remedy()));
    }
    GeneratedPage.named("errors.md").is(page.toString());
  }
}
