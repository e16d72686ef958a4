package social.feed.ctl.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class PlanOptionsTest {
  private static PlanReport report(String... arguments) {
    var options = new PlanOptions();
    new CommandLine(options).parseArgs(arguments);
    return options.report();
  }

  private static double dollars(String... arguments) throws IOException {
    var json = JsonMapper.createDefault().readValue(report(arguments).json(), JsonNode.class);
    var rows = json.get("units and dollars by action");
    return rows.get(rows.size() - 1).get("dollars a month").getDoubleValue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--users 1",
        "--users 1000 --accounts 999",
        "--users 1000 --daily 1001",
        "--users 1000 --follows 1000",
        "--users 1000 --exponent 2",
        "--users 1000 --most-followed 0",
        "--users 1000 --pages -1",
        "--users 1000 --tags 11",
        "--users 1000 --peak 0.5",
        "--users 1000 --celebrity-threshold 0",
        "--users 1000 --months 0",
        "--users 1000 --id-length 0",
        "--users 1000 --requests-of-a-server 0",
        "--users 1000 --price writes=-1",
        "--users 1000 --price gold=1"
      })
  void optionOutsideItsLimits_isNamed(String arguments) {
    var last = arguments.substring(arguments.lastIndexOf("--")).replaceFirst("[ =].*", "");

    assertThatThrownBy(() -> report(arguments.split(" ")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(last + " ");
  }

  @Test
  void halfThePrices_areHalfTheDollars() throws IOException {
    double whole = dollars("--users", "5000000");
    double half =
        dollars(
            "--users=5000000",
            "--price=writes=0.3125",
            "--price=reads=0.0625",
            "--price=storage=0.125",
            "--price=backup=0.1",
            "--price=invocations=0.1",
            "--price=compute=0.0000066667",
            "--price=server=14.42",
            "--price=requests=0.5",
            "--price=members=0.0075",
            "--price=tokens=10");

    assertThat(half).isCloseTo(whole / 2, withinPercentage(1e-6));
  }

  @Test
  void tenTimesTheUsers_costTenTimesTheDollars_whileNoCelebrityIsAddedAndServersAreFew()
      throws IOException {
    double one = dollars("--users", "1000000", "--celebrity-threshold", "100000000");
    double ten = dollars("--users", "10000000", "--celebrity-threshold", "100000000");

    assertThat(ten / one).isBetween(9.0, 11.0);
  }

  @Test
  void report_hasTheSameSectionsAsTextMarkdownAndJson() {
    var report = report("--users", "1000");

    for (var title : new String[] {"storage by row kind", "celebrity threshold", "quotas"}) {
      assertThat(report.plain()).contains(title + "\n");
      assertThat(report.markdown()).contains("### " + title + "\n");
      assertThat(report.json()).contains("\"" + title + "\":");
    }
  }
}
