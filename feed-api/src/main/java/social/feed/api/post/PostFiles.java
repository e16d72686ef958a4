package social.feed.api.post;

import jakarta.inject.Singleton;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.security.Viewer;
import social.feed.table.media.MediaFiles;
import social.feed.table.row.Media;
import social.feed.table.row.Post;
import social.feed.table.row.PostMedia;

/** The files of a new post. Each belongs to one post, and is deleted with it. */
@Singleton
final class PostFiles {
  private final MediaFiles files;

  PostFiles(MediaFiles files) {
    this.files = files;
  }

  /**
   * Returns what a new post keeps of its files, in their order. A read unit for each.
   *
   * @param mediaIds absent for none
   * @throws ProblemException {@code invalid_request}, {@code media_not_usable}
   */
  List<PostMedia> of(Viewer viewer, @Nullable List<String> mediaIds) {
    if (mediaIds == null || mediaIds.isEmpty()) {
      return List.of();
    }
    if (new HashSet<>(mediaIds).size() < mediaIds.size()) {
      throw ProblemException.invalid("media", "contains a file twice");
    }
    Map<String, Media> found = files.getAll(mediaIds, true);
    return mediaIds.stream()
        .map(
            id ->
                Optional.ofNullable(found.get(id))
                    .filter(media -> media.isUsableBy(viewer.userId()))
                    .flatMap(Media::copy)
                    .orElseThrow(PostFiles::notUsable))
        .toList();
  }

  /**
   * Writes a post with its files.
   *
   * @throws ProblemException {@code media_not_usable} when another post took one meanwhile
   */
  void write(Post post) {
    if (!files.post(post)) {
      throw notUsable();
    }
  }

  private static ProblemException notUsable() {
    return new ProblemException(ProblemCode.MEDIA_NOT_USABLE);
  }
}
