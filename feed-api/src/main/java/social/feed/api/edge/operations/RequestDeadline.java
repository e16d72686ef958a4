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
 * loop, so it shares no state. It does not limit a connection without a request in progress.
 */
final class RequestDeadline {
  private final Duration requestTime;
  private io.netty.util.concurrent.@Nullable Future<?> timer;

  RequestDeadline(Duration requestTime) {
    this.requestTime = requestTime;
  }

  /** Returns the handler that sees the bytes of the client before they are parsed. */
  ChannelInboundHandler bytes() {
    return new ChannelInboundHandlerAdapter() {
      @Override
      public void channelRead(ChannelHandlerContext context, Object bytes) {
        if (timer == null) {
          timer =
              context
                  .executor()
                  .schedule(() -> context.close(), requestTime.toMillis(), TimeUnit.MILLISECONDS);
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

  /** Returns the handler that sees the parsed parts of requests. */
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
