package social.feed.api.user;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.query.ResourceIds;
import social.feed.api.edge.text.Text;
import social.feed.api.edge.text.TextRule;
import social.feed.table.row.Picture;

/**
 * A change of a profile; an absent field stays, and so does a null one but for the pictures.
 *
 * @param handle unique, ignoring case; the previous handle is free for others at once
 * @param displayName 1 to 50 characters in one line
 * @param bio at most 160 characters; an empty one removes it
 * @param avatar a completed file of the caller that is shown nowhere; null removes the picture. The
 *     replaced file is deleted.
 * @param banner as the avatar
 */
@Serdeable
@Schema(additionalProperties = Schema.AdditionalPropertiesValue.FALSE)
record ProfileChangeRequest(
    @Nullable @Schema(pattern = TextRule.HANDLE_PATTERN) @Text(TextRule.HANDLE) String handle,
    @Nullable
        @Schema(
            minLength = TextRule.MIN,
            maxLength = TextRule.DISPLAY_NAME_MAX,
            pattern = TextRule.LINE)
        @Text(TextRule.DISPLAY_NAME)
        String displayName,
    @Nullable
        @Schema(maxLength = TextRule.BIO_MAX, pattern = TextRule.LINES_OR_NOTHING)
        @Text(TextRule.BIO)
        String bio,
    @Nullable @Schema(implementation = String.class, nullable = true, pattern = ResourceIds.PATTERN)
        PictureChange avatar,
    @Nullable @Schema(implementation = String.class, nullable = true, pattern = ResourceIds.PATTERN)
        PictureChange banner) {

  /**
   * Returns the pictures that change.
   *
   * @throws ProblemException {@code invalid_request} for one file as both
   */
  Map<Picture, Optional<String>> pictures() {
    var pictures = new EnumMap<Picture, Optional<String>>(Picture.class);
    if (avatar != null) {
      pictures.put(Picture.AVATAR, avatar.file());
    }
    if (banner != null) {
      pictures.put(Picture.BANNER, banner.file());
    }
    if (avatar != null && avatar.mediaId() != null && avatar.equals(banner)) {
      throw ProblemException.invalid("banner", "is the file of the avatar");
    }
    return pictures;
  }
}
