package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.ParameterException;

/** The commands on the pages about operation and load have valid options. */
class OperationsPageTest {
  private static final Path PAGES = Path.of("..", "docs");

  /** A command with an option; others are only mentioned. */
  private static final Pattern COMMAND = Pattern.compile("\\./feed ([^`\\n]* --[^`\\n]*)");

  private static List<String> commands(String page) {
    return COMMAND.matcher(page).results().map(command -> command.group(1).strip()).toList();
  }

  @ParameterizedTest
  @CsvSource({"operations.md, 8", "load.md, 6"})
  void commands_ofThePage_areValid(String page, int least) throws IOException {
    assertThat(commands(Files.readString(PAGES.resolve(page))))
        .hasSizeGreaterThanOrEqualTo(least)
        .allSatisfy(command -> Main.commandLine().parseArgs(command.split("\\s+", -1)));
  }

  /** The test finds an option that does not exist. */
  @Test
  void command_withAnUnknownOption_isInvalid() {
    var planted = commands("Run\n./feed verify --fixed --region REGION\nor `./feed verify`.");

    assertThat(planted).containsExactly("verify --fixed --region REGION");
    assertThatExceptionOfType(ParameterException.class)
        .isThrownBy(() -> Main.commandLine().parseArgs(planted.getFirst().split("\\s+", -1)));
  }
}
