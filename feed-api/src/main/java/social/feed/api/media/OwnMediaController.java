package social.feed.api.media;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.InstantSource;
import java.util.Objects;
import social.feed.api.edge.paging.PageBody;
import social.feed.api.edge.paging.PageOf;
import social.feed.api.edge.paging.PageParameters;
import social.feed.api.edge.paging.Pages;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.Viewer;
import social.feed.table.access.AccessPattern;
import social.feed.table.media.MediaFiles;
import social.feed.table.media.MediaStore;
import social.feed.table.row.Media;
import social.feed.table.row.MediaRef;

/** The list of the caller's files. A page costs half a read unit a file, and one for the index. */
@RequiresToken
@Requires(beans = MediaStore.class)
@Controller("/v1/users/me/media")
@Tag(name = "media")
class OwnMediaController {
  private final MediaFiles files;
  private final MediaAddresses addresses;
  private final Pages pages;
  private final InstantSource clock;

  OwnMediaController(MediaFiles files, MediaAddresses addresses, Pages pages, InstantSource clock) {
    this.files = files;
    this.addresses = addresses;
    this.pages = pages;
    this.clock = clock;
  }

  @Operation(
      summary = "Files of the caller",
      description = "Newest first, uploads in progress included.")
  @Get
  PageBody<MediaBody> listOwnMedia(
      Viewer viewer, @PageOf(AccessPattern.FEED_018) PageParameters page) {
    return pages
        .list(viewer, AccessPattern.FEED_018, "")
        .skeleton(request -> files.of(viewer.userId(), request))
        .hydrate(
            references -> files.getAll(references.stream().map(MediaRef::mediaId).toList(), false))
        .filter(
            (found, reference) -> {
              Media media = found.get(reference.mediaId());
              return media != null && !media.isExpired(clock.instant());
            })
        .present(
            (found, reference) ->
                MediaBody.of(Objects.requireNonNull(found.get(reference.mediaId())), addresses))
        .page(page);
  }
}
