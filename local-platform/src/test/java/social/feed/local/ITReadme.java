package social.feed.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The ten requests of the README run as they stand in interactive shells against a started
 * platform. Each response keeps its status and its JSON fields.
 */
@TestInstance(Lifecycle.PER_CLASS)
class ITReadme {
  private static final Path PAGE = Path.of("..", "README.md");
  private static final Pattern BLOCK =
      Pattern.compile("\n## Ten requests\n.*?```bash\n(.*?)```\n", Pattern.DOTALL);
  private static final Pattern RESPONSE = Pattern.compile("(.*) ([0-9]{3})");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int PATIENCE_SECONDS = 120;

  private static final String PERSON = "{id,handle,display_name}";
  private static final String ACCOUNT =
      "{id,handle,display_name,created_at,followers_count,following_count,posts_count,"
          + "is_celebrity}";
  private static final String POST =
      "{id,author"
          + PERSON
          + ",text,tags[*],mentions[{id,handle}],visibility,created_at,"
          + "likes_count,comments_count,viewer{liked}}";
  private static final String OF_A_POST =
      "{id,type,actors[" + PERSON + "],count,post_id,created_at,read}";
  private static final String FOLLOWED = "{id,type,actors[" + PERSON + "],count,created_at,read}";
  private static final List<String> RESPONSES =
      List.of(
          "201 " + ACCOUNT,
          "201 " + ACCOUNT,
          "204 ",
          "201 " + POST,
          "200 {liked,liked_at}",
          "201 {id,author" + PERSON + ",text,created_at}",
          "200 {items[" + POST + "]}",
          "200 {items[" + OF_A_POST + "," + OF_A_POST + "," + FOLLOWED + "]}",
          "200 " + ACCOUNT,
          "422 {type,title,status,code,detail,instance}");

  private LocalPlatform platform;

  @TempDir private Path folder;

  @BeforeAll
  void start() {
    platform = LocalPlatform.start(PlatformSettings.inMemory());
  }

  @AfterAll
  void stop() {
    platform.close();
  }

  /** The shells of this machine. The first must be there; the second is run where it is. */
  static Stream<List<String>> shells() {
    return Stream.of(List.of("bash", "--norc", "--noprofile", "-i"), List.of("zsh", "-f", "-i"))
        .filter(shell -> shell.contains("bash") || isInstalled(shell.getFirst()));
  }

  private static boolean isInstalled(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(path -> Files.isExecutable(Path.of(path, program)));
  }

  @ParameterizedTest
  @MethodSource("shells")
  void block_pastedTwice_hasTheSameTenResponsesEachTime(List<String> shell) throws Exception {
    assertThat(run(shell, block())).containsExactlyElementsOf(RESPONSES);
    assertThat(run(shell, block())).containsExactlyElementsOf(RESPONSES);
  }

  /** Proves that a wrong line of the block is found. */
  @Test
  void block_withOneWrongRequest_hasAnotherResponse() throws Exception {
    var wrong = block().replace("/comments\"", "/coments\"");

    assertThat(wrong).isNotEqualTo(block());
    assertThat(run(List.of("bash", "--norc", "--noprofile", "-i"), wrong))
        .hasSameSizeAs(RESPONSES)
        .isNotEqualTo(RESPONSES)
        .element(5)
        .asString()
        .startsWith("404 ");
  }

  private static String block() throws IOException {
    var blocks = BLOCK.matcher(Files.readString(PAGE)).results().toList();
    assertThat(blocks).hasSize(1);
    return blocks.getFirst().group(1);
  }

  /** Returns status and fields of each response that the shell prints, in order. */
  private List<String> run(List<String> shell, String block)
      throws IOException, InterruptedException {
    var input = Files.writeString(folder.resolve("input"), block);
    var output = folder.resolve("output");
    var errors = folder.resolve("errors");
    var process = new ProcessBuilder(shell);
    process.environment().put("FEED_URL", address(platform.api()));
    process.redirectInput(input.toFile());
    process.redirectOutput(output.toFile());
    process.redirectError(errors.toFile());
    var running = process.start();
    try {
      assertThat(running.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    } finally {
      running.destroyForcibly();
    }
    return Files.readString(output)
        .lines()
        .filter(line -> !line.isEmpty())
        .map(line -> fields(line, errors))
        .toList();
  }

  /** The block adds paths that begin with a slash. */
  private static String address(URI api) {
    return api.toString().replaceAll("/$", "");
  }

  private static String fields(String line, Path errors) {
    var response = RESPONSE.matcher(line);
    assertThat(response.matches()).as("%s, see %s", line, errors).isTrue();
    try {
      return response.group(2) + " " + fields(JSON.readTree(response.group(1)));
    } catch (JsonProcessingException e) {
      throw new AssertionError(line, e);
    }
  }

  private static String fields(JsonNode node) {
    if (node.isObject()) {
      return node.properties().stream()
          .map(field -> field.getKey() + fields(field.getValue()))
          .collect(Collectors.joining(",", "{", "}"));
    }
    if (node.isArray()) {
      return StreamSupport.stream(node.spliterator(), false)
          .map(element -> element.isValueNode() ? "*" : fields(element))
          .collect(Collectors.joining(",", "[", "]"));
    }
    return "";
  }
}
