package social.feed.bounds;

import static social.feed.bounds.Population.SUBJECT;

import java.time.Clock;
import java.util.List;
import social.feed.streams.EffectHandlers;
import social.feed.streams.effect.BackfillHandler.Backfill;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.effect.ContinueCleanUpHandler.ContinueCleanUp;
import social.feed.streams.effect.EffectSettings;
import social.feed.streams.effect.PostNotifier.NotifySpecialFollowers;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.row.Follow;
import social.feed.table.row.Post;
import social.feed.table.row.PostCleanUp;
import social.feed.table.row.PostCleanUp.Cause;
import social.feed.table.row.PostNotification;
import social.feed.table.row.Visibility;

/**
 * Effects in other cases than the samples of the lines of the plan: retractions of a post whose
 * recipients do not follow its author, further parts, and a follow that ended at once.
 */
final class FurtherEffects {
  static List<Operation> operations() {
    return List.of(
        new Operation(
            "POST INSERT: NotifySpecialFollowers, of a post for followers",
            world -> {
              var post = announced(world, Visibility.FOLLOWERS);
              return () -> world.handlers().apply(List.of(change(post)));
            }),
        new Operation(
            "POST MODIFY visibility: NotifySpecialFollowers, of a post for followers",
            world -> {
              var post = notified(world, Visibility.FOLLOWERS);
              return () -> world.handlers().apply(List.of(change(post)));
            }),
        new Operation(
            "POST_CLEAN_UP MODIFY: ContinueCleanUp, of notifications",
            world -> part(world, notified(world, Visibility.PRIVATE), Cause.NARROWED)),
        new Operation(
            "POST_CLEAN_UP MODIFY: ContinueCleanUp, of notifications of a post for followers",
            world -> part(world, notified(world, Visibility.FOLLOWERS), Cause.NARROWED)),
        new Operation(
            "POST_CLEAN_UP MODIFY: ContinueCleanUp, of special followers",
            world -> part(world, announced(world, Visibility.PUBLIC), Cause.ANNOUNCED)),
        new Operation(
            "FOLLOW INSERT: Backfill, of a follow that has ended",
            world -> {
              var edge = Follow.of(SUBJECT, Population.TARGET, world.population().later());
              return () -> world.handlers().apply(List.of(new Backfill(edge)));
            }));
  }

  private FurtherEffects() {}

  /** The planted bug: one record of the stream retracts all notifications. */
  static Runnable inOneRecord(MeasuredWorld world) {
    var handlers =
        new EffectHandlers(
            world.table().table(),
            Clock.systemUTC(),
            EffectSettings.of(
                Follow.NEWEST,
                BatchSizes.STANDARD.removing(Integer.MAX_VALUE),
                ErasureSweeps.Settings.unpaced()));
    var post = notified(world, Visibility.PRIVATE);
    return () -> handlers.apply(List.of(change(post)));
  }

  private static Runnable part(MeasuredWorld world, Post post, Cause cause) {
    var front = PostNotification.key(post.postId(), "0");
    var order =
        PostCleanUp.of(post.postId(), post.feedShards(), cause, front, world.population().now);
    world.population().put(order);
    var effect =
        new ContinueCleanUp(
            order.postId(), order.cause(), order.revision(), MeasuredWorld.NOTIFICATIONS_LIVE);
    return () -> world.handlers().apply(List.of(effect));
  }

  private static Post notified(MeasuredWorld world, Visibility visibility) {
    var population = world.population();
    var post = population.freshPost(SUBJECT, visibility);
    population.put(post);
    population.put(population.notified(post));
    return post;
  }

  private static Post announced(MeasuredWorld world, Visibility visibility) {
    var post = world.population().freshPost(Population.LOVED, visibility);
    world.population().put(post);
    return post;
  }

  private static NotifySpecialFollowers change(Post post) {
    return new NotifySpecialFollowers(post, Population.LATER);
  }
}
