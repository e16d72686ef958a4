package social.feed.api.edge.pipe;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.netty.channel.Channel;
import jakarta.inject.Singleton;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** Records the server's channels, so that a test can read how many bytes wait there. */
@Singleton
@Requires(classes = NettyServerCustomizer.class)
public final class ServerChannels
    implements BeanCreatedEventListener<NettyServerCustomizer.Registry> {
  private final Map<Integer, Channel> byClientPort = new ConcurrentHashMap<>();

  @Override
  public NettyServerCustomizer.Registry onCreated(
      BeanCreatedEvent<NettyServerCustomizer.Registry> event) {
    event
        .getBean()
        .register(
            new NettyServerCustomizer() {
              @Override
              public NettyServerCustomizer specializeForChannel(Channel channel, ChannelRole role) {
                if (role == ChannelRole.CONNECTION
                    && channel.remoteAddress() instanceof InetSocketAddress client) {
                  byClientPort.put(client.getPort(), channel);
                }
                return this;
              }
            });
    return event.getBean();
  }

  /** The connection that comes from a port. */
  public Channel from(int clientPort) {
    return Objects.requireNonNull(byClientPort.get(clientPort));
  }
}
