package social.feed.api.media;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.server.HttpServerConfiguration;
import jakarta.inject.Singleton;

/**
 * Lets the server take bodies as large as a file, where there is a store for files. The server has
 * one limit for all routes; {@code RequestDeadline} keeps that of others. An upload is read as a
 * stream, of which some reads of the socket wait in memory.
 */
@Singleton
@Requires(property = "feed.media.folder")
final class UploadLimits implements BeanCreatedEventListener<HttpServerConfiguration> {
  private static final int IN_MEMORY = 262_144;

  private final MediaConfiguration media;

  UploadLimits(MediaConfiguration media) {
    this.media = media;
  }

  @Override
  public HttpServerConfiguration onCreated(BeanCreatedEvent<HttpServerConfiguration> event) {
    HttpServerConfiguration server = event.getBean();
    server.setMaxRequestSize(Math.max(server.getMaxRequestSize(), media.maxBytes()));
    server.setMaxRequestBufferSize(IN_MEMORY);
    return server;
  }
}
