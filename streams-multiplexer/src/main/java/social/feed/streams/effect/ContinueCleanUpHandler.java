package social.feed.streams.effect;

import java.time.Duration;
import java.util.List;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.post.PostCleanUps;
import social.feed.table.post.PostCleanUps.Part;
import social.feed.table.post.Posts;
import social.feed.table.row.Post;
import social.feed.table.row.PostCleanUp;
import social.feed.table.row.PostCleanUp.Cause;
import social.feed.table.row.Visibility;

/**
 * Does the next part of work that one part could not do, and orders the one after it. A part whose
 * successor another process has ordered is skipped. A part that was cut off is done again, which
 * changes nothing where it was done. One read unit and a write unit, and those of {@link
 * PostCleanUps}; two read units more for a private post.
 *
 * <p>A private post that is shown again is left to the effect of that change, if that is to begin.
 * If it has begun, an earlier attempt at the part, which was cut off, may have removed entries that
 * it had written: Lambda keeps the order of an item only, and an order is another item than its
 * post. So the post is delivered again, at the cost of a visible change.
 */
public final class ContinueCleanUpHandler
    implements EffectHandler<ContinueCleanUpHandler.ContinueCleanUp> {
  /**
   * Does the next part of the work, if the order is at this revision.
   *
   * @param live how long a notification is kept
   */
  public record ContinueCleanUp(String postId, Cause cause, long revision, Duration live)
      implements Effect {}

  private final PostCleanUps cleanUps;
  private final PostCleaner cleaner;
  private final Posts posts;
  private final VisibilityReflection reflection;
  private final PostNotifier notifier;

  public ContinueCleanUpHandler(EffectContext context) {
    this.cleanUps = context.cleanUps;
    this.cleaner = context.cleaner;
    this.posts = context.posts;
    this.reflection = new VisibilityReflection(context);
    this.notifier = new PostNotifier(context);
  }

  /**
   * Does the next parts.
   *
   * @throws ThrottledException when a post changes with each attempt
   */
  @Override
  public void apply(List<ContinueCleanUp> effects) {
    for (var effect : effects) {
      cleanUps
          .find(PostCleanUp.key(effect.postId(), effect.cause()))
          .filter(order -> order.revision() == effect.revision())
          .ifPresent(order -> cleaner.follow(order, next(order, effect.live())));
    }
  }

  private Part next(PostCleanUp order, Duration live) {
    return switch (order.cause()) {
      case DELETED -> cleaner.removeNext(order);
      case HIDDEN ->
          posts.get(order.postId()).map(post -> withdrawNext(post, order)).orElse(Part.NONE);
      case NARROWED -> notifier.retractNext(order);
      case ANNOUNCED -> notifier.notifyNext(order, live);
    };
  }

  private Part withdrawNext(Post post, PostCleanUp order) {
    if (post.awaitsReflection()) {
      // The effect of a later change does what that change requires, and this one as well.
      return Part.NONE;
    }
    if (post.visibility() == Visibility.PRIVATE) {
      return reflection.withdraw(post, order.position());
    }
    reflection.reflect(List.of(post));
    return Part.NONE;
  }
}
