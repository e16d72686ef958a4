package social.feed.streams;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.zip.ZipFile;

/** The zip, unpacked and run as Lambda runs it: by AWS's runtime client, which is not in it. */
final class FunctionProcess implements AutoCloseable {
  /** As the stack names it. */
  static final String HANDLER = "social.feed.streams.lambda.MultiplexerFunction";

  private static final String RUNTIME = "com.amazonaws.services.lambda.runtime.api.client.";

  private final Process process;

  private FunctionProcess(Process process) {
    this.process = process;
  }

  /** The zip that the build made. */
  static Path zip() {
    return Path.of(Objects.requireNonNull(System.getProperty("function.zip"), "function.zip"));
  }

  static void unpack(Path folder) throws IOException {
    try (var zip = new ZipFile(zip().toFile())) {
      for (var entry : zip.stream().toList()) {
        var file = folder.resolve(entry.getName());
        if (entry.isDirectory()) {
          Files.createDirectories(file);
        } else {
          Files.createDirectories(Objects.requireNonNull(file.getParent()));
          Files.copy(zip.getInputStream(entry), file);
        }
      }
    }
  }

  /**
   * Starts it.
   *
   * @param root where the zip was unpacked
   * @param work a folder for what it writes
   * @param options of the JVM, beside those that Lambda gives
   * @param settings its environment
   */
  static FunctionProcess start(
      RuntimeApi api, Path root, Path work, List<String> options, Map<String, String> settings)
      throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-Dorg.crac.Core.Compat=com.amazonaws.services.lambda.crac");
    // It unpacks this to one place for all users of a machine otherwise.
    command.add("-D" + RUNTIME + "runtimeapi.NativeClient.JNI=" + nativeClient(work));
    command.addAll(options);
    command.addAll(List.of("-cp", runtimeClient(), RUNTIME + "AWSLambda", HANDLER));
    var builder = new ProcessBuilder(command).directory(root.toFile());
    builder.redirectErrorStream(true).redirectOutput(log(work).toFile());
    var environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("AWS_") || name.startsWith("FEED_"));
    environment.remove("JAVA_TOOL_OPTIONS");
    environment.put("_HANDLER", HANDLER);
    environment.put("LAMBDA_TASK_ROOT", root.toString());
    environment.put("AWS_LAMBDA_RUNTIME_API", api.address());
    environment.put("AWS_LAMBDA_FUNCTION_NAME", "feed-multiplexer");
    environment.put("AWS_LAMBDA_FUNCTION_VERSION", "1");
    environment.put("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "1024");
    environment.put("AWS_LAMBDA_LOG_GROUP_NAME", "/aws/lambda/feed-multiplexer");
    environment.put("AWS_LAMBDA_LOG_STREAM_NAME", "1");
    environment.put("AWS_REGION", "us-east-1");
    environment.put("AWS_ACCESS_KEY_ID", "test");
    environment.put("AWS_SECRET_ACCESS_KEY", "test");
    environment.putAll(settings);
    return new FunctionProcess(builder.start());
  }

  static Path log(Path work) {
    return work.resolve("function.log");
  }

  /** What of this classpath Lambda has itself. */
  private static String runtimeClient() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(
            entry ->
                entry.contains("aws-lambda-java-runtime-interface-client")
                    || entry.contains("utils-lite")
                    || entry.contains("aws-lambda-java-core")
                    || entry.contains("aws-lambda-java-serialization"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Path nativeClient(Path work) {
    var arch = System.getProperty("os.arch").equals("aarch64") ? "aarch_64" : "x86_64";
    var file = work.resolve("libaws-lambda-jni.so");
    try (var library =
        FunctionProcess.class.getResourceAsStream("/jni/libaws-lambda-jni.linux-" + arch + ".so")) {
      if (!Files.exists(file)) {
        Files.copy(Objects.requireNonNull(library, "the runtime client's native library"), file);
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
