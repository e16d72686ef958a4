package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.table.log.Pseudonyms;
import social.feed.table.row.Key;
import social.feed.testkit.LongRunning;
import social.feed.testkit.StandInCommands;
import social.feed.testkit.StandInCommands.Outcome;

/**
 * Tests the search for the lines of a request, with answers in the format that AWS documents. The
 * account is a folder: a file holds all lines with their logs and times, and the command answers
 * with those that match.
 */
@LongRunning
class ITTrace {
  private static final String REQUEST = "JKJaXmPLvHcESHA=";
  private static final String ITEM = Pseudonyms.ofItem(new Key("POST#1", "META"));
  private static final String PART = Pseudonyms.ofItem(new Key("FANOUT#1", "CHUNK#0"));
  private static final Instant THEN =
      Instant.now().minus(2, ChronoUnit.HOURS).truncatedTo(ChronoUnit.SECONDS);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

  private StandInCommands account;

  /** Answers as the aws command does with {@code --output json}. */
  @BeforeEach
  void writeTheCommand(@TempDir Path folder) throws IOException {
    account = new StandInCommands(folder);
    account.command(
        "aws",
        """
        output() {
          echo "{\\"OutputKey\\": \\"$1\\", \\"OutputValue\\": \\"log-of-$1\\"}"
        }
        case "$*" in
          *describe-stacks*feed-dev-api*)
            echo "{\\"Stacks\\": [{\\"Outputs\\": [$(output TaskLog), $(output GatewayLog), $(output StreamGatewayLog)]}]}"
            ;;
          *describe-stacks*feed-dev-stream*) echo "{\\"Stacks\\": [{\\"Outputs\\": [$(output FunctionLog)]}]}" ;;
          *start-query*)
            echo "$*" >>queries
            echo '{"queryId": "the-query"}'
            ;;
          *get-query-results*)
            if [ -f waits ]; then
              rm waits
              echo '{"status": "Running", "results": []}'
            else
              node lines.mjs "$(tail -n 1 queries)"
            fi
            ;;
          *)
            echo "no answer to $*" >&2
            exit 252
            ;;
        esac
        """);
    // The filters of the queries, as CloudWatch Logs Insights documents them.
    account.given(
        "lines.mjs",
        """
        import fs from 'node:fs'
        const query = /--start-time (\\d+) --end-time (\\d+) --log-group-names (.*) --query-string fields @timestamp, @log, @message \\| filter @message like (.*) \\| sort @timestamp asc \\| limit (\\d+) --output/
        const [, from, to, logs, filter, limit] = process.argv[2].match(query)
        const pattern = filter.match(/^\\/(.*)\\/$/)
        const matches = text => pattern ? new RegExp(pattern[1]).test(text) : text.includes(JSON.parse(filter))
        const results = fs.readFileSync('lines', 'utf8').trim().split('\\n').map((line, at) => [at, ...line.split('\\t')])
          .filter(([, log, time, text]) => {
            const second = Date.parse(time.replace(' ', 'T') + 'Z') / 1000
            return logs.split(' ').includes(log) && second >= from && second <= to && matches(text)
          })
          .slice(0, limit)
          .map(([at, log, time, text]) => [
            {field: '@timestamp', value: time},
            {field: '@log', value: '210987654321:' + log},
            {field: '@message', value: text},
            {field: '@ptr', value: String(at)}])
        console.log(JSON.stringify({status: 'Complete', results}))
        """);
  }

  private void given(String... lines) throws IOException {
    Files.write(account.folder().resolve("lines"), List.of(lines));
  }

  private static String api(int second, String message) {
    return line("log-of-TaskLog", second, message);
  }

  private static String batch(int second, String id, String fields) {
    return line(
        "log-of-FunctionLog",
        second,
        "{\"message\":\"Batch\",\"invocation\":\"%s\",%s}".formatted(id, fields));
  }

  private static String line(String log, int second, String message) {
    return "%s\t%s\t%s".formatted(log, TIME.format(THEN.plusSeconds(second)), message);
  }

  private static String wrote(String items) {
    return "{\"message\":\"Request\",\"request\":\"%s\",\"items\":\"%s\"}"
        .formatted(REQUEST, items);
  }

  private Outcome trace(String... arguments) throws IOException, InterruptedException {
    return account.run(
        Map.of("TRACE_PAUSE", "0"),
        Stream.concat(Stream.of("../trace"), Stream.of(arguments)).toArray(String[]::new));
  }

  @Test
  void linesOfARequest_areThoseOfTheGateway_theApiAndItsBatches() throws Exception {
    given(
        line("log-of-GatewayLog", 0, "{\"id\":\"%s\",\"route\":\"ANY /v1\"}".formatted(REQUEST)),
        api(0, wrote(ITEM)),
        api(
            1,
            "{\"message\":\"Request\",\"request\":\"another-request\",\"items\":\"%s\"}"
                .formatted(ITEM)),
        batch(
            2, "counting", "\"lane\":\"counts\",\"items\":\"0123456789abcdef %s\"".formatted(ITEM)),
        batch(2, "other", "\"items\":\"0123456789abcdef\""));
    account.given("waits", "");

    var found = trace("dev", REQUEST);

    assertThat(found.status()).as(found.output()).isZero();
    assertThat(found.output())
        .contains("\"route\":\"ANY", "\"message\":\"Request\"", "\"counting\"")
        .contains(TIME.format(THEN) + "  log-of-GatewayLog\n  {\"id\"")
        .doesNotContain("another-request", "\"other\"", "missing");
  }

  /** The same item is changed again later, by others. */
  @Test
  void batches_areThoseOfTheMinutesAfterTheRequest() throws Exception {
    given(
        api(0, wrote(ITEM)),
        batch(-120, "before", "\"items\":\"%s\"".formatted(ITEM)),
        batch(14 * 60, "within", "\"items\":\"%s\"".formatted(ITEM)),
        batch(16 * 60, "after", "\"items\":\"%s\"".formatted(ITEM)));

    assertThat(trace("dev", REQUEST).output())
        .contains("\"within\"")
        .doesNotContain("\"before\"", "\"after\"");
    assertThat(
            account
                .run(Map.of("TRACE_PAUSE", "0", "TRACE_AFTER", "20"), "../trace", "dev", REQUEST)
                .output())
        .contains("\"within\"", "\"after\"")
        .doesNotContain("\"before\"");
  }

  /** Logs cost by what is read of them. */
  @Test
  void log_isReadOnce_butThatOfTheFunctionsForTheirParts() throws Exception {
    given(
        api(0, wrote(ITEM)),
        batch(1, "planning", "\"items\":\"%s\",\"parts\":\"%s\"".formatted(ITEM, PART)),
        batch(2, "delivering", "\"items\":\"%s\"".formatted(PART)),
        batch(2, "unrelated", "\"items\":\"0123456789abcdef\""));

    var found = trace("dev", REQUEST);

    assertThat(found.output())
        .containsOnlyOnce("\"planning\"")
        .containsOnlyOnce("\"delivering\"")
        .doesNotContain("\"unrelated\"");
    assertThat(account.lines("queries")).hasSize(3);
    assertThat(account.lines("queries").getFirst())
        .contains("--log-group-names log-of-TaskLog log-of-GatewayLog log-of-StreamGatewayLog --");
    assertThat(account.lines("queries").subList(1, 3))
        .allMatch(query -> query.contains("--log-group-names log-of-FunctionLog --"))
        .allMatch(query -> query.contains("--start-time " + (THEN.getEpochSecond() - 60) + " "));
  }

  @Test
  void requestThatWroteNothing_needsOneQuery() throws Exception {
    given(api(0, "{\"message\":\"Request\",\"request\":\"%s\",\"status\":200}".formatted(REQUEST)));

    var found = trace("dev", "eu-west-1", REQUEST);

    assertThat(found.status()).as(found.output()).isZero();
    assertThat(found.output()).contains("\"status\":200");
    assertThat(account.lines("queries")).hasSize(1);
  }

  @Test
  void linesThatAreCutOff_areReported() throws Exception {
    var lines =
        Stream.concat(
            Stream.of(api(0, wrote(ITEM))),
            IntStream.range(0, 10_001)
                .mapToObj(i -> batch(1, "b", "\"items\":\"%s\"".formatted(ITEM))));
    given(lines.toArray(String[]::new));

    var found = trace("dev", REQUEST);

    assertThat(found.status()).isZero();
    assertThat(found.output())
        .contains("trace: lines are missing: CloudWatch returns 10000. Set TRACE_AFTER below 15.");
  }

  /** A batch logs the first parts that it wrote, and how many more there were. */
  @Test
  void partsThatWereNotLogged_areReported() throws Exception {
    given(
        api(0, wrote(ITEM)),
        batch(
            1,
            "planning",
            "\"items\":\"%s\",\"parts\":\"%s\",\"parts_omitted\":3".formatted(ITEM, PART)),
        batch(2, "delivering", "\"items\":\"%s\",\"parts_omitted\":5".formatted(PART)));

    var found = trace("dev", REQUEST);

    assertThat(found.status()).as(found.output()).isZero();
    assertThat(found.output())
        .contains("\"delivering\"", "trace: lines are missing: the batches wrote 3 parts");
  }

  @Test
  void requestThatIsUnknown_isAnError() throws Exception {
    given(api(0, wrote(ITEM)));

    var found = trace("dev", "12345678-unknown");

    assertThat(found.status()).isEqualTo(1);
    assertThat(found.output()).contains("no line of the last 24 hours has the id 12345678-unknown");
  }

  /** An id in another form could change the query. */
  @ParameterizedTest
  @ValueSource(strings = {"short", "12345678\" or 1 - 1", "12345678|stats", "$(touch x)12345678"})
  void idInAnotherForm_isRefused(String id) throws Exception {
    var refused = trace("dev", id);

    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.output()).contains("is not the id of a request");
    assertThat(account.lines("queries")).isEmpty();
  }

  @Test
  void argumentsThatAreMissing_areNamed() throws Exception {
    assertThat(trace("dev").output()).contains("usage: infra/trace dev|prod");
    assertThat(trace(REQUEST).status()).isEqualTo(2);
  }
}
