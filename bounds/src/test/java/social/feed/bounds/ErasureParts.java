package social.feed.bounds;

import static social.feed.bounds.Population.LATER;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.effect.EraseHandler.Erase;
import social.feed.table.erasure.Eraser;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.store.Concurrency;
import social.feed.table.row.Block;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Keys;
import social.feed.table.row.Like;
import social.feed.table.row.Mention;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.testkit.SamplePosts;

/** The first part of each step of an erasure, of an account that has rows for it. */
final class ErasureParts {
  static final String OF_FOLLOWERS = "part of an erasure, of followers";

  private final MeasuredWorld world;
  private final Population population;

  /** The account that is erased. */
  private final String id;

  private ErasureParts(MeasuredWorld world) {
    this.world = world;
    this.population = world.population();
    this.id = population.unregistered();
  }

  static List<Operation> operations() {
    return List.of(
        new Operation(
            "part of an erasure, of posts",
            world -> {
              var parts = new ErasureParts(world);
              return parts.of(ErasureStep.POSTS, parts.numbered(Knob.POSTS).map(parts::ownPost));
            }),
        new Operation(
            "part of an erasure, of followed accounts",
            world -> {
              var parts = new ErasureParts(world);
              return parts.of(ErasureStep.FOLLOWING, parts.followed());
            }),
        new Operation(
            OF_FOLLOWERS,
            world -> {
              var parts = new ErasureParts(world);
              return parts.of(ErasureStep.FOLLOWERS, parts.followers());
            }),
        new Operation(
            "part of an erasure, of likes",
            world -> {
              var parts = new ErasureParts(world);
              return parts.of(ErasureStep.LIKES, parts.numbered(Knob.LIKES).map(parts::like));
            }),
        new Operation(
            "part of an erasure, of comments",
            world -> {
              var parts = new ErasureParts(world);
              var comments =
                  parts
                      .numbered(Knob.COMMENTS)
                      .map(i -> parts.population.comment(parts.post(i), parts.id, parts.at(i)));
              return parts.of(ErasureStep.COMMENTS, comments);
            }),
        new Operation(
            "part of an erasure, of accounts that blocked it",
            world -> {
              var parts = new ErasureParts(world);
              return parts.ofWalk(Keys.user(parts.id), parts.blocks());
            }),
        new Operation(
            "part of an erasure, of unread notifications",
            world -> {
              var parts = new ErasureParts(world);
              var unread =
                  parts.numbered(Knob.UNREAD).map(i -> parts.population.unread(parts.id, i, true));
              return parts.ofWalk(Keys.user(parts.id), unread);
            }),
        new Operation(
            "part of an erasure, of notifications of mentions",
            world -> {
              var parts = new ErasureParts(world);
              return parts.ofWalk(
                  Keys.user(parts.id), parts.numbered(Knob.UNREAD).flatMap(parts::mention));
            }),
        new Operation(
            "part of an erasure, of feed entries",
            world -> {
              var parts = new ErasureParts(world);
              var entries =
                  parts.numbered(Knob.FEED).map(i -> FeedEntry.of(parts.post(i).ref(), parts.id));
              return parts.ofWalk(Keys.feed(parts.id), entries);
            }));
  }

  /** The planted bug: one part ends all edges to the account. */
  static Runnable ofAllFollowers(MeasuredWorld world) {
    var parts = new ErasureParts(world);
    var rows = parts.followers().toList();
    parts.population.putForOne(rows);
    var eraser =
        new Eraser(
            world.table().table(),
            Clock.systemUTC(),
            Concurrency.ofThreads(BatchSizes.STANDARD.removedAtOnce()));
    var edges = rows.stream().filter(Follow.class::isInstance).toList();
    return () -> eraser.erase(parts.id, edges, false);
  }

  private Runnable of(ErasureStep step, Stream<? extends Row> rows) {
    return of(Effects.at(step, Erasure.of(id, population.now)), rows);
  }

  private Runnable ofWalk(String partition, Stream<? extends Row> rows) {
    var begun = Effects.at(ErasureStep.WALK, Erasure.of(id, population.now));
    return of(begun.after(partition, Keys.FIRST), rows);
  }

  /** Writes the rows, and the erasure with the units that it needs. */
  private Runnable of(Erasure begun, Stream<? extends Row> rows) {
    population.putForOne(rows.toList());
    var erasure = begun.granted(LATER);
    population.put(erasure);
    return () -> world.handlers().apply(List.of(new Erase(erasure.hash(), erasure.revision())));
  }

  private Stream<Integer> numbered(Knob knob) {
    return IntStream.range(0, population.size(knob)).boxed();
  }

  private Instant at(int number) {
    return population.now.plusMillis(number);
  }

  private Post ownPost(int number) {
    return SamplePosts.by(id, at(number)).build();
  }

  /** A post of another account, which is not written. */
  private Post post(int number) {
    return SamplePosts.by(Population.TARGET, at(number)).build();
  }

  private Stream<Row> followed() {
    int all = population.size(Knob.FOLLOWED);
    return Stream.concat(
        Stream.of(new FollowQuota(id, all, all)),
        numbered(Knob.FOLLOWED).map(_ -> edge(id, population.unregistered())));
  }

  private Stream<Row> followers() {
    return numbered(Knob.FOLLOWERS)
        .map(_ -> population.unregistered())
        .flatMap(reader -> Stream.of(edge(reader, id), new FollowQuota(reader, 1, 1)));
  }

  private Follow edge(String follower, String followee) {
    return new Follow(follower, followee, population.now, population.now, null, false, null);
  }

  private Row like(int number) {
    return Like.of(post(number), id, at(number));
  }

  private Stream<Row> blocks() {
    return numbered(Knob.BLOCKS)
        .map(_ -> new Block(population.unregistered(), id, population.now))
        .flatMap(block -> Stream.of(block, block.mirrored()));
  }

  /** A post that mentions the account, and the notification of it. */
  private Stream<Row> mention(int number) {
    var post = SamplePosts.like(post(number)).mentions(List.of(new Mention(id, id))).build();
    return Stream.of(
        post,
        new Notification(
            id,
            TimeOrderedId.named(post.createdAt(), "mention"),
            NotificationType.MENTION,
            post.authorId(),
            post.postId(),
            post.createdAt(),
            false,
            LATER,
            true));
  }
}
