package social.feed.table.row;

import java.time.Instant;

/**
 * A file of an account, as its sort key in GSI1 names it.
 *
 * @param mediaId the file
 * @param createdAt when its upload was announced
 */
public record MediaRef(String mediaId, Instant createdAt) {
  /** Returns the file at a sort key in GSI1. */
  public static MediaRef at(String sort) {
    return new MediaRef(Keys.listedMedia(sort), Keys.timeOf(sort));
  }
}
