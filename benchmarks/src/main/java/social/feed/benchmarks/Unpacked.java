package social.feed.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import social.feed.streams.FunctionProcess;

/**
 * An unpacked function.
 *
 * @param handler the class that Lambda calls
 * @param root a folder with {@code lib}
 */
record Unpacked(String handler, Path root) {
  /** Prefixes of the multiplexer's jars that the bare function does not need. */
  private static final List<String> NOT_BARE =
      List.of(
          "streams-multiplexer",
          "table-design",
          "events-",
          "micronaut",
          "jackson",
          "jakarta",
          "reactor",
          "crac",
          "sqs",
          "dynamodb-enhanced",
          "jspecify",
          "aws-lambda-java-serialization",
          "aws-lambda-java-events-sdk-transformer");

  /** Unpacks the multiplexer's zip. */
  static Unpacked multiplexer(Path root) throws IOException {
    FunctionProcess.unpack(root);
    return new Unpacked(FunctionProcess.HANDLER, root);
  }

  /**
   * Returns {@link BareFunction} with those of the same libraries that it needs.
   *
   * @param code the jar that contains it
   */
  static Unpacked bare(Path root, Path code) throws IOException {
    FunctionProcess.unpack(root);
    for (var jar : new Unpacked("", root).jars()) {
      var name = root.resolve("lib").relativize(jar).toString();
      if (NOT_BARE.stream().anyMatch(name::startsWith)) {
        Files.delete(jar);
      }
    }
    Files.copy(code, root.resolve("lib").resolve("bare.jar"));
    return new Unpacked(BareFunction.class.getName(), root);
  }

  /** Returns the jars, always in the same order. */
  List<Path> jars() {
    try (Stream<Path> files = Files.list(root.resolve("lib"))) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
