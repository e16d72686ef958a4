package social.feed.api.edge.operations;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.netty.channel.ChannelPipelineCustomizer;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.netty.channel.Channel;
import jakarta.inject.Singleton;
import java.time.Duration;

/**
 * Gives each HTTP/1 connection a {@link RequestDeadline}. A client that sends a byte now and then
 * is never idle, and could otherwise hold its connection without a limit.
 */
@Singleton
@Requires(classes = NettyServerCustomizer.class)
final class SlowRequests implements BeanCreatedEventListener<NettyServerCustomizer.Registry> {
  private final Duration requestTime;

  SlowRequests(RequestConfiguration requests) {
    this.requestTime = requests.requestTime();
  }

  @Override
  public NettyServerCustomizer.Registry onCreated(
      BeanCreatedEvent<NettyServerCustomizer.Registry> event) {
    event.getBean().register(new Guard(null));
    return event.getBean();
  }

  /** The customizer of the listener, and a copy for each connection. */
  private final class Guard implements NettyServerCustomizer {
    private final @org.jspecify.annotations.Nullable Channel channel;

    private Guard(@org.jspecify.annotations.Nullable Channel channel) {
      this.channel = channel;
    }

    @Override
    public NettyServerCustomizer specializeForChannel(Channel connection, ChannelRole role) {
      return new Guard(connection);
    }

    @Override
    public void onStreamPipelineBuilt() {
      String codec = ChannelPipelineCustomizer.HANDLER_HTTP_SERVER_CODEC;
      if (channel != null && channel.pipeline().get(codec) != null) {
        RequestDeadline deadline = new RequestDeadline(requestTime);
        channel.pipeline().addBefore(codec, null, deadline.bytes());
        channel.pipeline().addAfter(codec, null, deadline.messages());
      }
    }
  }
}
