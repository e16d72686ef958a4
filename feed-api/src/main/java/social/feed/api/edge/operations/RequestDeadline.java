package social.feed.api.edge.operations;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.Uploads;

/**
 * Closes a connection whose client takes too long to send a request, or sends far more than it may.
 * A body that is a little too large gets a response instead: 413. A refused upload is not read to
 * its end: its response ends the connection. Runs on the connection's event loop, so it shares no
 * state. It does not limit a connection without a request in progress.
 */
final class RequestDeadline {
  /** How much more than its limit a request may send, so that it gets a response. */
  private static final long EXCESS = 1_048_576;

  /** How long a refused upload is still read and dropped, so that its client gets the response. */
  private static final Duration LINGER = Duration.ofSeconds(1);

  private static final int ERRORS = 400;

  private final Duration requestTime;
  private final Duration uploadTime;
  private final long uploadMax;
  private long bodyMax;
  private long received;
  private boolean isUpload;
  private boolean isReceiving;
  private boolean isRefused;
  private boolean isAnswered;
  private io.netty.util.concurrent.@Nullable Future<?> timer;

  /**
   * @param uploadTime how long an upload may take
   * @param uploadMax how many bytes an upload may have
   */
  RequestDeadline(Duration requestTime, Duration uploadTime, long uploadMax) {
    this.requestTime = requestTime;
    this.uploadTime = uploadTime;
    this.uploadMax = uploadMax;
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

  /** Returns the handler that sees the parsed parts of requests, and the parts of responses. */
  ChannelDuplexHandler messages() {
    return new ChannelDuplexHandler() {
      @Override
      public void channelRead(ChannelHandlerContext context, Object part) {
        receive(context, part);
      }

      @Override
      public void write(ChannelHandlerContext context, Object part, ChannelPromise promise) {
        if (isUpload && isReceiving && isError(part)) {
          isRefused = true;
          HttpUtil.setKeepAlive((HttpResponse) part, false);
        }
        if (isRefused && part instanceof LastHttpContent) {
          context.write(part, promise.unvoid().addListener(_ -> end(context)));
        } else {
          context.write(part, promise);
        }
      }
    };
  }

  private void receive(ChannelHandlerContext context, Object part) {
    if (part instanceof HttpRequest request && !isRefused) {
      begin(context, request.uri().startsWith(Uploads.PATH));
    }
    if (part instanceof HttpContent content) {
      received += content.content().readableBytes();
    }
    if (part instanceof LastHttpContent) {
      isReceiving = false;
      stop();
    }
    if (isRefused || received > bodyMax) {
      ReferenceCountUtil.release(part);
      if (isAnswered && !isReceiving || received > bodyMax) {
        context.close();
      }
      return;
    }
    context.fireChannelRead(part);
  }

  private void begin(ChannelHandlerContext context, boolean isOfUpload) {
    isUpload = isOfUpload;
    isReceiving = true;
    received = 0;
    bodyMax = EXCESS + (isUpload ? uploadMax : 0);
    if (isUpload) {
      stop();
      start(context, uploadTime);
    }
  }

  private static boolean isError(Object part) {
    return part instanceof HttpResponse response && response.status().code() >= ERRORS;
  }

  /** Ends the connection after the response to a refused upload. */
  private void end(ChannelHandlerContext context) {
    isAnswered = true;
    if (!isReceiving) {
      context.close();
      return;
    }
    stop();
    start(context, LINGER);
    context.channel().config().setAutoRead(true);
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
