package social.feed.benchmarks;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.concurrent.locks.LockSupport;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import jdk.management.jfr.FlightRecorderMXBean;
import org.jspecify.annotations.Nullable;

/** A process with an HTTP server on loopback, and what it has consumed. */
final class ServedProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration BETWEEN = Duration.ofMillis(2);

  private final Process process;
  private final int port;
  private final Path log;
  private @Nullable JMXConnector connector;
  private @Nullable MBeanServerConnection beans;

  ServedProcess(Process process, int port, Path log) {
    this.process = process;
    this.port = port;
    this.log = log;
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

  int port() {
    return port;
  }

  long pid() {
    return process.pid();
  }

  /** Waits until the server answers. */
  void awaitHealthy() throws IOException, InterruptedException {
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
    var read = beans();
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
    var recorder =
        ManagementFactory.newPlatformMXBeanProxy(
            beans(), FlightRecorderMXBean.MXBEAN_NAME, FlightRecorderMXBean.class);
    long recording = recorder.newRecording();
    recorder.setPredefinedConfiguration(recording, "profile");
    var settings = new HashMap<>(recorder.getRecordingSettings(recording));
    settings.put("jdk.CPUTimeSample#enabled", "true");
    settings.put("jdk.CPUTimeSample#throttle", "1ms");
    settings.put("jdk.VirtualThreadPinned#threshold", "0 ms");
    recorder.setRecordingSettings(recording, settings);
    recorder.startRecording(recording);
    meanwhile.run();
    recorder.copyTo(recording, file.toAbsolutePath().toString());
    recorder.stopRecording(recording);
    recorder.closeRecording(recording);
  }

  @SuppressWarnings("BanJNDI") // The address is that of a child process on this machine.
  private MBeanServerConnection beans() throws IOException {
    var known = beans;
    if (known == null) {
      try {
        var machine = VirtualMachine.attach(Long.toString(pid()));
        var address = machine.startLocalManagementAgent();
        machine.detach();
        connector = JMXConnectorFactory.connect(new JMXServiceURL(address));
        known = connector.getMBeanServerConnection();
        beans = known;
      } catch (AttachNotSupportedException e) {
        throw new IllegalStateException(e);
      }
    }
    return known;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    try {
      if (connector != null) {
        connector.close();
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
  }
}
