package social.feed.api.function;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import social.feed.streams.FunctionProcess;

/** The content of the API's zip. */
class ITApiPackage {
  private static final long LAMBDA_ALLOWS = 50L * 1024 * 1024;
  private static final long LAMBDA_ALLOWS_UNPACKED = 250L * 1024 * 1024;

  private static List<? extends ZipEntry> entries() throws IOException {
    try (ZipFile zip = new ZipFile(FunctionProcess.zip().toFile())) {
      return zip.stream().toList();
    }
  }

  @Test
  void zip_isSmallEnoughForLambda() throws IOException {
    assertThat(Files.size(FunctionProcess.zip())).isLessThan(LAMBDA_ALLOWS);
    assertThat(entries().stream().mapToLong(ZipEntry::getSize).sum())
        .isLessThan(LAMBDA_ALLOWS_UNPACKED);
  }

  @Test
  void zip_holdsTheFunctionAndItsLibraries_andNoTestsOrServers() throws IOException {
    List<String> names = entries().stream().map(ZipEntry::getName).toList();

    assertThat(names)
        .anyMatch(name -> name.startsWith("lib/feed-api-function-"))
        .anyMatch(name -> name.matches("lib/feed-api-\\d.*"))
        .anyMatch(name -> name.startsWith("lib/table-design-"))
        .allMatch(name -> name.matches("lib/|lib/.*\\.jar"));
    // DynamoDB Local may not be redistributed; the runtime client and the multiplexer are not the
    // API's.
    assertThat(names)
        .noneMatch(name -> name.contains("DynamoDBLocal") || name.contains("sqlite"))
        .noneMatch(name -> name.contains("runtime-interface-client"))
        .noneMatch(name -> name.contains("netty") || name.contains("streams-multiplexer"))
        .noneMatch(name -> name.contains("junit") || name.contains("tests"));
  }

  /** Otherwise each build would deploy the function again. */
  @Test
  void zip_doesNotHoldTheTimeOfItsBuild() throws IOException {
    assertThat(entries())
        .extracting(ZipEntry::getTimeLocal)
        .containsOnly(java.time.LocalDateTime.of(2026, 1, 1, 0, 0));
  }
}
