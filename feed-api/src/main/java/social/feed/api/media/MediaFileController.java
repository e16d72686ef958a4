package social.feed.api.media;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.annotation.Status;
import io.micronaut.http.server.types.files.StreamedFile;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.security.annotation.Secured;
import io.micronaut.security.rules.SecurityRule;
import io.swagger.v3.oas.annotations.Hidden;
import jakarta.validation.constraints.Pattern;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import social.feed.api.edge.problem.BrokenBodyException;
import social.feed.api.edge.query.ResourceIds;

/**
 * The signed addresses of the folder, in place of those of an object store. They need no token and
 * are no part of the documented interface: a client takes them from a response as they are.
 */
@Hidden
@Requires(beans = MediaService.class, property = "feed.media.folder")
@Secured(SecurityRule.IS_ANONYMOUS)
@ExecuteOn(TaskExecutors.BLOCKING)
@Controller(SealedAddresses.PATH)
class MediaFileController {
  private final MediaService media;
  private final SealedAddresses addresses;

  MediaFileController(MediaService media, SealedAddresses addresses) {
    this.media = media;
    this.addresses = addresses;
  }

  @Consumes(MediaType.ALL)
  @Put("/uploads/{id}")
  @Status(HttpStatus.NO_CONTENT)
  void upload(
      @PathVariable @Pattern(regexp = ResourceIds.PATTERN) String id,
      @QueryValue String signature,
      @Body InputStream content) {
    try (var body = BrokenBodyException.marked(content)) {
      media.receive(id, addresses.requireUpload(id, signature), body);
    } catch (IOException e) {
      throw new UncheckedIOException("The upload cannot be closed", e);
    }
  }

  /** The headers keep a browser from treating a file as anything but an image. */
  @Produces(MediaType.ALL)
  @Get("/files/{id}/{name}")
  HttpResponse<StreamedFile> file(
      @PathVariable @Pattern(regexp = ResourceIds.PATTERN) String id,
      @PathVariable @Pattern(regexp = "^(original|medium|small)\\.(jpg|png|gif)$") String name,
      @QueryValue String signature) {
    long left = addresses.requireFile(id, name, signature);
    ImageType type = ImageType.ofName(name).orElseThrow(MediaAddresses::missing);
    StreamedFile file = new StreamedFile(media.open(id, name), MediaType.of(type.contentType()));
    return HttpResponse.ok(file)
        .header(HttpHeaders.CACHE_CONTROL, "private, immutable, max-age=" + left)
        .header("X-Content-Type-Options", "nosniff")
        .header("Content-Security-Policy", "default-src 'none'; sandbox");
  }
}
