package social.feed.testkit.simulation;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import social.feed.table.row.Comment;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;
import social.feed.testkit.SteppingClock;

/**
 * Something that somebody does, with all that follows from it behind the stream. What it needs is
 * there before, and has settled.
 */
public enum Flow {
  REGISTER {
    @Override
    void act(Cast cast) {
      cast.people.registers("gus");
    }
  },
  POST {
    @Override
    void act(Cast cast) {
      cast.anns = cast.people.posts(cast.ann, Visibility.PUBLIC, cast.bob);
    }
  },
  POST_FOR_FOLLOWERS {
    @Override
    void prepare(Cast cast) {
      cast.people.follows(cast.bob, cast.ann);
    }

    @Override
    void act(Cast cast) {
      cast.people.posts(cast.ann, Visibility.FOLLOWERS, cast.bob);
    }
  },
  FAN_OUT_SMALL {
    @Override
    void prepare(Cast cast) {
      cast.audience(3);
    }

    @Override
    void act(Cast cast) {
      cast.post();
    }
  },
  FAN_OUT_CHUNKED {
    @Override
    Scale scale() {
      return CHUNKED;
    }

    @Override
    void prepare(Cast cast) {
      cast.audience(5);
    }

    @Override
    void act(Cast cast) {
      cast.post();
    }
  },
  DELETE_WHILE_CHUNKED {
    @Override
    Scale scale() {
      return CHUNKED;
    }

    @Override
    void prepare(Cast cast) {
      cast.audience(5);
    }

    @Override
    void act(Cast cast) {
      cast.post();
      cast.settleABit();
      cast.people.deletes(cast.anns());
    }
  },
  LIKE {
    @Override
    void prepare(Cast cast) {
      cast.post();
    }

    @Override
    void act(Cast cast) {
      cast.people.likes(cast.bob, cast.anns());
    }
  },
  UNLIKE {
    @Override
    void prepare(Cast cast) {
      cast.post();
      cast.people.likes(cast.bob, cast.anns());
    }

    @Override
    void act(Cast cast) {
      cast.people.unlikes(cast.bob, cast.anns());
    }
  },
  COMMENT {
    @Override
    void prepare(Cast cast) {
      cast.post();
    }

    @Override
    void act(Cast cast) {
      cast.people.comments(cast.bob, cast.anns());
    }
  },
  DELETE_COMMENT {
    @Override
    void prepare(Cast cast) {
      cast.post();
      cast.comment = cast.people.comments(cast.bob, cast.anns());
    }

    @Override
    void act(Cast cast) {
      cast.people.uncomments(cast.comment());
    }
  },
  FOLLOW_WITH_BACKFILL {
    @Override
    void prepare(Cast cast) {
      cast.post();
      cast.post();
      cast.post();
    }

    @Override
    void act(Cast cast) {
      cast.people.follows(cast.bob, cast.ann);
    }
  },
  UNFOLLOW {
    @Override
    void prepare(Cast cast) {
      cast.audience(2);
      cast.post();
      cast.post();
    }

    @Override
    void act(Cast cast) {
      cast.people.unfollows(cast.bob, cast.ann);
    }
  },
  UNFOLLOW_KEEPING_HISTORY {
    @Override
    void prepare(Cast cast) {
      cast.audience(2);
      cast.post();
    }

    @Override
    void act(Cast cast) {
      cast.people.unfollowsKeeping(cast.bob, cast.ann);
      cast.post();
    }
  },
  BLOCK {
    @Override
    void prepare(Cast cast) {
      cast.audience(2);
      cast.people.follows(cast.ann, cast.bob);
      cast.post();
    }

    @Override
    void act(Cast cast) {
      cast.people.blocks(cast.ann, cast.bob);
    }
  },
  UNBLOCK_AND_FOLLOW {
    @Override
    void prepare(Cast cast) {
      cast.post();
      cast.people.blocks(cast.ann, cast.bob);
    }

    @Override
    void act(Cast cast) {
      cast.people.unblocks(cast.ann, cast.bob);
      cast.people.follows(cast.bob, cast.ann);
    }
  },
  MUTE {
    @Override
    void act(Cast cast) {
      cast.people.mutes(cast.bob, cast.ann);
      cast.post();
    }
  },
  UNMUTE {
    @Override
    void prepare(Cast cast) {
      cast.people.mutes(cast.bob, cast.ann);
    }

    @Override
    void act(Cast cast) {
      cast.people.unmutes(cast.bob, cast.ann);
    }
  },
  DELETE_POST {
    @Override
    void prepare(Cast cast) {
      cast.audience(2);
      cast.post();
      cast.people.likes(cast.bob, cast.anns());
      cast.people.comments(cast.bob, cast.anns());
    }

    @Override
    void act(Cast cast) {
      cast.people.deletes(cast.anns());
    }
  },
  MAKE_PRIVATE {
    @Override
    void prepare(Cast cast) {
      cast.audience(2);
      cast.post();
    }

    @Override
    void act(Cast cast) {
      cast.people.shows(cast.anns(), Visibility.PRIVATE);
    }
  },
  MAKE_PUBLIC {
    @Override
    void prepare(Cast cast) {
      cast.audience(2);
      cast.anns = cast.people.posts(cast.ann, Visibility.PRIVATE, cast.bob);
    }

    @Override
    void act(Cast cast) {
      cast.people.shows(cast.anns(), Visibility.PUBLIC);
    }
  },
  BECOME_A_CELEBRITY {
    @Override
    Scale scale() {
      return FAMOUS;
    }

    @Override
    void prepare(Cast cast) {
      cast.audience(2);
    }

    @Override
    void act(Cast cast) {
      cast.audience(3);
      cast.settleABit();
      cast.post();
    }
  },
  CEASE_TO_BE_A_CELEBRITY {
    @Override
    Scale scale() {
      return FAMOUS;
    }

    @Override
    void prepare(Cast cast) {
      cast.audience(3);
    }

    @Override
    void act(Cast cast) {
      cast.people.unfollows(cast.bob, cast.ann);
      cast.settleABit();
      cast.post();
    }
  },
  RETURN_AFTER_WEEKS {
    @Override
    void prepare(Cast cast) {
      cast.audience(1);
      cast.settleABit();
      cast.clock.advance(ABSENT);
      cast.post();
      cast.post();
    }

    @Override
    void act(Cast cast) {
      cast.people.reads(cast.bob);
    }
  },
  REDRIVE {
    @Override
    void prepare(Cast cast) {
      cast.audience(2);
      cast.post();
    }

    @Override
    void act(Cast cast) {
      cast.redriveAll();
    }
  };

  private static final Duration ABSENT = Duration.ofDays(32);
  private static final int NEWEST = 2;
  private static final int NEVER = 100;

  /** One partition and one batch at a time, so that each try makes the same writes. */
  private static final Scale LARGE = new Scale(NEWEST, NEVER, NEVER, 1, 1);

  private static final Scale CHUNKED = new Scale(NEWEST, NEVER, 2, 1, 1);
  private static final Scale FAMOUS = new Scale(NEWEST, 3, NEVER, 1, 1);

  Scale scale() {
    return LARGE;
  }

  void prepare(Cast cast) {}

  abstract void act(Cast cast);

  /** Whoever plays a part. */
  static final class Cast {
    private final World world;
    final SteppingClock clock;
    final People people;
    final String ann;
    final String bob;
    @Nullable Post anns;
    @Nullable Comment comment;

    Cast(World world, SteppingClock clock) {
      this.world = world;
      this.clock = clock;
      this.people = world.people;
      world.register("ann", "bob", "cid", "dot", "eve", "fay");
      this.ann = people.ids().get(0);
      this.bob = people.ids().get(1);
    }

    /** So many follow the author. */
    void audience(int followers) {
      people.ids().subList(1, 1 + followers).forEach(id -> people.follows(id, ann));
    }

    void post() {
      anns = people.posts(ann, Visibility.PUBLIC, bob);
    }

    Post anns() {
      return requireNonNull(anns);
    }

    Comment comment() {
      return requireNonNull(comment);
    }

    /** Lets the stream bring what there is. */
    void settleABit() {
      world.settle();
    }

    /** Gives each record again to the function, as somebody who redrives dead letters. */
    void redriveAll() {
      world.effects.redriveAll();
    }
  }
}
