package social.feed.image;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import social.feed.image.Dockerfile.Instruction;

/**
 * A container that is built from a Dockerfile in a folder, without a container engine. Each
 * instruction is executed as far as possible; an unknown one is an error. The JDK of this process
 * replaces the base image.
 *
 * <p>Its processes run in a read-only folder and without a folder for temporary files, as in a task
 * with a read-only root. They run as the image's user if this process may switch to it.
 */
final class Container {
  private static final int ROOT = 0;

  private final Path context;
  private final Path root;
  private final Dockerfile dockerfile;
  private final Map<String, String> settings = new HashMap<>();
  private Path workdir;
  private boolean asUser;

  private Container(Path context, Path root) throws IOException {
    this.context = context;
    this.root = root;
    this.workdir = root;
    this.dockerfile = Dockerfile.read(context.resolve("Dockerfile"));
  }

  /**
   * Builds the container.
   *
   * @param context the folder that Maven writes
   * @param root an empty folder that stands for the container's root
   * @param settings environment variables of all processes in it
   */
  static Container build(Path context, Path root, Map<String, String> settings)
      throws IOException, InterruptedException {
    var container = new Container(context, root);
    container.settings.putAll(settings);
    for (var instruction : container.dockerfile.instructions()) {
      container.execute(instruction);
    }
    container.close();
    return container;
  }

  private void execute(Instruction instruction) throws IOException, InterruptedException {
    switch (instruction.name()) {
      case "FROM", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT" -> {}
      case "WORKDIR" ->
          workdir = Files.createDirectories(root.resolve(instruction.arguments().substring(1)));
      case "COPY" -> copy(instruction.words());
      case "RUN" -> run(instruction);
      case "USER" -> asUser = true;
      default ->
          throw new IllegalArgumentException(
              "An instruction that this test does not support: " + instruction);
    }
  }

  /** Copies the contents of folders, and files themselves. */
  private void copy(List<String> words) throws IOException {
    var to = workdir.resolve(words.getLast()).normalize();
    for (var word : words.subList(0, words.size() - 1)) {
      var from = context.resolve(word);
      var base = Files.isDirectory(from) ? from : context;
      try (var files = Files.walk(from)) {
        for (var file : files.filter(Files::isRegularFile).toList()) {
          var copy = to.resolve(base.relativize(file));
          Files.createDirectories(copy.resolveSibling("."));
          Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    }
  }

  private void run(Instruction instruction) throws IOException, InterruptedException {
    var log = root.resolveSibling("run.log");
    if (process(instruction.command(), log).waitFor() != 0) {
      throw new IllegalStateException(instruction + ": " + Files.readString(log));
    }
  }

  /** Makes the root read-only. */
  private void close() throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            readOnly(file, Files.isExecutable(file));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(
              Path folder, @org.jspecify.annotations.Nullable IOException failure)
              throws IOException {
            readOnly(folder, true);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static void readOnly(Path file, boolean executable) throws IOException {
    Files.setPosixFilePermissions(
        file, PosixFilePermissions.fromString(executable ? "r-xr-xr-x" : "r--r--r--"));
  }

  /** Makes the folders writable again, so that the test can delete them. */
  void open() throws IOException {
    try (var files = Files.walk(root)) {
      for (var folder : files.filter(Files::isDirectory).toList()) {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
    }
  }

  Dockerfile dockerfile() {
    return dockerfile;
  }

  Path workdir() {
    return workdir;
  }

  /** Starts the entry point. */
  Process start(Path log, Map<String, String> more) throws IOException {
    var builder = builder(dockerfile.only("ENTRYPOINT").command(), log);
    builder.environment().putAll(more);
    // AOTMode=on makes a cache that does not fit an error; otherwise the JVM ignores it silently.
    builder
        .environment()
        .put(
            "JDK_JAVA_OPTIONS",
            "-XX:AOTMode=on -Xlog:gc+init -Djava.io.tmpdir=" + root.resolve("no-tmp"));
    return builder.start();
  }

  /** Runs the health check and returns its exit code. */
  int health(Map<String, String> more) throws IOException, InterruptedException {
    var builder =
        builder(
            dockerfile.only("HEALTHCHECK").command(),
            Path.of(java.io.File.separator, "dev", "null"));
    builder.environment().putAll(more);
    return builder.start().waitFor();
  }

  /** Returns the size of each file. */
  Map<String, Long> files() throws IOException {
    var files = new TreeMap<String, Long>();
    try (var all = Files.walk(root)) {
      for (var file : all.filter(Files::isRegularFile).toList()) {
        files.put(root.relativize(file).toString(), Files.size(file));
      }
    }
    return files;
  }

  private Process process(List<String> command, Path log) throws IOException {
    return builder(command, log).start();
  }

  private ProcessBuilder builder(List<String> command, Path log) {
    var inFolder = new ArrayList<>(command);
    // Paths in the image are relative to the folder that is the container's root.
    inFolder.set(0, root.resolve(command.getFirst().substring(1)).toString());
    if (asUser && isRoot()) {
      var user = dockerfile.only("USER").arguments().split(":", 2);
      inFolder.addAll(
          0, List.of("setpriv", "--reuid", user[0], "--regid", user[1], "--clear-groups", "--"));
    }
    var builder = new ProcessBuilder(inFolder).directory(workdir.toFile());
    builder.environment().keySet().retainAll(Set.of("PATH"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(settings);
    return builder.redirectErrorStream(true).redirectOutput(log.toFile());
  }

  /** Returns whether this process runs as root, which may switch to other users. */
  static boolean isRoot() {
    return uid() == ROOT;
  }

  /** Returns the user id of this process. */
  static long uid() {
    return new com.sun.security.auth.module.UnixSystem().getUid();
  }
}
