package social.feed.testkit;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import social.feed.table.engagement.Comments;
import social.feed.table.engagement.Likes;
import social.feed.table.graph.BlockWriter;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.FollowQuotas;
import social.feed.table.graph.FollowWriter;
import social.feed.table.graph.SpecialFollowWriter;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.notification.Inboxes;
import social.feed.table.notification.Notifications;
import social.feed.table.post.PostText;
import social.feed.table.post.Posts;
import social.feed.table.row.Block;
import social.feed.table.row.Comment;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.Follow;
import social.feed.table.row.Like;
import social.feed.table.row.Mention;
import social.feed.table.row.Mute;
import social.feed.table.row.Post;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;
import social.feed.table.user.Users;

/**
 * Creates test data through the platform's own stores: {@code world.user("alice").follows(bob)}.
 * Names contain the number of the world, so worlds that share a table do not interact.
 */
public final class SeedWorld {
  /** Far more than tests follow; separate tests cover the cap. */
  private static final long CAP = 5_000;

  private static final int SPECIAL_CAP = 30;
  private static final int FEED_SHARDS = 4;
  private static final AtomicInteger WORLDS = new AtomicInteger();

  private final RandomGenerator random = new Random(42);

  /** Of fixed width: costs depend on the length of names. */
  private final String number = "%04d".formatted(WORLDS.incrementAndGet());

  private final Clock clock;
  public final Users users;
  public final Posts posts;
  public final Likes likes;
  public final Comments comments;
  public final FollowEdges follows;
  public final FollowQuotas quotas;
  public final FollowWriter followWriter;
  public final SpecialFollowWriter specialFollowWriter;
  public final BlocksAndMutes barriers;
  public final BlockWriter blockWriter;
  public final HomeFeeds feeds;
  public final Notifications notifications;
  public final Inboxes inboxes;

  public SeedWorld(Table table, Clock clock) {
    this.clock = clock;
    this.users = new Users(table);
    this.posts = new Posts(table);
    this.likes = new Likes(table);
    this.comments = new Comments(table);
    this.follows = new FollowEdges(table);
    this.quotas = new FollowQuotas(table);
    this.followWriter = new FollowWriter(table, CAP);
    this.specialFollowWriter = new SpecialFollowWriter(table, SPECIAL_CAP);
    this.barriers = new BlocksAndMutes(table, clock);
    this.blockWriter = new BlockWriter(table, barriers, CAP);
    this.feeds = new HomeFeeds(table);
    this.notifications = new Notifications(table, clock);
    this.inboxes = new Inboxes(table);
  }

  /** Registers a user. */
  public Person user(String name) {
    return user(name, name + "-" + number);
  }

  public Person user(String name, String id) {
    users.register(User.registered(id, name + "_" + number, name, null, Timestamps.now(clock)));
    return new Person(this, id);
  }

  /** Returns a user of another world who acts with the clock of this one. */
  public Person by(Person other) {
    return new Person(this, other.id);
  }

  /** A registered user. */
  public record Person(SeedWorld world, String id) {
    public User account() {
      return world.users.get(id).orElseThrow();
    }

    public Follow follows(Person other) {
      var edge = Follow.of(id, other.id, Timestamps.now(world.clock));
      world.followWriter.follow(edge);
      return edge;
    }

    public void unfollows(Person other) {
      world.followWriter.unfollow(id, other.id);
    }

    public void unfollowsKeepingHistory(Person other) {
      world.followWriter.unfollowKeepingHistory(id, other.id, Timestamps.now(world.clock));
    }

    /** Marks a followed user as special. */
    public void marks(Person other) {
      world.specialFollowWriter.mark(id, other.id, Timestamps.now(world.clock));
    }

    public void unmarks(Person other) {
      world.specialFollowWriter.unmark(id, other.id);
    }

    public Block blocks(Person other) {
      var block = new Block(id, other.id, Timestamps.now(world.clock));
      world.blockWriter.block(block);
      return block;
    }

    public void unblocks(Person other) {
      world.blockWriter.unblock(id, other.id);
    }

    public Mute mutes(Person other) {
      return mutes(other, null);
    }

    /**
     * Mutes a user.
     *
     * @param until the end of the mute; absent for a mute without an end
     */
    public Mute mutes(Person other, @Nullable Instant until) {
      var mute = Mute.of(id, other.id, Timestamps.now(world.clock), until);
      world.blockWriter.mute(mute);
      return mute;
    }

    public void unmutes(Person other) {
      world.blockWriter.unmute(id, other.id);
    }

    public Post posts(String text) {
      return posts(text, Visibility.PUBLIC);
    }

    public Post posts(String text, Visibility visibility) {
      var post = draft(text, visibility);
      world.posts.create(post);
      return post;
    }

    /** Returns a post that is not written. */
    public Post draft(String text) {
      return draft(text, Visibility.PUBLIC);
    }

    private Post draft(String text, Visibility visibility) {
      var now = Timestamps.now(world.clock);
      return SamplePosts.by(id, now)
          .randomId(world.random)
          .text(text)
          .tags(PostText.tags(text))
          .mentions(world.mentions(text))
          .visibility(visibility)
          .feedShards(FEED_SHARDS)
          .delivery(FanOutMode.of(account()))
          .build();
    }

    public void deletes(Post post) {
      world.posts.delete(post.postId(), id, Timestamps.now(world.clock));
    }

    public Like likes(Post post) {
      var like = Like.of(post, id, Timestamps.now(world.clock));
      world.likes.add(like);
      return like;
    }

    public void unlikes(Post post) {
      world.likes.remove(post.postId(), id);
    }

    public Comment comments(Post post, String text) {
      var now = Timestamps.now(world.clock);
      var comment =
          new Comment(
              post.postId(),
              TimeOrderedId.random(now, world.random),
              id,
              post.authorId(),
              text,
              now);
      world.comments.add(comment);
      return comment;
    }
  }

  private List<Mention> mentions(String text) {
    return users.claims(PostText.handles(text)).stream()
        .map(claim -> new Mention(claim.handle(), claim.userId()))
        .toList();
  }
}
