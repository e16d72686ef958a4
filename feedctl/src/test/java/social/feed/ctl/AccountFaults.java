package social.feed.ctl;

import static social.feed.ctl.Fault.AT;
import static social.feed.ctl.Fault.GHOST;

import java.util.List;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.row.Erasure;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.Mute;
import social.feed.table.row.User;

/** Accounts, their handles, and what names who is gone. */
final class AccountFaults {
  private AccountFaults() {}

  static List<Fault> all() {
    return List.of(
        new Fault(
            "row that names who was erased",
            "names gone, who was erased",
            w -> {
              w.plant(erased("gone"));
              w.plant(Mute.of("1", "gone", AT, null));
            }),
        new Fault(
            "account at no place among all",
            Index.POSTS_BY_AUTHOR.partitionKey() + " is absent",
            w ->
                w.remove(
                    User.key("3"),
                    Index.POSTS_BY_AUTHOR.partitionKey(),
                    Index.POSTS_BY_AUTHOR.sortKey())),
        new Fault(
            "lost claim",
            "has no claim of its handle user_1",
            w -> w.steal(HandleClaim.key("user_1"))),
        new Fault(
            "claim of nobody",
            "names ghost, whose handle it is not",
            w -> w.plant(new HandleClaim("nobodys", GHOST))),
        new Fault(
            "second claim of an account",
            "names 1, whose handle it is not",
            w -> w.plant(new HandleClaim("another", "1"))),
        new Fault(
            "claim that names somebody else",
            "has the handle user_1, which 2 claims",
            w -> w.plant(new HandleClaim("user_1", "2"))));
  }

  /** An erasure that is finished. */
  private static Erasure erased(String userId) {
    return Erasure.of(userId, AT).done(AT).done(AT).done(AT).done(AT).awoken().done(AT);
  }
}
