package social.feed.api.media;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import social.feed.table.row.Picture;

/** Which picture of its owner's profile a file is. */
@Serdeable
@Schema(name = "PictureUse")
enum PictureUse {
  @JsonProperty("avatar")
  AVATAR,
  @JsonProperty("banner")
  BANNER;

  static PictureUse of(Picture picture) {
    return switch (picture) {
      case AVATAR -> AVATAR;
      case BANNER -> BANNER;
    };
  }
}
