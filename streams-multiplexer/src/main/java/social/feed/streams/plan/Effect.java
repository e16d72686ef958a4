package social.feed.streams.plan;

import java.util.List;
import java.util.Optional;
import social.feed.table.row.ErasureTimer;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Notification;
import social.feed.table.row.Post;
import social.feed.table.row.PostNotificationChunk;

/** Something that a change causes. Each kind has one handler, and all kinds stand here. */
public sealed interface Effect {
  /**
   * Adds to a counter under the marks of the stream's shards; the counts lane. One of an item is
   * driven by the edges of one partition; one that authors or tags are ranked by has a row for
   * itself, which the first count creates.
   */
  record Count(Key item, String attribute, long delta) implements Effect {}

  /** Adds to a counter whose causes lie in many partitions, once a mark. */
  record CountOnce(String mark, Key item, String attribute, long delta) implements Effect {}

  /** Copies the exact number of followed accounts to the profile. */
  record CopyFollowing(String userId, long following, long version) implements Effect {}

  /** An author became a celebrity or ceased to be one. */
  record Flip(String userId, boolean isCelebrity, long followers, long version) implements Effect {}

  /** Writes the rows by which a post is found under its tags. */
  record WriteTags(Post post) implements Effect {}

  /** Puts a post into the author's own feed and the followers' feeds. */
  record FanOut(Post post) implements Effect {}

  /** Brings feeds and tag rows in line with a post that became private or ceased to be it. */
  record ChangeVisibility(Post post) implements Effect {}

  /** Puts a post into the feeds of a part of the followers. */
  record DeliverChunk(FanOutChunk chunk) implements Effect {}

  /** Takes a post out of every feed and removes what lies under it. */
  record CleanUpPost(Post post) implements Effect {}

  /** Puts an author's newest posts into a new follower's feed. */
  record Backfill(Follow edge) implements Effect {}

  /** Brings the feed of somebody who came back up to date. */
  record Rebuild(FeedActivity awoken) implements Effect {}

  /**
   * Looks once more at what a feed holds, of one author or of all, since an attempt before may have
   * been cut off between writing and looking.
   */
  record ReconcileFeed(String readerId, Optional<String> authorId) implements Effect {
    @Override
    public String name() {
      return "LookAgain";
    }
  }

  /** Takes an author's posts out of a former follower's feed, unless the past is kept. */
  record RemoveFromFeed(Follow edge) implements Effect {
    @Override
    public String name() {
      return "LeaveFeed";
    }
  }

  /** Tells somebody something, unless what caused it is gone. */
  record Notify(Notification notification, Key cause) implements Effect {}

  /** Tells those whom a post mentions, as far as they may read it now, and nobody else of them. */
  record NotifyMentioned(Post post, List<Notification> notifications) implements Effect {
    @Override
    public String name() {
      return "TellMentioned";
    }
  }

  /**
   * Tells those who follow its author specially of a post, as far as it may be told now, and nobody
   * else of it.
   */
  record NotifySpecialFollowers(Post post, long expiresAt) implements Effect {
    @Override
    public String name() {
      return "Announce";
    }
  }

  /** The same of a part of them. */
  record NotifySpecialFollowersChunk(PostNotificationChunk part) implements Effect {
    @Override
    public String name() {
      return "AnnouncePart";
    }
  }

  /**
   * A like or a comment arrived: tells the post's author, unless that is the one who wrote it; and
   * when the post is gone, the row goes as well.
   */
  record PostInteraction(String postId, Key row, Optional<Notification> notification)
      implements Effect {
    @Override
    public String name() {
      return "Engage";
    }
  }

  /** Takes a notification back. */
  record Retract(Key notification) implements Effect {}

  /** Does the next part of an erasure, if that is how far it is. */
  record Erase(String hash, long revision) implements Effect {}

  /** Goes on with an erasure that has rested. */
  record WakeErasure(ErasureTimer alarm) implements Effect {}

  /** What its dead letters name as their handler. */
  default String name() {
    return getClass().getSimpleName();
  }

  /** Which of the two readers of a shard applies it. */
  default Lane lane() {
    return this instanceof Count ? Lane.COUNTS : Lane.EFFECTS;
  }
}
