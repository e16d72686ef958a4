package social.feed.benchmarks;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import javax.management.JMException;
import javax.management.ObjectName;

/** A process with an HTTP server on loopback, and what it has consumed. */
final class ServedProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration BETWEEN = Duration.ofMillis(2);

  private final Process process;
  private final int port;
  private final Path log;
  private final AttachedJvm jvm;

  private double startMillis;

  private ServedProcess(Process process, int port, Path log) {
    this.process = process;
    this.port = port;
    this.log = log;
    this.jvm = new AttachedJvm(process.pid());
  }

  /**
   * What a process has consumed since its start.
   *
   * @param cpuNanos processor time, that of the compiler and the collector included
   * @param allocated bytes allocated by all threads
   * @param compiledMillis time that the compiler has worked
   */
  record Consumed(long cpuNanos, long allocated, long compiledMillis) {
    Consumed since(Consumed before) {
      return new Consumed(
          cpuNanos - before.cpuNanos,
          allocated - before.allocated,
          compiledMillis - before.compiledMillis);
    }
  }

  /**
   * Returns a process when its server answers.
   *
   * @param begin when the process was started, in nanoseconds
   * @throws IllegalStateException with the log if it ends or does not answer; it is ended then
   */
  static ServedProcess healthy(Process process, int port, Path log, long begin)
      throws IOException, InterruptedException {
    var served = new ServedProcess(process, port, log);
    try {
      served.awaitHealthy();
      served.startMillis = (System.nanoTime() - begin) / 1e6;
      return served;
    } catch (IllegalStateException e) {
      served.close();
      throw e;
    }
  }

  /** Returns the milliseconds from the start of the process to the first healthy response. */
  double startMillis() {
    return startMillis;
  }

  int port() {
    return port;
  }

  long pid() {
    return process.pid();
  }

  AttachedJvm jvm() {
    return jvm;
  }

  private void awaitHealthy() throws IOException, InterruptedException {
    long start = System.nanoTime();
    try (var client = HttpClient.newHttpClient()) {
      while (!isHealthy(client)) {
        if (!process.isAlive() || System.nanoTime() - start > PATIENCE.toNanos()) {
          throw new IllegalStateException(Files.readString(log));
        }
        LockSupport.parkNanos(BETWEEN.toNanos());
      }
    }
  }

  private boolean isHealthy(HttpClient client) throws InterruptedException {
    var health = URI.create("http://127.0.0.1:" + port + "/health/liveness");
    try {
      return client
              .send(HttpRequest.newBuilder(health).build(), BodyHandlers.discarding())
              .statusCode()
          == 200;
    } catch (IOException e) {
      return false;
    }
  }

  /** Reads it from the process's own beans, through the JVM's local connector. */
  Consumed consumed() throws IOException, JMException {
    var read = jvm.beans();
    return new Consumed(
        (long)
            read.getAttribute(new ObjectName("java.lang:type=OperatingSystem"), "ProcessCpuTime"),
        (long)
            read.getAttribute(
                new ObjectName("java.lang:type=Threading"), "TotalThreadAllocatedBytes"),
        (long)
            read.getAttribute(
                new ObjectName("java.lang:type=Compilation"), "TotalCompilationTime"));
  }

  /** Records a profile of what the process does meanwhile. */
  void record(Path file, Runnable meanwhile) throws IOException {
    Files.deleteIfExists(file);
    var recorder = new ProfileRecorder(jvm.beans());
    long recording = recorder.start();
    meanwhile.run();
    recorder.stop(recording, file);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    try {
      jvm.close();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }
}
