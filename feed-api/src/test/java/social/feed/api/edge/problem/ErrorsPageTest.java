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
        Every error is `application/problem+json` (RFC 9457) with one of these codes.

        `errors` lists everything that is wrong with the variables and the fields of a request. First come the errors of form, then those about
        content, each sorted by name. One error of form makes the request `invalid_request`, otherwise it is `invalid_content`. Three errors are
        reported before the others, since nothing else can be read: a query variable that is empty or repeated, a required variable that is
        missing, and a body that cannot be decoded.

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
