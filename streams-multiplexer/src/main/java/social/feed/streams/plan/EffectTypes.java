package social.feed.streams.plan;

import java.util.Optional;
import social.feed.streams.effect.AssessFollowsHandler;
import social.feed.streams.effect.AssessFollowsHandler.AssessFollows;
import social.feed.streams.effect.BackfillHandler;
import social.feed.streams.effect.BackfillHandler.Backfill;
import social.feed.streams.effect.ChangeVisibilityHandler;
import social.feed.streams.effect.ChangeVisibilityHandler.ChangeVisibility;
import social.feed.streams.effect.CleanUpPostHandler;
import social.feed.streams.effect.CleanUpPostHandler.CleanUpPost;
import social.feed.streams.effect.CompareOpeningHandler;
import social.feed.streams.effect.CompareOpeningHandler.CompareOpening;
import social.feed.streams.effect.ContinueCleanUpHandler;
import social.feed.streams.effect.ContinueCleanUpHandler.ContinueCleanUp;
import social.feed.streams.effect.CopyFollowingHandler;
import social.feed.streams.effect.CopyFollowingHandler.CopyFollowing;
import social.feed.streams.effect.Count;
import social.feed.streams.effect.CountOnceHandler;
import social.feed.streams.effect.CountOnceHandler.CountOnce;
import social.feed.streams.effect.DeliverChunkHandler;
import social.feed.streams.effect.DeliverChunkHandler.DeliverChunk;
import social.feed.streams.effect.EffectType;
import social.feed.streams.effect.EraseHandler;
import social.feed.streams.effect.EraseHandler.Erase;
import social.feed.streams.effect.FanOutHandler;
import social.feed.streams.effect.FanOutHandler.FanOut;
import social.feed.streams.effect.FlipHandler;
import social.feed.streams.effect.FlipHandler.Flip;
import social.feed.streams.effect.GrantErasuresHandler;
import social.feed.streams.effect.GrantErasuresHandler.GrantErasures;
import social.feed.streams.effect.NotifyHandler;
import social.feed.streams.effect.NotifyHandler.Notify;
import social.feed.streams.effect.NotifyMentionedHandler;
import social.feed.streams.effect.NotifyMentionedHandler.NotifyMentioned;
import social.feed.streams.effect.PostInteractionHandler;
import social.feed.streams.effect.PostInteractionHandler.PostInteraction;
import social.feed.streams.effect.PostNotifier;
import social.feed.streams.effect.PostNotifier.NotifySpecialFollowers;
import social.feed.streams.effect.PostNotifier.NotifySpecialFollowersChunk;
import social.feed.streams.effect.PublishHandler;
import social.feed.streams.effect.PublishHandler.Publish;
import social.feed.streams.effect.RebuildHandler;
import social.feed.streams.effect.RebuildHandler.Rebuild;
import social.feed.streams.effect.ReconcileFeedHandler;
import social.feed.streams.effect.ReconcileFeedHandler.ReconcileFeed;
import social.feed.streams.effect.RemoveFromFeedHandler;
import social.feed.streams.effect.RemoveFromFeedHandler.RemoveFromFeed;
import social.feed.streams.effect.RemoveMediaAgainHandler;
import social.feed.streams.effect.RemoveMediaAgainHandler.RemoveMediaAgain;
import social.feed.streams.effect.RemoveMediaHandler;
import social.feed.streams.effect.RemoveMediaHandler.RemoveMedia;
import social.feed.streams.effect.RetractHandler;
import social.feed.streams.effect.RetractHandler.Retract;
import social.feed.streams.effect.SweepErasuresHandler;
import social.feed.streams.effect.SweepErasuresHandler.SweepErasures;
import social.feed.streams.effect.TidyInboxHandler;
import social.feed.streams.effect.TidyInboxHandler.TidyInbox;
import social.feed.streams.effect.WakeErasureHandler;
import social.feed.streams.effect.WakeErasureHandler.WakeErasure;
import social.feed.streams.effect.WriteTagsHandler;
import social.feed.streams.effect.WriteTagsHandler.WriteTags;
import social.feed.streams.event.EventPlan;

/**
 * Each kind of effect: its name in dead letters, which never changes, and its handler.
 *
 * <p>An effect collapses where its handler reads the present state, or writes it under a version.
 * The effects of likes, comments and follows keep the order of their own row only, since each of
 * their handlers writes first and then reads that row again, and the post of a like or comment. So
 * thousands of likes of one post, or of follows of one account, are one group of each kind in a
 * batch. Events keep the order of what they are about.
 */
final class EffectTypes {
  static final EffectType<Count> COUNT = EffectType.counted("Count", Count.class);
  static final EffectType<CountOnce> COUNT_ONCE =
      EffectType.of("CountOnce", CountOnce.class, CountOnceHandler::new).shares(CountOnce::item);
  static final EffectType<CopyFollowing> COPY_FOLLOWING =
      EffectType.of("CopyFollowing", CopyFollowing.class, CopyFollowingHandler::new)
          .collapses(CopyFollowing::userId);
  static final EffectType<AssessFollows> ASSESS_FOLLOWS =
      EffectType.of("AssessFollows", AssessFollows.class, AssessFollowsHandler::new);
  static final EffectType<CompareOpening> COMPARE_OPENING =
      EffectType.of("CompareOpening", CompareOpening.class, CompareOpeningHandler::new);
  static final EffectType<Flip> FLIP = EffectType.of("Flip", Flip.class, FlipHandler::new);
  static final EffectType<WriteTags> WRITE_TAGS =
      EffectType.of("WriteTags", WriteTags.class, WriteTagsHandler::new)
          .collapses(tags -> tags.post().postId());
  static final EffectType<FanOut> FAN_OUT =
      EffectType.of("FanOut", FanOut.class, FanOutHandler::new);
  static final EffectType<DeliverChunk> DELIVER_CHUNK =
      EffectType.of("DeliverChunk", DeliverChunk.class, DeliverChunkHandler::new);
  static final EffectType<ChangeVisibility> CHANGE_VISIBILITY =
      EffectType.of("ChangeVisibility", ChangeVisibility.class, ChangeVisibilityHandler::new)
          .collapses(change -> change.post().postId());
  static final EffectType<CleanUpPost> CLEAN_UP_POST =
      EffectType.of("CleanUpPost", CleanUpPost.class, CleanUpPostHandler::new);
  static final EffectType<ContinueCleanUp> CONTINUE_CLEAN_UP =
      EffectType.of("ContinueCleanUp", ContinueCleanUp.class, ContinueCleanUpHandler::new);
  static final EffectType<Backfill> BACKFILL =
      EffectType.of("Backfill", Backfill.class, BackfillHandler::new)
          .ofRow(backfill -> Optional.of(backfill.edge().key()));
  static final EffectType<Rebuild> REBUILD =
      EffectType.of("Rebuild", Rebuild.class, RebuildHandler::new)
          .collapses(rebuild -> rebuild.activity().userId());
  static final EffectType<ReconcileFeed> RECONCILE_FEED =
      EffectType.of("LookAgain", ReconcileFeed.class, ReconcileFeedHandler::new)
          .collapses(feed -> feed);
  static final EffectType<RemoveFromFeed> REMOVE_FROM_FEED =
      EffectType.of("LeaveFeed", RemoveFromFeed.class, RemoveFromFeedHandler::new)
          .ofRow(removal -> Optional.of(removal.edge().key()));
  static final EffectType<Notify> NOTIFY =
      EffectType.of("Notify", Notify.class, NotifyHandler::new)
          .ofRow(notify -> Optional.of(notify.cause()));
  static final EffectType<NotifyMentioned> NOTIFY_MENTIONED =
      EffectType.of("TellMentioned", NotifyMentioned.class, NotifyMentionedHandler::new)
          .collapses(mentioned -> mentioned.post().postId());
  static final EffectType<NotifySpecialFollowers> NOTIFY_SPECIAL_FOLLOWERS =
      EffectType.of("Announce", NotifySpecialFollowers.class, PostNotifier::ofPosts)
          .collapses(notify -> notify.post().postId());
  static final EffectType<NotifySpecialFollowersChunk> NOTIFY_SPECIAL_FOLLOWERS_CHUNK =
      EffectType.of("AnnouncePart", NotifySpecialFollowersChunk.class, PostNotifier::ofChunks);
  static final EffectType<PostInteraction> POST_INTERACTION =
      EffectType.of("Engage", PostInteraction.class, PostInteractionHandler::new)
          .ofRow(interaction -> Optional.of(interaction.row()))
          .coveredByLaterOfRow();
  static final EffectType<Retract> RETRACT =
      EffectType.of("Retract", Retract.class, RetractHandler::new)
          .ofRow(retract -> retract.row().map(row -> row));
  static final EffectType<TidyInbox> TIDY_INBOX =
      EffectType.of("TidyInbox", TidyInbox.class, TidyInboxHandler::new)
          .collapses(TidyInbox::userId);
  static final EffectType<Erase> ERASE = EffectType.of("Erase", Erase.class, EraseHandler::new);
  static final EffectType<GrantErasures> GRANT_ERASURES =
      EffectType.of("GrantErasures", GrantErasures.class, GrantErasuresHandler::new);
  static final EffectType<SweepErasures> SWEEP_ERASURES =
      EffectType.of("SweepErasures", SweepErasures.class, SweepErasuresHandler::new);
  static final EffectType<RemoveMedia> REMOVE_MEDIA =
      EffectType.of("RemoveMedia", RemoveMedia.class, RemoveMediaHandler::new);
  static final EffectType<RemoveMediaAgain> REMOVE_MEDIA_AGAIN =
      EffectType.of("RemoveMediaAgain", RemoveMediaAgain.class, RemoveMediaAgainHandler::new);
  static final EffectType<WakeErasure> WAKE_ERASURE =
      EffectType.of("WakeErasure", WakeErasure.class, WakeErasureHandler::new);

  /** Has no line: {@link EventPlan} says which changes are events, where any are published. */
  static final EffectType<Publish> PUBLISH =
      EffectType.of("Publish", Publish.class, PublishHandler::new)
          .ofRow(publish -> Optional.of(publish.event().entity()));

  private EffectTypes() {}
}
