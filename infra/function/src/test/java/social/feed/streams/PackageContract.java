package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/**
 * The content of a zip for Lambda.
 *
 * <p>DynamoDB Local may not be redistributed, and Lambda has the runtime client. A function has
 * nothing of the other one.
 */
public abstract class PackageContract {
  private static final long LAMBDA_ALLOWS = 50L * 1024 * 1024;
  private static final long LAMBDA_ALLOWS_UNPACKED = 250L * 1024 * 1024;

  private static List<? extends ZipEntry> entries() throws IOException {
    try (var zip = new ZipFile(FunctionProcess.zip().toFile())) {
      return zip.stream().toList();
    }
  }

  @Test
  public void zip_isSmallEnoughForLambda() throws IOException {
    assertThat(Files.size(FunctionProcess.zip())).isLessThan(LAMBDA_ALLOWS);
    assertThat(entries().stream().mapToLong(ZipEntry::getSize).sum())
        .isLessThan(LAMBDA_ALLOWS_UNPACKED);
  }

  /** Returns patterns of the names of what the zip must have. */
  protected abstract List<String> has();

  /** Returns parts of the names of what it must not have, in addition to tests and servers. */
  protected abstract List<String> hasNot();

  @Test
  public void zip_holdsTheFunctionAndItsLibraries_andNoTestsOrServers() throws IOException {
    var names = entries().stream().map(ZipEntry::getName).toList();
    var absent = new ArrayList<>(hasNot());
    absent.addAll(
        List.of("DynamoDBLocal", "sqlite", "runtime-interface-client", "netty", "junit", "tests"));

    assertThat(names).contains("lib/").allMatch(name -> name.matches("lib/|lib/.*\\.jar"));
    assertThat(has())
        .allSatisfy(pattern -> assertThat(names).anyMatch(name -> name.matches(pattern)));
    assertThat(absent).allSatisfy(part -> assertThat(names).noneMatch(name -> name.contains(part)));
  }

  /** Otherwise each build would deploy the function again. */
  @Test
  public void zip_doesNotHoldTheTimeOfItsBuild() throws IOException {
    assertThat(entries()).extracting(ZipEntry::getTimeLocal).containsOnly(time());
    try (var zip = new ZipFile(FunctionProcess.zip().toFile())) {
      for (var ours :
          zip.stream().filter(e -> e.getName().matches("lib/(streams|table|feed)-.*")).toList()) {
        var jar = new java.util.zip.ZipInputStream(zip.getInputStream(ours));
        for (var entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
          assertThat(entry.getTimeLocal()).as(entry.getName()).isEqualTo(time());
        }
      }
    }
  }

  /** The user who builds may have a strict umask; in Lambda another user runs the function. */
  @Test
  public void zip_canBeReadByAllUsers() throws IOException {
    try (var zip =
            FileSystems.newFileSystem(
                FunctionProcess.zip(), Map.of("enablePosixFileAttributes", true));
        var files = Files.walk(zip.getPath("/"))) {
      assertThat(files.filter(file -> file.getNameCount() > 0))
          .isNotEmpty()
          .allSatisfy(
              file ->
                  assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                      .isEqualTo(Files.isDirectory(file) ? "rwxr-xr-x" : "rw-r--r--"));
    }
  }

  /** The time that the build sets, in every time zone. */
  private static LocalDateTime time() {
    return LocalDateTime.of(2026, 1, 1, 0, 0);
  }
}
