package social.feed.api.edge.problem;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.json.tree.JsonNode;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;

@MicronautTest
class ITProblems {
  private final Api anonymous;
  private final Api alice;

  ITProblems(EmbeddedServer server) {
    this.anonymous = Api.anonymous(server.getURI());
    this.alice = anonymous.as("alice");
  }

  private static void assertProblem(Answer answer, int status, String code) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    assertThat(answer.header("Content-Type")).hasValue("application/problem+json");
    assertThat(answer.code()).isEqualTo(code);
    assertThat(answer.at("type")).isEqualTo("urn:feed:problem:" + code);
    assertThat(answer.at("status")).isEqualTo("" + status);
    assertThat(answer.at("title")).isNotBlank();
    assertThat(answer.at("detail")).isNotBlank();
    assertThat(answer.at("instance")).startsWith("urn:uuid:");
    assertThat(answer.header("X-Content-Type-Options")).hasValue("nosniff");
    assertThat(answer.header("Cache-Control")).hasValue("no-store");
  }

  private static void assertField(Answer answer, String field, String message) {
    assertProblem(answer, 400, "invalid_request");
    var error = answer.json().get("errors").get(0);
    assertThat(error.get("field").getStringValue()).isEqualTo(field);
    assertThat(error.get("message").getStringValue()).isEqualTo(message);
  }

  @Test
  void body_wellFormed_comesBackInSnakeCaseWithoutNulls() {
    Answer answer =
        alice.post(
            "/v1/odd/things", "{\"display_name\":\"A\",\"made_at\":\"2026-11-20T09:15:00+01:00\"}");

    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    assertThat(answer.text())
        .isEqualTo("{\"display_name\":\"A\",\"made_at\":\"2026-11-20T08:15:00.000Z\"}");
    assertThat(answer.header("Content-Type")).hasValue("application/json");
    assertThat(answer.header("Cache-Control")).hasValue("no-store");
  }

  @Test
  void answer_withEmptyList_keepsItAndCutsTimesToMilliseconds() {
    assertThat(alice.get("/v1/odd/empty-list").text())
        .isEqualTo(
            "{\"display_name\":\"A\",\"made_at\":\"1970-01-01T00:00:00.999Z\",\"parts\":[]}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "{\"display_name\":}",
        "nope",
        "\"",
        "{\"display_name\":\"A\"}}",
        "{\"display_name\":\"A\"} x",
        "{\"display_name\":\"A\"}{\"display_name\":\"B\"}",
        "{\"display_name\":\"A\u0001\"}",
        "{\"display_name\":\"A\",}",
        "{'display_name':'A'}"
      })
  void body_notJson_isRefused(String body) {
    assertProblem(alice.post("/v1/odd/things", body), 400, "invalid_json");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "null", "1", "\"text\"", "[{\"display_name\":\"A\"}]"})
  void body_notAnObject_isRefused(String body) {
    assertProblem(alice.post("/v1/odd/things", body), 400, "invalid_request");
  }

  @Test
  void body_absent_isRefused() {
    assertField(alice.post("/v1/odd/things", ""), "body", "is required");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"display_name\":\"A\",\"extra_field\":2} | extra_field | is not known",
        "{\"display_name\":\"A\",\"extra\":{\"x\":[]}} | extra | is not known",
        "{\"display_name\":\"A\",\"displayName\":\"B\"} | displayName | is not known",
        "{\"display_name\":\"A\",\"display_name\":\"B\"} | display_name | is given twice",
        "{} | display_name | is required",
        "{\"display_name\":null} | display_name | is required",
        "{\"display_name\":1} | display_name | must be text",
        "{\"display_name\":[\"A\"]} | display_name | must be text",
        "{\"display_name\":{}} | display_name | must be text",
        "{\"display_name\":\"A\",\"note\":true} | note | must be text",
        "{\"display_name\":\"A\",\"note\":[\"x\"]} | note | must be text",
        "{\"display_name\":\"A\",\"colour\":\"BLUE\"} | colour | must be one of red, GREEN",
        "{\"display_name\":\"A\",\"colour\":[\"red\"]} | colour | must be one of red, GREEN",
        "{\"display_name\":\"A\",\"colour\":1} | colour | must be one of red, GREEN",
        "{\"display_name\":\"A\",\"made_at\":\"today\"} | made_at | must be a time such as 2026-11-20T09:15:00Z",
        "{\"display_name\":\"A\",\"made_at\":[\"2026-11-20T09:15:00Z\"]} | made_at | must be a time such as 2026-11-20T09:15:00Z",
        "{\"display_name\":\"A\",\"made_at\":12345} | made_at | must be a time such as 2026-11-20T09:15:00Z",
        "{\"display_name\":\"A\",\"parts\":\"x\"} | parts | must be a list"
      })
  void body_wrongField_isNamed(String body, String field, String message) {
    assertField(alice.post("/v1/odd/things", body), field, message);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-20T09:15:00.5-23:59, 2026-11-21T09:14:00.500Z",
    "2026-11-20t09:15:00.123456789z, 2026-11-20T09:15:00.123Z",
    "0000-01-01T00:00:00Z, 0000-01-01T00:00:00.000Z",
    "9999-12-31T23:59:59.999999999Z, 9999-12-31T23:59:59.999Z",
    "0000-01-01T00:00:00+23:59, 0000-01-01T00:00:00.000Z",
    "9999-12-31T23:59:59-23:59, 9999-12-31T23:59:59.999Z"
  })
  void time_asRfc3339HasIt_isTaken(String time, String shown) {
    Answer answer =
        alice.post("/v1/odd/things", "{\"display_name\":\"A\",\"made_at\":\"" + time + "\"}");

    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    assertThat(answer.at("made_at")).isEqualTo(shown);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-11-20T09:15Z",
        "2026-11-20T09:15:00",
        "2026-11-20T09:15:00+01",
        "2026-11-20T09:15:00+24:00",
        "2026-11-20T09:15:00+01:00:30",
        "2026-11-20 09:15:00Z",
        "2026-02-30T09:15:00Z",
        "+12026-11-20T09:15:00Z",
        "2026-11-20T09:15:00Z[UTC]"
      })
  void time_inAnotherForm_isRefused(String time) {
    assertField(
        alice.post("/v1/odd/things", "{\"display_name\":\"A\",\"made_at\":\"" + time + "\"}"),
        "made_at",
        "must be a time such as 2026-11-20T09:15:00Z");
  }

  @ParameterizedTest
  @CsvSource({
    "a?limit=ten, limit must be a whole number",
    "a?keep_history=1, keep_history must be true or false"
  })
  void variable_ofTheWrongType_namesTheExpectedType(String path, String detail) {
    assertThat(alice.get("/v1/odd/variables/" + path).at("detail")).isEqualTo(detail);
  }

  @Test
  void body_nestedTooDeep_isRefused() {
    String deep = "[".repeat(20_000) + "]".repeat(20_000);

    Answer answer = alice.post("/v1/odd/things", "{\"parts\":" + deep + "}");

    assertProblem(answer, 400, "invalid_json");
    assertThat(answer.text()).contains("nested too deep").doesNotContain("Stream", "Constraints");
  }

  @Test
  void body_over64KiB_isRefused() {
    String note = "x".repeat(64 * 1024);

    assertProblem(alice.post("/v1/odd/things", "{\"note\":\"" + note + "\"}"), 413, "too_large");
  }

  @Test
  void body_of64KiB_isTaken() {
    String frame = "{\"display_name\":\"A\",\"note\":\"\"}";
    String note = "x".repeat(64 * 1024 - frame.length());

    Answer answer =
        alice.post("/v1/odd/things", frame.replace("\"note\":\"", "\"note\":\"" + note));

    assertThat(answer.status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/xml",
        "application/*",
        "*/*"
      })
  void body_ofAnotherType_isRefused(String type) {
    assertProblem(
        alice.with("Content-Type", type).send("POST", "/v1/odd/things", "display_name=A"),
        415,
        "unsupported_media_type");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json; charset=utf-8",
        "application/json;charset=UTF-8",
        "APPLICATION/JSON"
      })
  void body_ofJsonInAnySpelling_isTaken(String type) {
    Answer answer =
        alice.with("Content-Type", type).send("POST", "/v1/odd/things", "{\"display_name\":\"ä\"}");

    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    assertThat(answer.at("display_name")).isEqualTo("ä");
  }

  @Test
  void body_ofNoDeclaredType_isTakenForJson() {
    assertThat(alice.send("POST", "/v1/odd/things", "{\"display_name\":\"a\"}").status())
        .isEqualTo(200);
    assertProblem(alice.send("POST", "/v1/odd/things", "{"), 400, "invalid_json");
  }

  @Test
  void route_unknown_is404WithAndWithoutToken() {
    assertProblem(alice.get("/v1/nowhere"), 404, "not_found");
    assertProblem(anonymous.get("/v1/nowhere"), 404, "not_found");
    assertProblem(anonymous.get("/"), 404, "not_found");
  }

  @Test
  void method_wrong_is405WithAllow() {
    Answer answer = alice.send("PUT", "/v1/odd/things", null);

    assertProblem(answer, 405, "method_not_allowed");
    assertThat(answer.header("Allow")).hasValue("POST");
  }

  @Test
  void method_unknown_is405() {
    assertProblem(alice.send("BREW", "/v1/odd/things", null), 405, "method_not_allowed");
  }

  @Test
  void accept_excludingJson_is406() {
    assertProblem(alice.with("Accept", "image/png").get("/v1/odd/me"), 406, "not_acceptable");
  }

  @ParameterizedTest
  @CsvSource({
    "ABC, id",
    "a%20b, id",
    "a%00, id",
    "a?limit=0, limit",
    "a?limit=51, limit",
    "a?limit=ten, limit",
    "a?limit=1e1, limit",
    "a?limit=99999999999, limit",
    "a?limit=, limit",
    "a?keep_history=maybe, keep_history",
    "a?keep_history=1, keep_history",
    "a?keep_history=, keep_history",
    "a?limit=1&limit=2, limit"
  })
  void variable_wrong_isNamed(String path, String field) {
    Answer answer = alice.get("/v1/odd/variables/" + path);

    assertProblem(answer, 400, "invalid_request");
    assertThat(answer.json().get("errors").get(0).get("field").getStringValue()).isEqualTo(field);
  }

  /** Errors of form come first, and make the request malformed; each kind is sorted by name. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET | /v1/odd/variables/ABC?limit=0&keep_history=x | | 400"
            + " | id must match \"[a-z]{1,8}\", keep_history must be true or false, limit must be"
            + " greater than or equal to 1",
        "GET | /v1/posts/x%23/likes?limit=ten | | 400"
            + " | id must match \"^[A-Za-z0-9_-]{1,64}$\", limit must be a whole number",
        "GET | /v1/feed?explain=1&special_first=2&limit=101 | | 400"
            + " | explain must be true or false, limit must be less than or equal to 50,"
            + " special_first must be true or false",
        "GET | /v1/tags/a%20b/posts?limit=0 | | 400"
            + " | limit must be greater than or equal to 1, tag is not a tag",
        "GET | /v1/leaderboards/authors?by=x&limit=101&period=1 | | 400"
            + " | by is followers or gained, limit must be less than or equal to 100,"
            + " period is a month such as 2026-11, or absent for this one",
        "GET | /v1/feed?limit=&cursor=&explain=1&explain=2 | | 400"
            + " | cursor is empty, explain is given more than once, limit is empty",
        "GET | /v1/users/x%23/followers?cursor=&limit=0 | | 400"
            + " | cursor is empty, id must match \"^[A-Za-z0-9_-]{1,64}$\", limit must"
            + " be greater than or equal to 1",
        "GET | /v1/users/x%23/followers?limit=1&limit=x&more= | | 400"
            + " | id must match \"^[A-Za-z0-9_-]{1,64}$\", limit is given more than"
            + " once, more is empty",
        "GET | /v1/relationships?x= | | 400 | ids is required, x is empty",
        "GET | /v1/relationships?ids= | | 400 | ids is empty",
        "GET | /v1/odd/pair/ABC?limit=x | | 400"
            + " | id must match \"[a-z]{1,8}\", limit must be a whole number, other_name is required,"
            + " some_name is required",
        "POST | /v1/posts/x%23/comments | {} | 400"
            + " | id must match \"^[A-Za-z0-9_-]{1,64}$\", text is required",
        "POST | /v1/posts/x%23/comments | {'text':1} | 400"
            + " | id must match \"^[A-Za-z0-9_-]{1,64}$\", text must be text",
        "POST | /v1/posts/x%23/comments | {'text'} | 400"
            + " | body is not JSON at line 1, column 8, id must match \"^[A-Za-z0-9_-]{1,64}$\"",
        "POST | /v1/posts/x%23/comments | | 400"
            + " | body is required, id must match \"^[A-Za-z0-9_-]{1,64}$\"",
        "POST | /v1/posts/x%23/comments?x= | {'text':''} | 400"
            + " | id must match \"^[A-Za-z0-9_-]{1,64}$\", x is empty, text is empty",
        "POST | /v1/posts?x= | {'text':1} | 400 | text must be text, x is empty",
        "POST | /v1/posts?x= | {'text':'a'} b | 400"
            + " | body is not JSON at line 1, column 14, x is empty",
        "POST | /v1/posts?x= | null | 400 | body is null, x is empty",
        "POST | /v1/posts?x= | | 400 | body is required, x is empty",
        "POST | /v1/users | {'handle':'!','display_name':'','bio':'\\t'} | 422"
            + " | bio has a character that is not allowed, display_name is empty,"
            + " handle must match ^[A-Za-z0-9_]{3,30}$",
        "PATCH | /v1/users/me | {'handle':'!','display_name':' '} | 422"
            + " | display_name is empty, handle must match ^[A-Za-z0-9_]{3,30}$",
        "POST | /v1/posts | {'text':'','media_ref':''} | 422 | media_ref is empty, text is empty",
        "POST | /v1/posts/x%23/comments | {'text':''} | 400"
            + " | id must match \"^[A-Za-z0-9_-]{1,64}$\", text is empty",
        "PUT | /v1/users/x%23/mute | {'until':'1999-01-01T00:00:00Z'} | 400"
            + " | id must match \"^[A-Za-z0-9_-]{1,64}$\", until is not in the future",
        "PUT | /v1/users/x/mute | {'until':'2999-01-01T00:00:00Z'} | 422"
            + " | until is more than ten years away"
      })
  void errors_areReportedTogether(
      String method, String path, String body, int status, String errors) {
    Answer answer =
        alice
            .with("Content-Type", "application/json")
            .send(method, path, body == null ? null : body.replace('\'', '"'));

    assertProblem(answer, status, status == 400 ? "invalid_request" : "invalid_content");
    List<String> found = errors(answer);
    assertThat(String.join(", ", found)).isEqualTo(errors);
    assertThat(answer.at("detail")).isEqualTo(found.getFirst());
  }

  @Test
  void header_wrong_isReportedWithTheRest() {
    Answer stream = alice.with("Last-Event-ID", "x").get("/v1/stream?limit=");
    Answer post =
        alice.with("Idempotency-Key", "a b").post("/v1/posts/x%23/comments", "{\"text\":1}");

    assertProblem(stream, 400, "invalid_request");
    assertThat(errors(stream))
        .containsExactly("Last-Event-ID must be the id of an event", "limit is empty");
    assertThat(errors(post))
        .extracting(error -> error.split(" ")[0])
        .containsExactly("id", "idempotency_key", "text");
  }

  @Test
  void body_notJson_aloneHasItsOwnCode() {
    Answer answer = alice.post("/v1/posts", "{");

    assertProblem(answer, 400, "invalid_json");
    assertThat(errors(answer)).containsExactly("body is not JSON at line 1, column 2");
  }

  private static List<String> errors(Answer answer) {
    List<String> found = new ArrayList<>();
    for (JsonNode error : answer.json().get("errors").values()) {
      found.add(error.get("field").getStringValue() + " " + error.get("message").getStringValue());
    }
    return found;
  }

  @Test
  void text_withManyTagsAndHandles_hasAnErrorForEach() {
    String text =
        IntStream.range(0, 11).mapToObj(i -> "#t" + i + " @abc" + i).collect(joining(" "));

    Answer answer = alice.post("/v1/posts", "{\"text\":\"" + text + "\"}");

    assertProblem(answer, 422, "invalid_content");
    assertThat(answer.text())
        .contains("names more than 10 accounts\"},{\"field\":\"text\",\"message\":\"names more")
        .contains("names more than 10 tags");
  }

  @Test
  void variable_right_isTaken() {
    Answer answer = alice.get("/v1/odd/variables/a?limit=50&keep_history=true");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.at("limit")).isEqualTo("50");
    assertThat(answer.at("keep")).isEqualTo("true");
    assertThat(alice.get("/v1/odd/variables/a").at("limit")).isEqualTo("20");
  }

  @Test
  void variable_missing_isNamed() {
    assertField(alice.get("/v1/odd/required"), "some_name", "is required");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "throughput",
        "request-limit",
        "throttling",
        "conflict",
        "cancelled-conflict",
        "cancelled-throttling",
        "unreachable",
        "wrapped"
      })
  void failure_thatPasses_is503(String name) {
    Answer answer = alice.get("/v1/odd/failures/" + name);

    assertProblem(answer, 503, "table_busy");
    assertThat(answer.header("Retry-After")).hasValue("1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"condition", "cancelled-condition", "no-table", "defect"})
  void failure_unexpected_is500WithoutDetails(String name) {
    Answer answer = alice.get("/v1/odd/failures/" + name);

    assertProblem(answer, 500, "internal_error");
    assertThat(answer.text()).doesNotContain("PK=", "Exception", "java");
  }

  @Test
  void failure_ofTheDomain_saysItsDetail() {
    Answer answer = alice.get("/v1/odd/failures/domain");

    assertProblem(answer, 404, "not_found");
    assertThat(answer.at("detail")).isEqualTo("There is no such thing");
  }

  @Test
  void failure_withWait_roundsUpToSeconds() {
    assertThat(alice.get("/v1/odd/failures/wait").header("Retry-After")).hasValue("3");
  }

  @Test
  void failure_toHead_hasNoBody() {
    Answer answer = alice.send("HEAD", "/v1/odd/failures/domain", null);

    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.text()).isEmpty();
  }

  @Test
  void route_forMembers_runsOnAVirtualThread() {
    assertThat(alice.get("/v1/odd/me").at("thread")).isEqualTo("true");
  }
}
