package social.feed.api.edge.operations;

import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.netty.channel.ChannelPipelineCustomizer;
import io.micronaut.http.server.HttpServerConfiguration;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.netty.channel.Channel;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Gives each HTTP/1 connection a {@link RequestDeadline}. A client that sends a byte now and then
 * is never idle, and could otherwise hold its connection without a limit.
 */
@Singleton
@Requires(classes = NettyServerCustomizer.class)
final class SlowRequests implements BeanCreatedEventListener<NettyServerCustomizer.Registry> {
  private final Duration requestTime;
  private final Duration uploadTime;
  private final HttpServerConfiguration server;

  /**
   * @param server its limit is that of uploads
   * @param media where files are kept; without it no request may take longer than others
   */
  SlowRequests(
      RequestConfiguration requests,
      HttpServerConfiguration server,
      @Nullable @Property(name = "feed.media.folder") String media) {
    this.server = server;
    this.requestTime = requests.requestTime();
    this.uploadTime = media == null ? requestTime : requests.uploadTime();
  }

  @Override
  public NettyServerCustomizer.Registry onCreated(
      BeanCreatedEvent<NettyServerCustomizer.Registry> event) {
    event.getBean().register(new Guard(null));
    return event.getBean();
  }

  /** The customizer of the listener, and a copy for each connection. */
  private final class Guard implements NettyServerCustomizer {
    private final @Nullable Channel channel;

    private Guard(@Nullable Channel channel) {
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
        RequestDeadline deadline =
            new RequestDeadline(requestTime, uploadTime, server.getMaxRequestSize());
        channel.pipeline().addBefore(codec, null, deadline.bytes());
        channel.pipeline().addAfter(codec, null, deadline.messages());
      }
    }
  }
}
