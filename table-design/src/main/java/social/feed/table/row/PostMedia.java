package social.feed.table.row;

import org.jspecify.annotations.Nullable;

/**
 * A file of a post or a profile, copied when the post was written or the picture set, so that no
 * page reads anything more.
 *
 * @param mediaId the file
 * @param contentType such as {@code image/png}
 * @param bytes the size of the upload
 * @param width of the original, in pixels
 * @param height of the original, in pixels
 * @param alt the description at that time
 */
public record PostMedia(
    String mediaId, String contentType, long bytes, int width, int height, @Nullable String alt) {}
