package social.feed.api.post;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;
import org.jspecify.annotations.Nullable;
import social.feed.table.row.Visibility;

/** The visibility of a post, in JSON. */
@Serdeable
enum PostVisibility {
  @JsonProperty("public")
  PUBLIC,
  @JsonProperty("followers")
  FOLLOWERS,
  @JsonProperty("private")
  PRIVATE;

  static PostVisibility of(Visibility stored) {
    return switch (stored) {
      case PUBLIC -> PUBLIC;
      case FOLLOWERS -> FOLLOWERS;
      case PRIVATE -> PRIVATE;
    };
  }

  /** Returns the stored value; public is the default. */
  static Visibility stored(@Nullable PostVisibility requested) {
    return switch (requested) {
      case null -> Visibility.PUBLIC;
      case PUBLIC -> Visibility.PUBLIC;
      case FOLLOWERS -> Visibility.FOLLOWERS;
      case PRIVATE -> Visibility.PRIVATE;
    };
  }
}
