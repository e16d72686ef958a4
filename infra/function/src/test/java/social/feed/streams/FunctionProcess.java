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
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/** The zip, unpacked and run as Lambda runs it, by AWS's runtime client, which it does not hold. */
public final class FunctionProcess implements AutoCloseable {
  /** The handler that the stack names. */
  public static final String HANDLER = "social.feed.streams.lambda.MultiplexerFunction";

  private static final String RUNTIME = "com.amazonaws.services.lambda.runtime.api.client.";

  private final Process process;

  /**
   * The command of a process.
   *
   * @param handler the class that Lambda calls
   * @param root where its package was unpacked
   * @param work a folder for the files that the process writes
   * @param classPath jars that the JVM's own loader finds. Lambda has only its client's: a loader
   *     of that client finds the classes of the package
   * @param options of the JVM, in addition to those that Lambda passes
   * @param settings its environment
   */
  public record Launch(
      String handler,
      Path root,
      Path work,
      List<Path> classPath,
      List<String> options,
      Map<String, String> settings) {
    /** The multiplexer as Lambda starts it. */
    static Launch multiplexer(Path root, Path work, Map<String, String> settings) {
      return new Launch(HANDLER, root, work, List.of(), List.of(), settings);
    }
  }

  private FunctionProcess(Process process) {
    this.process = process;
  }

  /** The zip that the build made. */
  public static Path zip() {
    return Path.of(Objects.requireNonNull(System.getProperty("function.zip"), "function.zip"));
  }

  public static void unpack(Path folder) throws IOException {
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

  /** Starts a process against Lambda's side on loopback. */
  public static FunctionProcess start(RuntimeApi api, Launch launch) throws IOException {
    return start(List.of(), Map.of("AWS_LAMBDA_RUNTIME_API", api.address()), launch);
  }

  /**
   * Starts a process by a program that plays Lambda's side itself.
   *
   * @param emulator the program and its arguments, to which the command is appended
   */
  static FunctionProcess startBy(List<String> emulator, Launch launch) throws IOException {
    return start(emulator, Map.of(), launch);
  }

  private static FunctionProcess start(
      List<String> emulator, Map<String, String> api, Launch launch) throws IOException {
    var command = new ArrayList<>(emulator);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-Dorg.crac.Core.Compat=com.amazonaws.services.lambda.crac");
    // By default the client unpacks this to one place for all users of a machine.
    command.add("-D" + RUNTIME + "runtimeapi.NativeClient.JNI=" + nativeClient(launch.work()));
    command.addAll(launch.options());
    command.addAll(List.of("-cp", classPath(launch), RUNTIME + "AWSLambda", launch.handler()));
    var builder = new ProcessBuilder(command).directory(launch.root().toFile());
    builder.redirectErrorStream(true).redirectOutput(log(launch.work()).toFile());
    var environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("AWS_") || name.startsWith("FEED_"));
    environment.remove("JAVA_TOOL_OPTIONS");
    environment.put("_HANDLER", launch.handler());
    environment.put("LAMBDA_TASK_ROOT", launch.root().toString());
    environment.put("AWS_LAMBDA_FUNCTION_NAME", "feed-multiplexer");
    environment.put("AWS_LAMBDA_FUNCTION_VERSION", "1");
    environment.put("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "1024");
    environment.put("AWS_LAMBDA_LOG_GROUP_NAME", "/aws/lambda/feed-multiplexer");
    environment.put("AWS_LAMBDA_LOG_STREAM_NAME", "1");
    environment.put("AWS_REGION", "us-east-1");
    environment.put("AWS_ACCESS_KEY_ID", "test");
    environment.put("AWS_SECRET_ACCESS_KEY", "test");
    environment.putAll(api);
    environment.putAll(launch.settings());
    return new FunctionProcess(builder.start());
  }

  private static String classPath(Launch launch) {
    return Stream.concat(
            Stream.of(runtimeClient()), launch.classPath().stream().map(Path::toString))
        .collect(Collectors.joining(File.pathSeparator));
  }

  public static Path log(Path work) {
    return work.resolve("function.log");
  }

  /** The part of this class path that Lambda provides. */
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

  boolean isAlive() {
    return process.isAlive();
  }

  /** Ends the process and waits for it: a JVM writes its recording of a run at the end. */
  public void stop() {
    process.destroy();
    process.onExit().join();
  }

  @Override
  public void close() {
    // An emulator leaves the processes behind that it started.
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    process.onExit().join();
  }
}
