package social.feed.ctl;

import static social.feed.ctl.Fault.AT;
import static social.feed.ctl.Fault.GHOST;

import java.util.List;
import social.feed.table.graph.FollowWriter;
import social.feed.table.graph.SpecialFollowWriter;
import social.feed.table.row.Block;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.SpecialFollower;
import social.feed.table.row.User;

/** Edges, blocks and special follows of which one side knows nothing. */
final class GraphFaults {
  private GraphFaults() {}

  static List<Fault> all() {
    return List.of(
        new Fault("edge to no account", "needs " + User.key(GHOST), w -> follow(w, "1", GHOST)),
        new Fault("edge of no account", "needs " + User.key(GHOST), w -> follow(w, GHOST, "3")),
        new Fault(
            "block that the other side does not know",
            "USER#3 / BLOCK#2 is not known on the other side",
            w -> w.plant(new Block("3", "2", AT))),
        new Fault(
            "block of nobody, known on the other side",
            "USER#3 / BLOCKEDBY#1 has no block on the other side",
            w -> w.plant(new BlockedBy("3", "1", AT))),
        new Fault(
            "edges across a block",
            "has the edge " + Follow.key("1", "2"),
            w -> {
              var block = new Block("2", "1", AT);
              w.plant(block);
              w.plant(block.mirrored());
            }),
        new Fault(
            "special follow that the followee's list lacks",
            Follow.key("1", "3") + " is special, and its row says otherwise",
            w -> {
              mark(w);
              w.steal(SpecialFollower.key("1", "3"));
            }),
        new Fault(
            "special follow that the quota does not name",
            Follow.key("1", "3") + " is special, and its quota says otherwise",
            w -> {
              mark(w);
              w.remove(FollowQuota.key("1"), "special");
            }),
        new Fault(
            "special follower of no special follow",
            SpecialFollower.key("1", "3") + " says special of " + Follow.key("1", "3"),
            w -> w.plant(new SpecialFollower("1", "3", AT))),
        new Fault(
            "quota that names no special follow",
            FollowQuota.key("1") + " says special of " + Follow.key("1", "3"),
            w -> {
              mark(w);
              w.steal(SpecialFollower.key("1", "3"));
              w.remove(Follow.key("1", "3"), Follow.SPECIAL_SINCE);
            }));
  }

  static void mark(VerifyWorld world) {
    new SpecialFollowWriter(world.table(), 1).mark("1", "3", AT);
  }

  private static void follow(VerifyWorld world, String follower, String followee) {
    new FollowWriter(world.table(), 100).adopt(List.of(Follow.adopted(follower, followee, AT)));
  }
}
