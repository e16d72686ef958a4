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
import social.feed.table.row.Mute;
import social.feed.table.row.SpecialFollower;
import social.feed.table.row.User;

/** Faults of edges, blocks and special follows: the rows of both sides do not agree. */
final class GraphFaults {
  private GraphFaults() {}

  static List<Fault> all() {
    return List.of(
        new Fault(
            "edge to an account that does not exist",
            "needs " + User.key(GHOST),
            w -> follow(w, "1", GHOST)),
        new Fault(
            "edge of an account that does not exist",
            "needs " + User.key(GHOST),
            w -> follow(w, GHOST, "3")),
        new Fault(
            "block without the row on the other side",
            "USER#3 / BLOCK#2 has no row USER#2 / BLOCKEDBY#3",
            w -> w.plant(new Block("3", "2", AT))),
        new Fault(
            "row on the other side of no block",
            "USER#3 / BLOCKEDBY#1 has no block USER#1 / BLOCK#3",
            w -> w.plant(new BlockedBy("3", "1", AT))),
        new Fault(
            "edges across a block",
            "is crossed by the edge " + Follow.key("1", "2"),
            w -> {
              var block = new Block("2", "1", AT);
              w.plant(block);
              w.plant(block.mirrored());
            }),
        new Fault(
            "quota that denies a mute",
            FollowQuota.key("2") + " denies " + Mute.key("2", "1"),
            w -> w.plant(Mute.of("2", "1", AT, null))),
        new Fault(
            "special follow that is missing from the followee's list",
            Follow.key("1", "3") + " is special, but its row at the followee does not agree",
            w -> {
              followSpecially(w);
              w.steal(SpecialFollower.key("1", "3"));
            }),
        new Fault(
            "special follow that is missing from the quota",
            Follow.key("1", "3") + " is special, but its quota does not agree",
            w -> {
              followSpecially(w);
              w.remove(FollowQuota.key("1"), "special");
            }),
        new Fault(
            "special follower of no special follow",
            SpecialFollower.key("1", "3") + " calls the edge " + Follow.key("1", "3"),
            w -> w.plant(new SpecialFollower("1", "3", AT))),
        new Fault(
            "quota that names no special follow",
            FollowQuota.key("1") + " calls the edge " + Follow.key("1", "3"),
            w -> {
              followSpecially(w);
              w.steal(SpecialFollower.key("1", "3"));
              w.remove(Follow.key("1", "3"), Follow.SPECIAL_SINCE);
            }));
  }

  static void followSpecially(VerifyWorld world) {
    new SpecialFollowWriter(world.table(), 1).mark("1", "3", AT);
  }

  private static void follow(VerifyWorld world, String follower, String followee) {
    new FollowWriter(world.table(), 100).adopt(List.of(Follow.imported(follower, followee, AT)));
  }
}
