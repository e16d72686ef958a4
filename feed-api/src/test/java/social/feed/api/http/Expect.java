package social.feed.api.http;

import static org.assertj.core.api.Assertions.assertThat;

/** Assertions on responses that all features share. */
public final class Expect {
  private Expect() {}

  public static Answer status(int status, Answer answer) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    return answer;
  }

  public static void problem(int status, String code, Answer answer) {
    status(status, answer);
    assertThat(answer.header("Content-Type")).hasValue("application/problem+json");
    assertThat(answer.code()).isEqualTo(code);
  }

  /** Asserts a problem that names one field. */
  public static void blames(int status, String field, Answer answer) {
    problem(status, status == 400 ? "invalid_request" : "invalid_content", answer);
    assertThat(answer.json().get("errors").get(0).get("field").getStringValue())
        .as(answer.text())
        .isEqualTo(field);
  }
}
