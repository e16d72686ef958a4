package social.feed.api.home;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;

/** Why a post is not in a home feed, each with a sentence. */
@Serdeable
enum MissingReason {
  @JsonProperty("present")
  PRESENT("It is in the feed; page on to its time."),
  @JsonProperty("unavailable")
  UNAVAILABLE("It was deleted, never existed, or the caller may not read it."),
  @JsonProperty("not_followed")
  NOT_FOLLOWED("The caller does not follow its author and kept no history."),
  @JsonProperty("after_unfollow")
  AFTER_UNFOLLOW(
      "It was written, delivered or made visible again after the caller had unfollowed and kept the"
          + " history."),
  @JsonProperty("before_follow")
  BEFORE_FOLLOW("It is older than the posts that came with the follow."),
  @JsonProperty("beyond_bound")
  BEYOND_BOUND(
      "It is older than the stored part of the feed: page on to its time, and it is read from its"
          + " author."),
  @JsonProperty("not_read_for_long")
  NOT_READ_FOR_LONG("The caller has not read the feed for a long time; the next read restores it."),
  @JsonProperty("blocked")
  BLOCKED("The caller blocks its author, or is blocked by its author."),
  @JsonProperty("muted")
  MUTED("The caller mutes its author; it returns when the mute ends."),
  @JsonProperty("delivery_pending")
  DELIVERY_PENDING("Its delivery has not reached the caller yet."),
  @JsonProperty("delivery_failed")
  DELIVERY_FAILED(
      "Its delivery to the caller became a dead letter, which an operator must redrive."),
  @JsonProperty("lost")
  LOST("It should be in the feed and is not: a defect, which `./feed verify --fix` repairs.");

  private final String sentence;

  MissingReason(String sentence) {
    this.sentence = sentence;
  }

  String sentence() {
    return sentence;
  }
}
