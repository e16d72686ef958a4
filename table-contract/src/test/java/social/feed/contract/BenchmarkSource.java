package social.feed.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import social.feed.testkit.GeneratedPage;

/**
 * A class of the benchmarks that needs no library. Their module is not part of the build, so the
 * scripts of the benchmarks start it from its source.
 */
record BenchmarkSource(String name) {
  static final Path BENCHMARKS = GeneratedPage.root().resolve("benchmarks");

  private static final Path SOURCES = BENCHMARKS.resolve("src/main/java");
  private static final String PACKAGE = "social.feed.benchmarks";

  /** The classes of this process: a start from the source compiles them each time. */
  private static final Path CLASSES = compiled("GoalsPage", "ProfileShares", "RequestPercentiles");

  /**
   * What a run ended with.
   *
   * @param output of both streams
   */
  record Ended(int code, String output) {}

  /** Runs it in a folder until it ends. */
  Ended runIn(Path folder, String... arguments) throws IOException, InterruptedException {
    return run(folder, List.of("-cp", CLASSES.toString(), PACKAGE + "." + name), arguments);
  }

  /** The same, as the scripts start it. */
  Ended runFromSourceIn(Path folder, String... arguments) throws IOException, InterruptedException {
    return run(folder, List.of(source(name)), arguments);
  }

  private static Ended run(Path folder, List<String> program, String... arguments)
      throws IOException, InterruptedException {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1"));
    command.addAll(program);
    command.addAll(List.of(arguments));
    var process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    try (var output = process.getInputStream()) {
      var text = new String(output.readAllBytes(), UTF_8);
      return new Ended(process.waitFor(), text);
    }
  }

  private static Path compiled(String... names) {
    try {
      var classes = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "benchmarks");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(classes)));
      var options =
          List.of("-proc:none", "-sourcepath", SOURCES.toString(), "-d", classes.toString());
      var arguments =
          Stream.concat(options.stream(), Stream.of(names).map(BenchmarkSource::source))
              .toArray(String[]::new);
      int code =
          ToolProvider.findFirst("javac").orElseThrow().run(System.out, System.err, arguments);
      assertThat(code).isZero();
      return classes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) {
    try (var files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String source(String name) {
    return SOURCES.resolve(PACKAGE.replace('.', '/')).resolve(name + ".java").toString();
  }
}
