package social.feed.api.edge.operations;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.LastHttpContent;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection whose client takes too long to send a request. Runs on the connection's event
 * loop, so nothing is shared. A connection without a request under way is not looked at.
 */
final class RequestDeadline {
  private final Duration patience;
  private io.netty.util.concurrent.@Nullable Future<?> timer;

  RequestDeadline(Duration patience) {
    this.patience = patience;
  }

  /** Sees what the client sends, before it is parsed. */
  ChannelInboundHandler bytes() {
    return new ChannelInboundHandlerAdapter() {
      @Override
      public void channelRead(ChannelHandlerContext context, Object bytes) {
        if (timer == null) {
          timer =
              context
                  .executor()
                  .schedule(() -> context.close(), patience.toMillis(), TimeUnit.MILLISECONDS);
        }
        context.fireChannelRead(bytes);
      }

      @Override
      public void channelInactive(ChannelHandlerContext context) {
        stop();
        context.fireChannelInactive();
      }
    };
  }

  /** Sees the parsed parts. */
  ChannelInboundHandler messages() {
    return new ChannelInboundHandlerAdapter() {
      @Override
      public void channelRead(ChannelHandlerContext context, Object part) {
        if (part instanceof LastHttpContent) {
          stop();
        }
        context.fireChannelRead(part);
      }
    };
  }

  private void stop() {
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }
}
