package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import java.net.URI;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/** The advice in a message fits the place of the table. */
class RemediesTest {
  private static Stream<Throwable> failures() {
    return Stream.of(
        ResourceNotFoundException.builder().build(),
        SdkClientException.create("refused", new ConnectException()));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void remedy_onAws_startsNoPlatform(Throwable failure) {
    assertThat(Remedies.of(failure, true)).contains("--region").doesNotContain("./feed up");
    assertThat(Remedies.of(failure, false)).contains("./feed up").doesNotContain("--region");
  }

  @Test
  void command_withARegion_isOfAws() {
    assertThat(Main.isOfAws(parsed("verify", "--region", "eu-central-1"))).isTrue();
    assertThat(Main.isOfAws(parsed("verify"))).isFalse();
    assertThat(Main.isOfAws(parsed("up"))).isFalse();
  }

  @Test
  void queue_ofAws_startsNoPlatform() {
    var aws = URI.create("https://sqs.eu-central-1.amazonaws.com/1/feed");
    var local = URI.create("http://127.0.0.1:9324");

    assertThat(QueueOptions.unanswered(aws)).contains("network").doesNotContain("./feed up");
    assertThat(QueueOptions.unanswered(local)).contains("./feed up");
  }

  private static CommandLine parsed(String... arguments) {
    var commands = Main.commandLine();
    commands.parseArgs(arguments);
    return Objects.requireNonNull(commands.getSubcommands().get(arguments[0]));
  }
}
