package social.feed.api.notification;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;
import social.feed.table.row.NotificationType;

/** The kind of a notification, in JSON. */
@Serdeable
enum NotificationKind {
  @JsonProperty("follow")
  FOLLOW,
  @JsonProperty("like")
  LIKE,
  @JsonProperty("comment")
  COMMENT,
  @JsonProperty("mention")
  MENTION,
  @JsonProperty("post")
  POST;

  static NotificationKind of(NotificationType stored) {
    return switch (stored) {
      case FOLLOW -> FOLLOW;
      case LIKE -> LIKE;
      case COMMENT -> COMMENT;
      case MENTION -> MENTION;
      case POST -> POST;
    };
  }
}
