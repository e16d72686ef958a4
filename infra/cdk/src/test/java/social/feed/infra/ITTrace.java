package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.table.log.Pseudonyms;
import social.feed.table.row.Key;

/**
 * Tests the search for the lines of a request, with answers in the format that AWS documents. The
 * account is a folder: a file holds all lines, and the command answers with those that match.
 */
class ITTrace {
  private static final String REQUEST = "JKJaXmPLvHcESHA=";
  private static final String ITEM = Pseudonyms.ofItem(new Key("POST#1", "LIKE#a"));

  @TempDir private Path account;

  /** Answers as the aws command does with {@code --output json}. */
  @BeforeEach
  void writeTheCommand() throws IOException {
    var command = account.resolve("aws");
    Files.writeString(
        command,
        """
        #!/usr/bin/env bash
        set -euo pipefail
        cd "$(dirname "$0")"
        output() {
          echo "{\\"OutputKey\\": \\"$1\\", \\"OutputValue\\": \\"log-of-$1\\"}"
        }
        case "$*" in
          *describe-stacks*feed-dev-api*)
            echo "{\\"Stacks\\": [{\\"Outputs\\": [$(output TaskLog), $(output GatewayLog), $(output StreamGatewayLog)]}]}"
            ;;
          *describe-stacks*feed-dev-stream*) echo "{\\"Stacks\\": [{\\"Outputs\\": [$(output FunctionLog)]}]}" ;;
          *start-query*"--log-group-names log-of-TaskLog log-of-GatewayLog log-of-StreamGatewayLog log-of-FunctionLog "*)
            while [ "$1" != --query-string ]; do shift; done
            echo "$2" >>queries
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
    assertThat(command.toFile().setExecutable(true)).isTrue();
    // The filters of the queries, as CloudWatch Logs Insights documents them.
    Files.writeString(
        account.resolve("lines.mjs"),
        """
        import fs from 'node:fs'
        const [, filter] = process.argv[2].match(/^fields @timestamp, @log, @message \\\\| filter (.*) \\\\| sort @timestamp asc \\\\| limit 10000$/)
        const tests = filter.split(' or ').map(part => {
          const text = part.match(/^@message like "([^"]+)"$/)
          const pattern = part.match(/^@message like \\\\/([^/]+)\\\\/$/)
          return line => text ? line.includes(text[1]) : new RegExp(pattern[1]).test(line)
        })
        const lines = fs.readFileSync('lines', 'utf8').split('\\\\n').filter(line => tests.some(test => test(line)))
        console.log(JSON.stringify({status: 'Complete', results: lines.map(line => [
          {field: '@timestamp', value: '2026-11-23 10:00:00.000'},
          {field: '@log', value: '210987654321:group'},
          {field: '@message', value: line},
          {field: '@ptr', value: 'x'}])}))
        """
            .replace("\\\\", "\\"));
    given(
        "{\"at\":\"23/Nov/2026\",\"id\":\"%s\",\"route\":\"ANY /v1/{proxy+}\"}".formatted(REQUEST),
        "{\"message\":\"Request\",\"request\":\"%s\",\"items\":\"%s\"}".formatted(REQUEST, ITEM),
        "{\"message\":\"Request\",\"request\":\"another-request\",\"items\":\"0123456789abcdef\"}",
        "{\"message\":\"Batch\",\"lane\":\"counts\",\"items\":\"0123456789abcdef %s\"}"
            .formatted(ITEM),
        "{\"message\":\"Batch\",\"lane\":\"effects\",\"items\":\"0123456789abcdef\"}");
  }

  private void given(String... lines) throws IOException {
    Files.write(account.resolve("lines"), List.of(lines));
  }

  private record Outcome(int status, String output) {}

  private Outcome trace(String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("../trace"));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("PATH", account.toAbsolutePath() + ":" + System.getenv("PATH"));
    builder.environment().put("TRACE_PAUSE", "0");
    var process = builder.start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), output);
  }

  @Test
  void linesOfARequest_areThoseOfTheGateway_theApiAndTheFunction() throws Exception {
    Files.writeString(account.resolve("waits"), "");

    var found = trace("dev", REQUEST);

    assertThat(found.status()).as(found.output()).isZero();
    assertThat(found.output())
        .contains("\"route\":\"ANY", "\"message\":\"Request\"", "\"lane\":\"counts\"")
        .contains("2026-11-23 10:00:00.000  group\n  {\"at\"")
        .doesNotContain("another-request", "\"lane\":\"effects\"");
  }

  @Test
  void requestThatWroteNothing_needsOneQuery() throws Exception {
    given("{\"message\":\"Request\",\"request\":\"%s\",\"status\":200}".formatted(REQUEST));

    var found = trace("dev", "eu-west-1", REQUEST);

    assertThat(found.status()).as(found.output()).isZero();
    assertThat(found.output()).contains("\"status\":200");
    assertThat(Files.readAllLines(account.resolve("queries"))).hasSize(1);
  }

  @Test
  void requestThatIsUnknown_isAnError() throws Exception {
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
    assertThat(account.resolve("queries")).doesNotExist();
  }

  @Test
  void argumentsThatAreMissing_areNamed() throws Exception {
    assertThat(trace("dev").output()).contains("usage: infra/trace dev|prod");
    assertThat(trace(REQUEST).status()).isEqualTo(2);
  }
}
