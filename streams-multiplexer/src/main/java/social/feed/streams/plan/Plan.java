package social.feed.streams.plan;

import static social.feed.streams.plan.EffectRule.Event.EXPIRE;
import static social.feed.streams.plan.EffectRule.Event.INSERT;
import static social.feed.streams.plan.EffectRule.Event.MODIFY;
import static social.feed.streams.plan.EffectRule.Event.REMOVE;
import static social.feed.streams.plan.EffectTypes.ASSESS_FOLLOWS;
import static social.feed.streams.plan.EffectTypes.BACKFILL;
import static social.feed.streams.plan.EffectTypes.CHANGE_VISIBILITY;
import static social.feed.streams.plan.EffectTypes.CLEAN_UP_POST;
import static social.feed.streams.plan.EffectTypes.COMPARE_OPENING;
import static social.feed.streams.plan.EffectTypes.CONTINUE_CLEAN_UP;
import static social.feed.streams.plan.EffectTypes.COPY_FOLLOWING;
import static social.feed.streams.plan.EffectTypes.COUNT;
import static social.feed.streams.plan.EffectTypes.COUNT_ONCE;
import static social.feed.streams.plan.EffectTypes.DELIVER_CHUNK;
import static social.feed.streams.plan.EffectTypes.ERASE;
import static social.feed.streams.plan.EffectTypes.FAN_OUT;
import static social.feed.streams.plan.EffectTypes.FLIP;
import static social.feed.streams.plan.EffectTypes.GRANT_ERASURES;
import static social.feed.streams.plan.EffectTypes.NOTIFY;
import static social.feed.streams.plan.EffectTypes.NOTIFY_MENTIONED;
import static social.feed.streams.plan.EffectTypes.NOTIFY_SPECIAL_FOLLOWERS;
import static social.feed.streams.plan.EffectTypes.NOTIFY_SPECIAL_FOLLOWERS_CHUNK;
import static social.feed.streams.plan.EffectTypes.POST_INTERACTION;
import static social.feed.streams.plan.EffectTypes.PUBLISH;
import static social.feed.streams.plan.EffectTypes.REBUILD;
import static social.feed.streams.plan.EffectTypes.RECONCILE_FEED;
import static social.feed.streams.plan.EffectTypes.REMOVE_FROM_FEED;
import static social.feed.streams.plan.EffectTypes.REMOVE_MEDIA;
import static social.feed.streams.plan.EffectTypes.REMOVE_MEDIA_AGAIN;
import static social.feed.streams.plan.EffectTypes.RETRACT;
import static social.feed.streams.plan.EffectTypes.SWEEP_ERASURES;
import static social.feed.streams.plan.EffectTypes.TIDY_INBOX;
import static social.feed.streams.plan.EffectTypes.WAKE_ERASURE;
import static social.feed.streams.plan.EffectTypes.WRITE_TAGS;
import static social.feed.streams.plan.Lane.COUNTS;
import static social.feed.streams.plan.Lane.EFFECTS;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.streams.change.Change;
import social.feed.streams.effect.AssessFollowsHandler.AssessFollows;
import social.feed.streams.effect.BackfillHandler.Backfill;
import social.feed.streams.effect.ChangeVisibilityHandler.ChangeVisibility;
import social.feed.streams.effect.CleanUpPostHandler.CleanUpPost;
import social.feed.streams.effect.CompareOpeningHandler.CompareOpening;
import social.feed.streams.effect.ContinueCleanUpHandler.ContinueCleanUp;
import social.feed.streams.effect.CopyFollowingHandler.CopyFollowing;
import social.feed.streams.effect.Count;
import social.feed.streams.effect.CountOnceHandler.CountOnce;
import social.feed.streams.effect.DeliverChunkHandler.DeliverChunk;
import social.feed.streams.effect.Effect;
import social.feed.streams.effect.EffectType;
import social.feed.streams.effect.EraseHandler.Erase;
import social.feed.streams.effect.FanOutHandler.FanOut;
import social.feed.streams.effect.FlipHandler.Flip;
import social.feed.streams.effect.GrantErasuresHandler.GrantErasures;
import social.feed.streams.effect.PostNotifier.NotifySpecialFollowersChunk;
import social.feed.streams.effect.PublishHandler.Publish;
import social.feed.streams.effect.RebuildHandler.Rebuild;
import social.feed.streams.effect.ReconcileFeedHandler.ReconcileFeed;
import social.feed.streams.effect.RemoveFromFeedHandler.RemoveFromFeed;
import social.feed.streams.effect.RemoveMediaAgainHandler.RemoveMediaAgain;
import social.feed.streams.effect.RemoveMediaHandler.RemoveMedia;
import social.feed.streams.effect.SweepErasuresHandler.SweepErasures;
import social.feed.streams.effect.TidyInboxHandler.TidyInbox;
import social.feed.streams.effect.WakeErasureHandler.WakeErasure;
import social.feed.streams.effect.WriteTagsHandler.WriteTags;
import social.feed.streams.event.EventPlan;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.Comment;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasurePace;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.ErasureSweep;
import social.feed.table.row.ErasureTimer;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.Fence;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Inbox;
import social.feed.table.row.Key;
import social.feed.table.row.Like;
import social.feed.table.row.Media;
import social.feed.table.row.MediaRemoval;
import social.feed.table.row.Notification;
import social.feed.table.row.Post;
import social.feed.table.row.PostCleanUp;
import social.feed.table.row.PostNotificationChunk;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.Row;
import social.feed.table.row.RowKind;
import social.feed.table.row.TagUses;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;
import social.feed.table.suspicion.SuspicionRules;

/**
 * The registry of all stream effects: what each change of the table causes, on one page.
 *
 * <p>Each line of {@link #decide} says the row kind, the event, the attribute that must change, the
 * lane and the effect. Derived from these lines are the records that a lane receives ({@code
 * LaneFilter}, {@code LanePatterns}), the handlers ({@code EffectHandlers}) and {@code
 * docs/stream-effects.md}. A new row kind does not compile here until its effects are decided. The
 * plan decides and has no side effects. {@link EffectTypes} has the kinds of effects.
 */
public final class Plan {
  private static final Map<RowKind, List<EffectRule>> RULES =
      Arrays.stream(RowKind.values())
          .collect(
              Collectors.toMap(
                  kind -> kind, Plan::decide, (a, _) -> a, () -> new EnumMap<>(RowKind.class)));

  private static final Map<Class<?>, EffectType<?>> TYPES =
      Stream.concat(
              RULES.values().stream().flatMap(List::stream).map(EffectRule::effect),
              Stream.of(PUBLISH))
          .distinct()
          .collect(Collectors.toUnmodifiableMap(EffectType::effect, type -> type));

  private final NotificationPlan notifications;
  private final CountPlan counting;
  private final SuspicionRules suspicion;
  private final BooleanSupplier hasEvents;

  /**
   * Creates a plan with the default half-life of tags.
   *
   * @param notificationsLive how long a notification is kept
   */
  public Plan(Duration notificationsLive) {
    this(notificationsLive, TrendingTags.HALF_LIFE);
  }

  /**
   * @param notificationsLive how long a notification is kept
   * @param halfLife the time in which a use of a tag loses half its weight, in whole hours
   */
  public Plan(Duration notificationsLive, Duration halfLife) {
    this(
        new NotificationPlan(notificationsLive),
        new CountPlan(TrendingTags.requireHours(halfLife)),
        SuspicionRules.STANDARD,
        () -> false);
  }

  private Plan(
      NotificationPlan notifications,
      CountPlan counting,
      SuspicionRules suspicion,
      BooleanSupplier hasEvents) {
    this.notifications = notifications;
    this.counting = counting;
    this.suspicion = suspicion;
    this.hasEvents = hasEvents;
  }

  /** Returns this plan with events for other systems. */
  public Plan withEvents() {
    return withEventsWhile(() -> true);
  }

  /**
   * Returns this plan with events for other systems while they are wanted.
   *
   * @param areWanted is asked for each record, and must not fail
   */
  public Plan withEventsWhile(BooleanSupplier areWanted) {
    return new Plan(notifications, counting, suspicion, areWanted);
  }

  /** Returns this plan with other thresholds of suspicious follows. */
  public Plan with(SuspicionRules rules) {
    return new Plan(notifications, counting, rules, hasEvents);
  }

  /** The lines of a row kind, in the order in which a lane applies their effects. */
  private static List<EffectRule> decide(RowKind kind) {
    return switch (kind) {
      case POST ->
          EffectRule.Builder.of(Post.class)
              .on(INSERT, COUNTS, COUNT, (plan, post) -> plan.counting.uses(post, 1))
              .on(
                  INSERT,
                  EFFECTS,
                  COUNT_ONCE,
                  (_, post) -> CountPlan.of(post, ProcessedEvent.CREATED, 1))
              .on(INSERT, EFFECTS, FAN_OUT, (_, post) -> List.of(new FanOut(post)))
              .on(INSERT, EFFECTS, WRITE_TAGS, (_, post) -> tagsOfNew(post))
              .on(
                  INSERT,
                  EFFECTS,
                  NOTIFY_MENTIONED,
                  (plan, post) -> plan.notifications.ofMentionsInNew(post))
              .on(
                  INSERT,
                  EFFECTS,
                  NOTIFY_SPECIAL_FOLLOWERS,
                  (plan, post) -> plan.notifications.ofNewToSpecialFollowers(post))
              .onChangeOf(
                  Post.VISIBILITY,
                  COUNTS,
                  COUNT,
                  (plan, before, after) -> plan.counting.changedUses(before, after))
              .onChangeOf(Post.VISIBILITY, EFFECTS, CHANGE_VISIBILITY, Plan::feedsOfChanged)
              .onChangeOf(Post.VISIBILITY, EFFECTS, WRITE_TAGS, Plan::tagsOfChanged)
              .onChangeOf(
                  Post.VISIBILITY,
                  EFFECTS,
                  NOTIFY_MENTIONED,
                  (plan, _, post) -> plan.notifications.ofMentions(post))
              .onChangeOf(
                  Post.VISIBILITY,
                  EFFECTS,
                  NOTIFY_SPECIAL_FOLLOWERS,
                  (plan, _, post) -> plan.notifications.toSpecialFollowers(post))
              .on(REMOVE, COUNTS, COUNT, (plan, post) -> plan.counting.uses(post, -1))
              .on(
                  REMOVE,
                  EFFECTS,
                  COUNT_ONCE,
                  (_, post) -> CountPlan.of(post, ProcessedEvent.DELETED, -1))
              .on(REMOVE, EFFECTS, CLEAN_UP_POST, (_, post) -> List.of(new CleanUpPost(post)))
              .on(REMOVE, EFFECTS, RETRACT, (plan, post) -> plan.notifications.retractedWith(post))
              .rules();
      case LIKE ->
          EffectRule.Builder.of(Like.class)
              .on(INSERT, COUNTS, COUNT, (_, like) -> CountPlan.of(like, 1))
              .on(
                  INSERT,
                  EFFECTS,
                  POST_INTERACTION,
                  (plan, like) -> plan.notifications.ofInteraction(like))
              .on(REMOVE, COUNTS, COUNT, (_, like) -> CountPlan.of(like, -1))
              .on(REMOVE, EFFECTS, RETRACT, (plan, like) -> plan.notifications.retractedWith(like))
              .rules();
      case COMMENT ->
          EffectRule.Builder.of(Comment.class)
              .on(INSERT, COUNTS, COUNT, (_, comment) -> CountPlan.of(comment, 1))
              .on(
                  INSERT,
                  EFFECTS,
                  POST_INTERACTION,
                  (plan, comment) -> plan.notifications.ofInteraction(comment))
              .on(REMOVE, COUNTS, COUNT, (_, comment) -> CountPlan.of(comment, -1))
              .on(
                  REMOVE,
                  EFFECTS,
                  RETRACT,
                  (plan, comment) -> plan.notifications.retractedWith(comment))
              .rules();
      case FOLLOW ->
          EffectRule.Builder.of(Follow.class)
              .on(INSERT, COUNTS, COUNT, (_, edge) -> CountPlan.of(edge, 1))
              .on(INSERT, EFFECTS, BACKFILL, (_, edge) -> List.of(new Backfill(edge)))
              .on(INSERT, EFFECTS, NOTIFY, (plan, edge) -> plan.notifications.ofNew(edge))
              .onChangeOf(Follow.FEED_RETRIED_AT, EFFECTS, RECONCILE_FEED, Plan::ofRetriedBackfill)
              .on(REMOVE, COUNTS, COUNT, (_, edge) -> CountPlan.of(edge, -1))
              .on(REMOVE, EFFECTS, REMOVE_FROM_FEED, (_, edge) -> List.of(new RemoveFromFeed(edge)))
              .on(REMOVE, EFFECTS, RETRACT, (plan, edge) -> plan.notifications.retractedWith(edge))
              .rules();
      case FOLLOW_QUOTA ->
          EffectRule.Builder.of(FollowQuota.class)
              .on(INSERT, EFFECTS, COPY_FOLLOWING, (_, quota) -> copy(quota))
              .on(MODIFY, EFFECTS, COPY_FOLLOWING, (_, quota) -> copy(quota))
              .onChange(EFFECTS, ASSESS_FOLLOWS, Plan::assess)
              .onChange(EFFECTS, COMPARE_OPENING, Plan::compareOpening)
              .rules();
      case USER ->
          EffectRule.Builder.of(User.class)
              .onChangeOf(User.IS_CELEBRITY, EFFECTS, FLIP, (_, _, user) -> flip(user))
              .rules();
      case ACTIVITY ->
          EffectRule.Builder.of(FeedActivity.class)
              .on(INSERT, EFFECTS, REBUILD, (_, activity) -> rebuild(activity))
              .onChangeOf(
                  FeedActivity.STORED_SINCE,
                  EFFECTS,
                  REBUILD,
                  (_, _, activity) -> rebuild(activity))
              .onChangeOf(
                  FeedActivity.STORED_SINCE, EFFECTS, RECONCILE_FEED, Plan::ofFinishedRebuild)
              .rules();
      case FAN_OUT_CHUNK ->
          EffectRule.Builder.of(FanOutChunk.class)
              .on(INSERT, EFFECTS, DELIVER_CHUNK, (_, chunk) -> List.of(new DeliverChunk(chunk)))
              .rules();
      case ANNOUNCEMENT_PART ->
          EffectRule.Builder.of(PostNotificationChunk.class)
              .on(
                  INSERT,
                  EFFECTS,
                  NOTIFY_SPECIAL_FOLLOWERS_CHUNK,
                  (_, chunk) -> List.of(new NotifySpecialFollowersChunk(chunk)))
              .rules();
      // The multiplexer's own rows. Their records come from one partition for each tag.
      case TAG_USES ->
          EffectRule.Builder.of(TagUses.class)
              .on(INSERT, COUNTS, COUNT, (_, uses) -> CountPlan.gathered(uses, uses.uses()))
              .onChange(
                  COUNTS,
                  COUNT,
                  (_, before, after) -> CountPlan.gathered(after, after.uses() - before.uses()))
              .rules();
      case NOTIFICATION ->
          EffectRule.Builder.of(Notification.class)
              .on(INSERT, COUNTS, COUNT, (_, notification) -> CountPlan.unread(notification, 1))
              .onChangeOf(
                  Notification.READ,
                  COUNTS,
                  COUNT,
                  (_, before, after) -> CountPlan.nowRead(before, after))
              .on(REMOVE, COUNTS, COUNT, (_, notification) -> CountPlan.unread(notification, -1))
              .on(EXPIRE, COUNTS, COUNT, (_, notification) -> CountPlan.unread(notification, -1))
              .rules();
      case INBOX ->
          EffectRule.Builder.of(Inbox.class)
              .on(INSERT, EFFECTS, TIDY_INBOX, (_, inbox) -> tidy(inbox))
              .onChangeOf(Inbox.STEP, EFFECTS, TIDY_INBOX, (_, _, inbox) -> tidy(inbox))
              .rules();
      case ERASURE ->
          EffectRule.Builder.of(Erasure.class)
              .on(INSERT, EFFECTS, ERASE, (_, erasure) -> erase(erasure))
              .on(MODIFY, EFFECTS, ERASE, (_, erasure) -> erase(erasure))
              .rules();
      case ERASURE_PACE ->
          EffectRule.Builder.of(ErasurePace.class)
              .on(INSERT, EFFECTS, GRANT_ERASURES, (_, pace) -> grant(pace))
              .on(MODIFY, EFFECTS, GRANT_ERASURES, (_, pace) -> grant(pace))
              .rules();
      case ERASURE_SWEEP ->
          EffectRule.Builder.of(ErasureSweep.class)
              .on(INSERT, EFFECTS, SWEEP_ERASURES, (_, sweep) -> sweep(sweep))
              .on(MODIFY, EFFECTS, SWEEP_ERASURES, (_, sweep) -> sweep(sweep))
              .rules();
      // Only its expiry matters.
      case ERASURE_ALARM ->
          EffectRule.Builder.of(ErasureTimer.class)
              .on(EXPIRE, EFFECTS, WAKE_ERASURE, (_, timer) -> List.of(new WakeErasure(timer)))
              .rules();
      case FENCE ->
          EffectRule.Builder.of(Fence.class)
              .on(INSERT, COUNTS, COUNT, (_, fence) -> CountPlan.pass(fence))
              .on(INSERT, EFFECTS, COUNT_ONCE, (_, fence) -> CountPlan.passOnce(fence))
              .rules();
      case MEDIA ->
          EffectRule.Builder.of(Media.class)
              .on(REMOVE, EFFECTS, REMOVE_MEDIA, (_, media) -> List.of(new RemoveMedia(media)))
              .on(EXPIRE, EFFECTS, REMOVE_MEDIA, (_, media) -> List.of(new RemoveMedia(media)))
              .rules();
      // The end of a removal is the removal of this row.
      case POST_CLEAN_UP ->
          EffectRule.Builder.of(PostCleanUp.class)
              .on(INSERT, EFFECTS, CONTINUE_CLEAN_UP, Plan::cleanUp)
              .on(MODIFY, EFFECTS, CONTINUE_CLEAN_UP, Plan::cleanUp)
              .rules();
      // Only the timer expires.
      case MEDIA_REMOVAL ->
          EffectRule.Builder.of(MediaRemoval.class)
              .on(
                  EXPIRE,
                  EFFECTS,
                  REMOVE_MEDIA_AGAIN,
                  (_, timer) -> List.of(new RemoveMediaAgain(timer)))
              .rules();
      // A block hides at once. The edges that it ends have effects of their own.
      case BLOCK, BLOCKED_BY, MUTE -> List.of();
      // It applies from the next post on. Earlier notifications stay, as those of mentions do.
      case SPECIAL_FOLLOWER, ANNOUNCEMENT -> List.of();
      case HANDLE_CLAIM, IDEMPOTENCY_RECORD, KEPT_HISTORY -> List.of();
      // The row of the sweep or of the pace is the order.
      case PENDING_ERASURE, WAITING_ERASURE -> List.of();
      // The multiplexer writes these itself.
      case POST_TAG, FEED_ENTRY, RECENT_DELIVERY, PULLED_AUTHOR, PULL_REVISION -> List.of();
      case TOP_AUTHOR, TAG_TREND -> List.of();
      case FAN_OUT_PLAN, EFFECT_MARK, SUSPECT, FOLLOW_OPENING -> List.of();
      // Consumers of events read them when they need them.
      case WEBHOOK, WEBHOOK_DELIVERIES, WEBHOOK_REGISTRY -> List.of();
    };
  }

  /** The lines of a row kind, in the order in which a lane applies their effects. */
  public static List<EffectRule> rules(RowKind kind) {
    return RULES.getOrDefault(kind, List.of());
  }

  /** All kinds of effects that have a line. */
  public static List<EffectType<?>> effectTypes() {
    return List.copyOf(TYPES.values());
  }

  /** The name of an effect in dead letters. */
  public static String nameOf(Effect effect) {
    return typeOf(effect).name();
  }

  /**
   * The item of an effect of which the last one in a batch stands for all of that kind and item;
   * empty for an effect that matters in itself.
   */
  public static Optional<Object> collapsingItem(Effect effect) {
    return typeOf(effect).itemOf(effect);
  }

  /**
   * The item that effects of records with different keys write, so that they must not run
   * concurrently; empty for an effect that keeps the order of its record's partition.
   */
  public static Optional<Key> sharedItem(Effect effect) {
    return typeOf(effect).sharedItemOf(effect);
  }

  /**
   * The row, or the subject of an event, among whose effects alone an effect needs an order; empty
   * for an effect that keeps the order of its record's partition.
   */
  public static Optional<Object> ownRow(Effect effect) {
    return typeOf(effect).rowOf(effect);
  }

  /** Whether a later effect of an effect's row in a batch stands for it. */
  public static boolean isCoveredByLater(Effect effect) {
    return typeOf(effect).isCovered();
  }

  /** Whether an effect shows that all before it were applied. */
  public static boolean isFence(Effect effect) {
    return effect instanceof CountOnce count && Fence.isAt(count.item());
  }

  private static EffectType<?> typeOf(Effect effect) {
    var type = TYPES.get(effect.getClass());
    if (type == null) {
      throw new IllegalArgumentException("No line of the plan has the effect " + effect);
    }
    return type;
  }

  /** Returns what a change adds to counters, for the counts lane. */
  public List<Count> counts(Change change) {
    return of(COUNTS, change).map(Count.class::cast).toList();
  }

  /** Returns the effects of a change in the effects lane, in the order in which to apply them. */
  public List<Effect> effects(Change change) {
    return of(EFFECTS, change).<Effect>map(effect -> effect).toList();
  }

  /**
   * Returns the effects of a change in the effects lane, and its events if the plan has any.
   *
   * @param record the record of the change
   */
  public List<Effect> effects(Change change, DynamodbStreamRecord record) {
    return hasEvents.getAsBoolean()
        ? Stream.concat(
                effects(change).stream(),
                EventPlan.events(change, record).stream().map(Publish::new))
            .toList()
        : effects(change);
  }

  private Stream<? extends Effect> of(Lane lane, Change change) {
    return switch (change) {
      case Change.Inserted(var row) -> of(lane, INSERT, row, row);
      case Change.Modified(var before, var after) -> of(lane, MODIFY, before, after);
      case Change.Removed(var row) -> of(lane, REMOVE, row, row);
      case Change.Expired(var row) -> of(lane, EXPIRE, row, row);
    };
  }

  private Stream<? extends Effect> of(Lane lane, EffectRule.Event event, Row before, Row after) {
    return rules(after.kind()).stream()
        .filter(rule -> rule.lane() == lane && rule.event() == event)
        .flatMap(rule -> rule.of(this, before, after).stream());
  }

  /**
   * Returns the counts of a record that cannot be decoded, as far as its keys and images name them,
   * for the counts lane. The amount to add is not known, so it is 0.
   */
  public List<Count> unreadableCounts(DynamodbStreamRecord record) {
    return UnreadableCounts.counts(record, counting.halfLife());
  }

  /** The same for the effects lane. */
  public List<CountOnce> unreadableCountsOnce(DynamodbStreamRecord record) {
    return UnreadableCounts.countsOnce(record);
  }

  private static List<WriteTags> tagsOfNew(Post post) {
    return post.tags().isEmpty() ? List.of() : List.of(new WriteTags(post));
  }

  /** Followers have the post in their feeds whether it is public or for followers. */
  private List<ChangeVisibility> feedsOfChanged(Post before, Post after) {
    return isInFeedsOfOthers(before) == isInFeedsOfOthers(after)
        ? List.of()
        : List.of(new ChangeVisibility(after));
  }

  /** {@link ChangeVisibility} writes the tag rows itself. */
  private List<WriteTags> tagsOfChanged(Post before, Post after) {
    return isInFeedsOfOthers(before) == isInFeedsOfOthers(after)
        ? List.of(new WriteTags(after))
        : List.of();
  }

  private static boolean isInFeedsOfOthers(Post post) {
    return post.visibility() != Visibility.PRIVATE;
  }

  private static List<TidyInbox> tidy(Inbox inbox) {
    return List.of(new TidyInbox(inbox.userId()));
  }

  /** A backfill that finds that it was begun before changes this attribute only. */
  private List<ReconcileFeed> ofRetriedBackfill(Follow before, Follow after) {
    return List.of(
        new ReconcileFeed(
            after.followerId(), Optional.of(after.followeeId()), orAll(after.feedSince())));
  }

  /** The end of a rebuild causes a check of the entries that it wrote, not another rebuild. */
  private List<ReconcileFeed> ofFinishedRebuild(FeedActivity before, FeedActivity after) {
    return after.rebuildFrom() == null
        ? List.of(new ReconcileFeed(after.userId(), Optional.empty(), orAll(before.rebuildFrom())))
        : List.of();
  }

  private static Instant orAll(@Nullable Instant since) {
    return since == null ? Instant.EPOCH : since;
  }

  private static List<Rebuild> rebuild(FeedActivity activity) {
    return activity.rebuildFrom() == null ? List.of() : List.of(new Rebuild(activity));
  }

  private static List<Flip> flip(User user) {
    return List.of(
        new Flip(
            user.userId(), user.isCelebrity(), user.followersCount(), user.celebrityVersion()));
  }

  private static List<Erase> erase(Erasure erasure) {
    return erasure.step() == ErasureStep.ERASED
        ? List.of()
        : List.of(new Erase(erasure.hash(), erasure.revision()));
  }

  private List<ContinueCleanUp> cleanUp(PostCleanUp order) {
    return List.of(
        new ContinueCleanUp(order.postId(), order.cause(), order.revision(), notifications.live()));
  }

  /** A clock that has stopped looks once more for erasures that wait. */
  private static List<GrantErasures> grant(ErasurePace pace) {
    return List.of(new GrantErasures(pace.revision()));
  }

  private static List<SweepErasures> sweep(ErasureSweep sweep) {
    return sweep.isUnderWay() ? List.of(new SweepErasures(sweep.revision())) : List.of();
  }

  /** Most changes pass no threshold, and cause nothing. */
  private List<AssessFollows> assess(FollowQuota before, FollowQuota after) {
    var findings = suspicion.crossed(before, after);
    return findings.isEmpty() || after.day() == null
        ? List.of()
        : List.of(
            new AssessFollows(after.userId(), after.version(), after.day(), findings, suspicion));
  }

  private List<CompareOpening> compareOpening(FollowQuota before, FollowQuota after) {
    return after.day() != null && SuspicionRules.endsOpening(before, after)
        ? List.of(new CompareOpening(after.userId(), after.version(), after.day(), suspicion))
        : List.of();
  }

  private static List<CopyFollowing> copy(FollowQuota quota) {
    return List.of(new CopyFollowing(quota.userId(), quota.following(), quota.version()));
  }
}
