package social.feed.local;

import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.security.annotation.Secured;
import io.micronaut.security.rules.SecurityRule;
import java.nio.file.Path;

/** Answers commands on this machine where the bytes of files are. On the local platform only. */
@Controller(MediaFolderRoute.PATH)
@Requires(property = MediaFolderController.FOLDER)
@Secured(SecurityRule.IS_ANONYMOUS)
final class MediaFolderController {
  static final String FOLDER = "feed.media.folder";

  private final Path folder;
  private final String endpoint;

  MediaFolderController(
      @Property(name = FOLDER) String folder,
      @Property(name = "feed.dynamodb.endpoint") String endpoint) {
    this.folder = Path.of(folder).toAbsolutePath();
    this.endpoint = endpoint;
  }

  /** Returns the absolute path of the folder. */
  @Get
  @Produces(MediaType.TEXT_PLAIN)
  HttpResponse<String> folder() {
    return HttpResponse.ok(folder.toString()).header(MediaFolderRoute.TABLE, endpoint);
  }
}
