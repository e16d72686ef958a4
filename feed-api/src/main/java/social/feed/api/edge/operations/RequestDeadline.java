package social.feed.api.edge.operations;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.Uploads;

/**
 * Closes a connection whose client takes too long to send a request, or sends far more than it may.
 * A body that is a little too large gets a response instead: 413. Runs on the connection's event
 * loop, so it shares no state. It does not limit a connection without a request in progress.
 */
final class RequestDeadline {
  /** The server itself has one limit for all routes, that of uploads. */
  private static final long OTHERS_MAX = 1_048_576;

  private final Duration requestTime;
  private final Duration uploadTime;
  private long bodyMax;
  private long received;
  private io.netty.util.concurrent.@Nullable Future<?> timer;

  RequestDeadline(Duration requestTime, Duration uploadTime) {
    this.requestTime = requestTime;
    this.uploadTime = uploadTime;
  }

  /** Returns the handler that sees the bytes of the client before they are parsed. */
  ChannelInboundHandler bytes() {
    return new ChannelInboundHandlerAdapter() {
      @Override
      public void channelRead(ChannelHandlerContext context, Object bytes) {
        if (timer == null) {
          start(context, requestTime);
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
        if (part instanceof HttpRequest request) {
          begin(context, request.uri().startsWith(Uploads.PATH));
        }
        if (part instanceof HttpContent content) {
          received += content.content().readableBytes();
        }
        if (part instanceof LastHttpContent) {
          stop();
        }
        if (received > bodyMax) {
          ReferenceCountUtil.release(part);
          context.close();
          return;
        }
        context.fireChannelRead(part);
      }
    };
  }

  private void begin(ChannelHandlerContext context, boolean isUpload) {
    received = 0;
    bodyMax = isUpload ? Long.MAX_VALUE : OTHERS_MAX;
    if (isUpload) {
      stop();
      start(context, uploadTime);
    }
  }

  private void start(ChannelHandlerContext context, Duration time) {
    timer =
        context.executor().schedule(() -> context.close(), time.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void stop() {
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }
}
