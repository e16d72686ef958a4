package social.feed.testkit.simulation;

import java.util.function.Consumer;
import social.feed.table.row.Visibility;

/**
 * A user action with all its effects behind the stream. Its preparation runs first and has settled
 * when the action starts.
 */
@SuppressWarnings("ImmutableEnumChecker") // The lambdas have no state.
public enum Flow {
  REGISTER(context -> context.users.registers("gus")),
  POST(
      context ->
          context.latestPost = context.users.posts(context.ann, Visibility.PUBLIC, context.bob)),
  POST_FOR_FOLLOWERS(
      context -> context.users.follows(context.bob, context.ann),
      context -> context.users.posts(context.ann, Visibility.FOLLOWERS, context.bob)),
  FAN_OUT_SMALL(context -> context.addFollowers(3), context -> context.annPosts()),
  FAN_OUT_CHUNKED(Scale.CHUNKED, context -> context.addFollowers(5), context -> context.annPosts()),
  DELETE_DURING_FAN_OUT(
      Scale.CHUNKED,
      context -> context.addFollowers(5),
      context -> {
        context.annPosts();
        context.settle();
        context.users.deletes(context.latestPost());
      }),
  LIKE(
      context -> context.annPosts(),
      context -> context.users.likes(context.bob, context.latestPost())),
  UNLIKE(
      context -> {
        context.annPosts();
        context.users.likes(context.bob, context.latestPost());
      },
      context -> context.users.unlikes(context.bob, context.latestPost())),
  COMMENT(
      context -> context.annPosts(),
      context -> context.users.comments(context.bob, context.latestPost())),
  DELETE_COMMENT(
      context -> {
        context.annPosts();
        context.latestComment = context.users.comments(context.bob, context.latestPost());
      },
      context -> context.users.deletesComment(context.latestComment())),
  FOLLOW_WITH_BACKFILL(
      context -> {
        context.annPosts();
        context.annPosts();
        context.annPosts();
      },
      context -> context.users.follows(context.bob, context.ann)),
  UNFOLLOW(
      context -> {
        context.addFollowers(2);
        context.annPosts();
        context.annPosts();
      },
      context -> context.users.unfollows(context.bob, context.ann)),
  UNFOLLOW_KEEPING_HISTORY(
      context -> {
        context.addFollowers(2);
        context.annPosts();
      },
      context -> {
        context.users.unfollowsKeeping(context.bob, context.ann);
        context.annPosts();
      }),
  FOLLOW_SPECIALLY(
      context -> context.users.follows(context.bob, context.ann),
      context -> {
        context.users.followsSpecially(context.bob, context.ann);
        context.annPosts();
      }),
  UNFOLLOW_SPECIAL(
      context -> {
        context.addSpecialFollowers(2);
        context.annPosts();
      },
      context -> {
        context.users.unfollowsSpecially(context.users.ids().get(2), context.ann);
        context.users.unfollows(context.bob, context.ann);
        context.annPosts();
      }),
  BLOCK_SPECIAL_FOLLOWER(
      context -> {
        context.addSpecialFollowers(2);
        context.annPosts();
      },
      context -> context.users.blocks(context.ann, context.bob)),
  NOTIFY_IN_CHUNKS(
      Scale.CHUNKED, context -> context.addSpecialFollowers(5), context -> context.annPosts()),
  DELETE_WHILE_NOTIFYING(
      Scale.CHUNKED,
      context -> context.addSpecialFollowers(3),
      context -> {
        context.annPosts();
        context.settle();
        context.users.deletes(context.latestPost());
      }),
  HIDE_AND_SHOW_AFTER_NOTIFYING(
      context -> {
        context.addSpecialFollowers(2);
        context.annPosts();
      },
      context -> {
        context.users.changesVisibility(context.latestPost(), Visibility.PRIVATE);
        context.settle();
        context.users.changesVisibility(context.latestPost(), Visibility.FOLLOWERS);
      }),
  HIDE_AND_SHOW_NOTIFIED_IN_PARTS(
      Scale.CHUNKED,
      context -> {
        context.addSpecialFollowers(5);
        context.annPosts();
      },
      context -> {
        context.users.changesVisibility(context.latestPost(), Visibility.PRIVATE);
        context.settle();
        context.users.changesVisibility(context.latestPost(), Visibility.PUBLIC);
      }),
  RETRACT_FROM_FORMER_FOLLOWERS_IN_PARTS(
      Scale.CHUNKED,
      context -> {
        context.addSpecialFollowers(5);
        context.annPosts();
        context.settle();
        context.users.ids().subList(1, 5).forEach(id -> context.users.unfollows(id, context.ann));
      },
      context -> context.users.changesVisibility(context.latestPost(), Visibility.FOLLOWERS)),
  BLOCK(
      context -> {
        context.addFollowers(2);
        context.users.follows(context.ann, context.bob);
        context.annPosts();
      },
      context -> context.users.blocks(context.ann, context.bob)),
  UNBLOCK_AND_FOLLOW(
      context -> {
        context.annPosts();
        context.users.blocks(context.ann, context.bob);
      },
      context -> {
        context.users.unblocks(context.ann, context.bob);
        context.users.follows(context.bob, context.ann);
      }),
  MUTE(
      context -> {
        context.users.mutes(context.bob, context.ann);
        context.annPosts();
      }),
  UNMUTE(
      context -> context.users.mutes(context.bob, context.ann),
      context -> context.users.unmutes(context.bob, context.ann)),
  READ_NOTIFICATION(
      context -> {
        context.addFollowers(3);
        context.settle();
      },
      context -> context.users.readsNewestNotification(context.ann)),
  READ_ALL_NOTIFICATIONS(
      context -> {
        context.addFollowers(3);
        context.settle();
      },
      context -> context.users.readsAllNotifications(context.ann)),
  DELETE_POST(
      context -> {
        context.addFollowers(2);
        context.annPosts();
        context.users.likes(context.bob, context.latestPost());
        context.users.comments(context.bob, context.latestPost());
      },
      context -> context.users.deletes(context.latestPost())),
  DELETE_POST_IN_PARTS(
      Scale.CHUNKED,
      context -> {
        context.addFollowers(3);
        context.addSpecialFollowers(2);
        context.annPosts();
        for (var id : context.users.ids().subList(1, 5)) {
          context.users.likes(id, context.latestPost());
          context.users.comments(id, context.latestPost());
        }
      },
      context -> context.users.deletes(context.latestPost())),
  MAKE_PRIVATE_IN_PARTS(
      Scale.CHUNKED,
      context -> {
        context.addFollowers(5);
        context.annPosts();
      },
      context -> context.users.changesVisibility(context.latestPost(), Visibility.PRIVATE)),
  HIDE_AND_SHOW_IN_PARTS(
      Scale.CHUNKED,
      context -> {
        context.addFollowers(5);
        context.annPosts();
      },
      context -> {
        context.users.changesVisibility(context.latestPost(), Visibility.PRIVATE);
        context.settle();
        context.users.changesVisibility(context.latestPost(), Visibility.PUBLIC);
      }),
  MAKE_PRIVATE(
      context -> {
        context.addFollowers(2);
        context.annPosts();
      },
      context -> context.users.changesVisibility(context.latestPost(), Visibility.PRIVATE)),
  MAKE_PUBLIC(
      context -> {
        context.addFollowers(2);
        context.latestPost = context.users.posts(context.ann, Visibility.PRIVATE, context.bob);
      },
      context -> context.users.changesVisibility(context.latestPost(), Visibility.PUBLIC)),
  BECOME_A_CELEBRITY(
      Scale.WITH_CELEBRITIES,
      context -> context.addFollowers(2),
      context -> {
        context.addFollowers(3);
        context.settle();
        context.annPosts();
      }),
  STOP_BEING_A_CELEBRITY(
      Scale.WITH_CELEBRITIES,
      context -> context.addFollowers(3),
      context -> {
        context.users.unfollows(context.bob, context.ann);
        context.settle();
        context.annPosts();
      }),
  RETURN_AFTER_WEEKS(
      context -> {
        context.addFollowers(1);
        context.settle();
        context.passWeeks();
        context.annPosts();
        context.annPosts();
      },
      context -> context.users.readsHomeFeed(context.bob)),
  ERASE_A_FOLLOWER(
      context -> {
        context.addSpecialFollowers(2);
        context.users.follows(context.ann, context.bob);
        context.annPosts();
        context.users.likes(context.bob, context.latestPost());
        context.users.comments(context.bob, context.latestPost());
        context.users.mutes(context.ann, context.bob);
      },
      context -> context.erase(context.bob)),
  ERASE_AN_AUTHOR(
      Scale.CHUNKED,
      context -> {
        context.addFollowers(3);
        context.addSpecialFollowers(1);
        context.annPosts();
        context.users.likes(context.bob, context.latestPost());
        context.users.comments(context.bob, context.latestPost());
        context.users.blocks(context.ann, context.users.ids().get(4));
      },
      context -> context.erase(context.ann)),
  REDRIVE(
      context -> {
        context.addFollowers(2);
        context.annPosts();
      },
      context -> context.redriveAll());

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

  void prepare(FlowContext context) {
    prepare.accept(context);
  }

  void act(FlowContext context) {
    act.accept(context);
  }
}
