package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the command {@code load} on a platform of its own, and what it refuses. */
class ITLoad {
  @TempDir private Path folder = Path.of("");

  private static CommandRun run(String... arguments) {
    return CommandRun.of(
        Stream.concat(Stream.of("load"), Stream.of(arguments)).toArray(String[]::new));
  }

  @Test
  void load_onAPlatformOfItsOwn_reportsAndVerifies() throws IOException {
    var json = folder.resolve("load.json");
    var html = folder.resolve("load.html");

    var result =
        run(
            "--accounts",
            "20",
            "--follows",
            "3",
            "--posts-per-user",
            "1",
            "--rate",
            "20",
            "--duration",
            "2",
            "--warm-up",
            "1",
            "--json",
            json.toString(),
            "--report",
            html.toString());

    assertThat(result.code()).as(result.err() + result.out()).isZero();
    var report = new ObjectMapper().readTree(json.toFile());
    var page = Files.readString(html);
    assertThat(report.path("accounts").asInt()).isEqualTo(20);
    assertThat(report.path("verified").path("drift").asInt(-1)).isZero();
    assertThat(report.path("units").path("behind").path("write_units").asDouble()).isPositive();
    assertThat(result.out())
        .contains(
            "verify: %,d rows, 0 drift.".formatted(report.path("verified").path("rows").asLong()))
        .contains(
            "%,d requests scheduled".formatted(report.path("requests").path("scheduled").asLong()));
    assertThat(result.err())
        .containsPattern("warm-up +\\d+ s  sent ")
        .containsPattern("load +\\d+ s  sent ");
    sumsAreThoseOfTheActions(report);
    assertThat(page).doesNotContain("<script", "http-equiv=\"refresh\"", "src=", "@import", "url(");
    for (var action : report.path("actions")) {
      var row =
          page.lines()
              .filter(line -> line.contains("<td>" + action.path("action").asText() + "</td>"))
              .findFirst()
              .orElseThrow();
      assertThat(numbers(action))
          .as(action.toString())
          .allMatch(number -> row.contains("<td>" + number + "</td>"));
    }
    for (var part : List.of("requests", "units", "lag")) {
      assertThat(numbers(report.path(part)))
          .as(part)
          .allMatch(
              number ->
                  page.contains("<td>" + number + "</td>") || page.contains(" " + number + " "));
    }
  }

  private static void sumsAreThoseOfTheActions(JsonNode report) {
    long requests = 0;
    double reads = 0;
    for (var action : report.path("actions")) {
      requests += action.path("requests").asLong();
      reads += action.path("read_units").asDouble();
    }
    assertThat(requests).isEqualTo(report.path("requests").path("sent").asLong()).isPositive();
    assertThat(reads)
        .isEqualTo(report.path("units").path("requests").path("read_units").asDouble());
  }

  /** Returns all numbers of a node, but the times of service, of which the page shows one. */
  private static List<String> numbers(JsonNode node) {
    var numbers = new ArrayList<String>();
    node.properties()
        .forEach(
            field -> {
              if (field.getValue().isNumber()) {
                numbers.add(field.getValue().asText());
              } else if (!field.getKey().equals("service_time")
                  && !field.getKey().equals("codes")) {
                numbers.addAll(numbers(field.getValue()));
              }
            });
    return numbers;
  }

  @ParameterizedTest
  @CsvSource({
    "https://feed.example.com, ''",
    "https://feed.example.com, other.example.com",
    "http://10.0.0.7:8080, ''",
    "http://127.0.0.1.example.com, ''"
  })
  void anotherMachine_isRefusedWithoutConsent(String url, String owned) {
    var result =
        owned.isEmpty() ? run("--url", url) : run("--url", url, "--i-own-this-host", owned);

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("is not this machine").contains("--i-own-this-host");
  }

  @Test
  void anotherMachine_needsTokens() {
    var result = run("--url", "https://feed.invalid", "--i-own-this-host", "feed.invalid");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("needs --tokens");
  }

  @ParameterizedTest
  @CsvSource({
    "--rate, 0, --rate must be",
    "--rate, 5001, --rate must be",
    "--duration, 3601, --duration must be",
    "--accounts, 1, --accounts must be",
    "--accounts, 1000001, --accounts must be",
    "--follows, 0, --follows must be",
    "--posts-per-user, 51, --posts-per-user must be",
    "--in-flight, 0, --in-flight must be",
    "--warm-up, -1, --warm-up must be",
    "--graph, no-such-file, cannot read the file",
    "--report, no/such/folder/r.html, cannot write the file",
    "--tokens, no-such-file, --tokens needs --url",
    "--i-own-this-host, localhost, needs --url",
    "--url, ftp://127.0.0.1, --url must be the address"
  })
  void optionsOutOfBounds_areRejected(String option, String value, String message) {
    var result = run(option, value);

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains(message);
  }

  @Test
  void urlWithoutAPlatform_isReported() {
    var result = run("--url", "http://127.0.0.1:1");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("No platform answers at http://127.0.0.1:1");
  }

  @Test
  void wrongMix_isReported() throws IOException {
    var mix = Files.writeString(folder.resolve("mix.properties"), "likes=3\n");

    var result = run("--mix", mix.toString());

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("The mix has no likes. It has older, read");
  }
}
