package social.feed.api.edge.problem;

import org.junit.jupiter.api.Test;
import social.feed.testkit.GeneratedPage;

/** The catalogue of errors as a page of the documentation. */
class ErrorsPageTest {

  @Test
  void page_isTheCatalogue() {
    var page = new StringBuilder("# Errors\n\nWritten from the code by a test; do not edit.\n\n");
    page.append(
        "Every error is `application/problem+json` (RFC 9457) with one of these codes.\n\n");
    page.append("| code | status | cause | remedy |\n|---|---|---|---|\n");
    for (var code : ProblemCode.values()) {
      page.append(
          "| `%s` | %d | %s | %s |\n"
              .formatted(code.code(), code.status().getCode(), code.cause(), code.remedy()));
    }
    GeneratedPage.named("errors.md").is(page.toString());
  }
}
