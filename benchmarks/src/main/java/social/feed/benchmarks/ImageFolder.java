package social.feed.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import social.feed.testkit.ServerPort;

/** A copy of the folder of the API's image, from which processes start as in the image. */
final class ImageFolder {
  /** Prefixes of the libraries that {@link BareApi} does not need. */
  private static final List<String> NOT_BARE =
      List.of(
          "caffeine",
          "HdrHistogram",
          "LatencyUtils",
          // Without a configuration it logs everything.
          "logback",
          "micrometer",
          "micronaut-management",
          "micronaut-micrometer",
          "micronaut-openapi",
          "micronaut-security",
          "micronaut-validation",
          "nimbus",
          "prometheus",
          "swagger");

  private static final String APPLICATION = "social.feed.api.Application";

  private final Path folder;
  private final Map<String, String> settings;

  /**
   * Copies the folder.
   *
   * @param image the folder of the image
   * @param folder receives the copy
   * @param settings environment variables of the processes
   */
  ImageFolder(Path image, Path folder, Map<String, String> settings) throws IOException {
    this.folder = folder;
    this.settings = settings;
    try (var files = Files.walk(image)) {
      for (var file : files.toList()) {
        var copy = folder.resolve(image.relativize(file));
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    }
  }

  /**
   * Returns a copy in which {@link BareApi} takes the place of the API, with the same scripts and
   * those of the same libraries that it needs.
   *
   * @param code the jar that contains it
   */
  static ImageFolder bare(Path image, Path folder, Path code, Map<String, String> settings)
      throws IOException {
    var bare = new ImageFolder(image, folder, settings);
    for (var part : List.of("app", "lib")) {
      try (var jars = Files.list(folder.resolve(part))) {
        for (var jar : jars.toList()) {
          var name = jar.getFileName().toString();
          if (name.startsWith("feed-api") || NOT_BARE.stream().anyMatch(name::startsWith)) {
            Files.delete(jar);
          }
        }
      }
    }
    Files.copy(code, folder.resolve("app").resolve(code.getFileName()));
    var start = folder.resolve("start");
    Files.writeString(start, Files.readString(start).replace(APPLICATION, BareApi.class.getName()));
    // Its rehearsal is a start: it has no route that the API has.
    Files.writeString(folder.resolve("requests"), "#!/usr/bin/env bash\n");
    return bare;
  }

  /** Records a start and its first requests, as the image build does. */
  void rehearse() {
    var _ = ServerPort.start(this::rehearsedAt);
  }

  private int rehearsedAt(int port) {
    var log = folder.resolve("rehearsal.log");
    try {
      if (process("rehearse", port, Map.of(), log).waitFor() != 0) {
        throw new IllegalStateException(Files.readString(log));
      }
      return port;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /**
   * Starts a process, and returns when it is healthy.
   *
   * @param more environment variables in addition to those of the folder
   */
  ServedProcess start(Map<String, String> more) {
    return ServerPort.start(port -> startedAt(port, more));
  }

  private ServedProcess startedAt(int port, Map<String, String> more) {
    var log = folder.resolve("process.log");
    long begin = System.nanoTime();
    try {
      return ServedProcess.healthy(process("start", port, more, log), port, log, begin);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private Process process(String script, int port, Map<String, String> more, Path log)
      throws IOException {
    var builder = new ProcessBuilder(List.of(folder.resolve(script).toString()));
    var environment = new HashMap<>(settings);
    environment.putAll(more);
    environment.put("MICRONAUT_SERVER_PORT", Integer.toString(port));
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(environment);
    return builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
  }
}
