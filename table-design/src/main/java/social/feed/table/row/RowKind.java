package social.feed.table.row;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The entity type attribute of an item, and the record it decodes to. */
@SuppressWarnings("ImmutableEnumChecker") // Lists that nobody changes.
public enum RowKind {
  USER(User.class, User.BESIDE),
  HANDLE_CLAIM(HandleClaim.class),
  POST(Post.class, Post.BESIDE),
  POST_TAG(PostTag.class),
  COMMENT(Comment.class),
  LIKE(Like.class),
  FOLLOW(Follow.class),
  SPECIAL_FOLLOWER(SpecialFollower.class),
  FOLLOW_QUOTA(FollowQuota.class),
  KEPT_HISTORY(RetainedPosts.class),
  BLOCK(Block.class),
  BLOCKED_BY(BlockedBy.class),
  MUTE(Mute.class),
  ACTIVITY(FeedActivity.class),
  FEED_ENTRY(FeedEntry.class),
  PULLED_AUTHOR(PulledAuthor.class),
  TOP_AUTHOR(TopAuthor.class),
  TAG_TREND(TagTrend.class),
  FAN_OUT_PLAN(FanOutPlan.class),
  FAN_OUT_CHUNK(FanOutChunk.class),
  NOTIFICATION(Notification.class),
  ANNOUNCEMENT(PostNotification.class),
  ANNOUNCEMENT_PART(PostNotificationChunk.class),
  EFFECT_MARK(ProcessedEvent.class),
  IDEMPOTENCY_RECORD(IdempotencyRecord.class),
  ERASURE(Erasure.class),
  ERASURE_ALARM(ErasureTimer.class);

  /** Name of the attribute that says which kind an item is. */
  public static final String ATTRIBUTE = "entity";

  private static final Map<String, RowKind> BY_NAME =
      Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(RowKind::name, kind -> kind));
  private static final Map<Class<?>, RowKind> BY_TYPE =
      Arrays.stream(values())
          .collect(Collectors.toUnmodifiableMap(RowKind::type, Function.identity()));

  private final Class<? extends Row> type;
  private final List<String> beside;

  RowKind(Class<? extends Row> type) {
    this(type, List.of());
  }

  RowKind(Class<? extends Row> type, List<String> beside) {
    this.type = type;
    this.beside = beside;
  }

  public Class<? extends Row> type() {
    return type;
  }

  /**
   * Names of the attributes that updates write beside those of the record; each is absent until
   * then.
   */
  public List<String> beside() {
    return beside;
  }

  /** The kind with this entity type, if there is one. */
  public static Optional<RowKind> named(String entity) {
    return Optional.ofNullable(BY_NAME.get(entity));
  }

  /** The kind of a record type, if it is a row and not just a projection of one. */
  public static Optional<RowKind> of(Class<?> type) {
    return Optional.ofNullable(BY_TYPE.get(type));
  }
}
