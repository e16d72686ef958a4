package social.feed.ctl;

import static social.feed.ctl.Fault.AT;
import static social.feed.ctl.Fault.GHOST;

import java.util.List;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.row.Erasure;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.Mute;
import social.feed.table.row.PendingErasure;
import social.feed.table.row.User;

/** Faults of accounts and their handles, and of rows that name erased accounts. */
final class AccountFaults {
  private AccountFaults() {}

  static List<Fault> all() {
    return List.of(
        new Fault(
            "row that names an erased account",
            "names gone, which was erased",
            w -> {
              w.plant(erased("gone"));
              w.plant(Mute.of("1", "gone", AT, null));
            }),
        new Fault(
            "sweep of erasures whose timer is gone",
            "waits for a sweep of the table, but its timer is lost",
            w -> w.plant(new PendingErasure(0, Erasure.hash(GHOST), GHOST, AT))),
        new Fault(
            "account that is missing from the index of all accounts",
            Index.POSTS_BY_AUTHOR.partitionKey() + " is absent",
            w ->
                w.remove(
                    User.key("3"),
                    Index.POSTS_BY_AUTHOR.partitionKey(),
                    Index.POSTS_BY_AUTHOR.sortKey())),
        new Fault(
            "lost handle claim",
            "has no claim for its handle user_1",
            w -> w.steal(HandleClaim.key("user_1"))),
        new Fault(
            "handle claim of no account",
            "names ghost, which does not have this handle",
            w -> w.plant(new HandleClaim("unowned", GHOST))),
        new Fault(
            "second handle claim of an account",
            "names 1, which does not have this handle",
            w -> w.plant(new HandleClaim("another", "1"))),
        new Fault(
            "handle claim that names another account",
            "has the handle user_1, which 2 claims",
            w -> w.plant(new HandleClaim("user_1", "2"))));
  }

  /** Returns a finished erasure. */
  private static Erasure erased(String userId) {
    return Erasure.of(userId, AT).swept(true, AT);
  }
}
