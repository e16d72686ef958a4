package social.feed.testkit.simulation;

import java.util.function.Consumer;
import social.feed.table.row.Visibility;

/**
 * Something that somebody does, with all that follows from it behind the stream. What it needs is
 * there before, and has settled.
 */
@SuppressWarnings("ImmutableEnumChecker") // Functions that hold nothing.
public enum Flow {
  REGISTER(cast -> cast.people.registers("gus")),
  POST(cast -> cast.anns = cast.people.posts(cast.ann, Visibility.PUBLIC, cast.bob)),
  POST_FOR_FOLLOWERS(
      cast -> cast.people.follows(cast.bob, cast.ann),
      cast -> cast.people.posts(cast.ann, Visibility.FOLLOWERS, cast.bob)),
  FAN_OUT_SMALL(cast -> cast.audience(3), cast -> cast.post()),
  FAN_OUT_CHUNKED(Scale.CHUNKED, cast -> cast.audience(5), cast -> cast.post()),
  DELETE_WHILE_CHUNKED(
      Scale.CHUNKED,
      cast -> cast.audience(5),
      cast -> {
        cast.post();
        cast.settleABit();
        cast.people.deletes(cast.anns());
      }),
  LIKE(cast -> cast.post(), cast -> cast.people.likes(cast.bob, cast.anns())),
  UNLIKE(
      cast -> {
        cast.post();
        cast.people.likes(cast.bob, cast.anns());
      },
      cast -> cast.people.unlikes(cast.bob, cast.anns())),
  COMMENT(cast -> cast.post(), cast -> cast.people.comments(cast.bob, cast.anns())),
  DELETE_COMMENT(
      cast -> {
        cast.post();
        cast.comment = cast.people.comments(cast.bob, cast.anns());
      },
      cast -> cast.people.uncomments(cast.comment())),
  FOLLOW_WITH_BACKFILL(
      cast -> {
        cast.post();
        cast.post();
        cast.post();
      },
      cast -> cast.people.follows(cast.bob, cast.ann)),
  UNFOLLOW(
      cast -> {
        cast.audience(2);
        cast.post();
        cast.post();
      },
      cast -> cast.people.unfollows(cast.bob, cast.ann)),
  UNFOLLOW_KEEPING_HISTORY(
      cast -> {
        cast.audience(2);
        cast.post();
      },
      cast -> {
        cast.people.unfollowsKeeping(cast.bob, cast.ann);
        cast.post();
      }),
  FOLLOW_SPECIALLY(
      cast -> cast.people.follows(cast.bob, cast.ann),
      cast -> {
        cast.people.marks(cast.bob, cast.ann);
        cast.post();
      }),
  UNFOLLOW_A_SPECIAL_ONE(
      cast -> {
        cast.special(2);
        cast.post();
      },
      cast -> {
        cast.people.unmarks(cast.people.ids().get(2), cast.ann);
        cast.people.unfollows(cast.bob, cast.ann);
        cast.post();
      }),
  BLOCK_A_SPECIAL_ONE(
      cast -> {
        cast.special(2);
        cast.post();
      },
      cast -> cast.people.blocks(cast.ann, cast.bob)),
  TELL_MANY_IN_PARTS(Scale.CHUNKED, cast -> cast.special(5), cast -> cast.post()),
  DELETE_WHILE_TOLD_IN_PARTS(
      Scale.CHUNKED,
      cast -> cast.special(3),
      cast -> {
        cast.post();
        cast.settleABit();
        cast.people.deletes(cast.anns());
      }),
  HIDE_AND_SHOW_WHAT_WAS_TOLD(
      cast -> {
        cast.special(2);
        cast.post();
      },
      cast -> {
        cast.people.shows(cast.anns(), Visibility.PRIVATE);
        cast.settleABit();
        cast.people.shows(cast.anns(), Visibility.FOLLOWERS);
      }),
  BLOCK(
      cast -> {
        cast.audience(2);
        cast.people.follows(cast.ann, cast.bob);
        cast.post();
      },
      cast -> cast.people.blocks(cast.ann, cast.bob)),
  UNBLOCK_AND_FOLLOW(
      cast -> {
        cast.post();
        cast.people.blocks(cast.ann, cast.bob);
      },
      cast -> {
        cast.people.unblocks(cast.ann, cast.bob);
        cast.people.follows(cast.bob, cast.ann);
      }),
  MUTE(
      cast -> {
        cast.people.mutes(cast.bob, cast.ann);
        cast.post();
      }),
  UNMUTE(
      cast -> cast.people.mutes(cast.bob, cast.ann),
      cast -> cast.people.unmutes(cast.bob, cast.ann)),
  DELETE_POST(
      cast -> {
        cast.audience(2);
        cast.post();
        cast.people.likes(cast.bob, cast.anns());
        cast.people.comments(cast.bob, cast.anns());
      },
      cast -> cast.people.deletes(cast.anns())),
  MAKE_PRIVATE(
      cast -> {
        cast.audience(2);
        cast.post();
      },
      cast -> cast.people.shows(cast.anns(), Visibility.PRIVATE)),
  MAKE_PUBLIC(
      cast -> {
        cast.audience(2);
        cast.anns = cast.people.posts(cast.ann, Visibility.PRIVATE, cast.bob);
      },
      cast -> cast.people.shows(cast.anns(), Visibility.PUBLIC)),
  BECOME_A_CELEBRITY(
      Scale.FAMOUS,
      cast -> cast.audience(2),
      cast -> {
        cast.audience(3);
        cast.settleABit();
        cast.post();
      }),
  CEASE_TO_BE_A_CELEBRITY(
      Scale.FAMOUS,
      cast -> cast.audience(3),
      cast -> {
        cast.people.unfollows(cast.bob, cast.ann);
        cast.settleABit();
        cast.post();
      }),
  RETURN_AFTER_WEEKS(
      cast -> {
        cast.audience(1);
        cast.settleABit();
        cast.isAwayForWeeks();
        cast.post();
        cast.post();
      },
      cast -> cast.people.reads(cast.bob)),
  ERASE_A_FOLLOWER(
      cast -> {
        cast.special(2);
        cast.people.follows(cast.ann, cast.bob);
        cast.post();
        cast.people.likes(cast.bob, cast.anns());
        cast.people.comments(cast.bob, cast.anns());
        cast.people.mutes(cast.ann, cast.bob);
      },
      cast -> cast.erase(cast.bob)),
  ERASE_AN_AUTHOR(
      Scale.CHUNKED,
      cast -> {
        cast.audience(3);
        cast.special(1);
        cast.post();
        cast.people.likes(cast.bob, cast.anns());
        cast.people.comments(cast.bob, cast.anns());
        cast.people.blocks(cast.ann, cast.people.ids().get(4));
      },
      cast -> cast.erase(cast.ann)),
  REDRIVE(
      cast -> {
        cast.audience(2);
        cast.post();
      },
      cast -> cast.redriveAll());

  private final Scale scale;
  private final Consumer<FlowContext> prepare;
  private final Consumer<FlowContext> act;

  Flow(Consumer<FlowContext> act) {
    this(_ -> {}, act);
  }

  Flow(Consumer<FlowContext> prepare, Consumer<FlowContext> act) {
    this(Scale.REPEATABLE, prepare, act);
  }

  Flow(Scale scale, Consumer<FlowContext> prepare, Consumer<FlowContext> act) {
    this.scale = scale;
    this.prepare = prepare;
    this.act = act;
  }

  Scale scale() {
    return scale;
  }

  void prepare(FlowContext cast) {
    prepare.accept(cast);
  }

  void act(FlowContext cast) {
    act.accept(cast);
  }
}
