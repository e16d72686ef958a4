package social.feed.benchmarks;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.jspecify.annotations.Nullable;

/** The beans of another JVM of this machine, through its local connector. */
final class AttachedJvm implements AutoCloseable {
  private final long pid;
  private @Nullable JMXConnector connector;

  AttachedJvm(long pid) {
    this.pid = pid;
  }

  /** Attaches at the first call. */
  @SuppressWarnings("BanJNDI") // The address is that of a child process on this machine.
  MBeanServerConnection beans() throws IOException {
    var known = connector;
    if (known == null) {
      try {
        var machine = VirtualMachine.attach(Long.toString(pid));
        var address = machine.startLocalManagementAgent();
        machine.detach();
        known = JMXConnectorFactory.connect(new JMXServiceURL(address));
        connector = known;
      } catch (AttachNotSupportedException e) {
        throw new IllegalStateException(e);
      }
    }
    return known.getMBeanServerConnection();
  }

  @Override
  public void close() throws IOException {
    if (connector != null) {
      connector.close();
    }
  }
}
