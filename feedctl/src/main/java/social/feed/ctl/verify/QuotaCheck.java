package social.feed.ctl.verify;

import java.util.ArrayList;
import java.util.List;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.store.ConditionalWrites;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Keys;
import social.feed.table.row.Row;
import social.feed.table.row.User;

/**
 * Each follow quota is the number of the user's edges. One read unit and one query a user. The
 * index that is asked may lag, so a repair counts once more after the stream was drained; it
 * replaces the version that was read by a later one, which the stream copies to the profile.
 */
record QuotaCheck(TableScanner census, ConditionalWrites corrections) implements RowCheck {
  @Override
  public String name() {
    return "follow quota";
  }

  @Override
  public boolean concerns(Row row) {
    return row instanceof User;
  }

  @Override
  public List<Drift> inspect(List<Row> rows) {
    var users = rows.stream().map(User.class::cast).toList();
    var there =
        RelatedRows.at(users.stream().map(u -> FollowQuota.key(u.userId())).toList(), census);
    var drifts = new ArrayList<Drift>();
    for (var user : users) {
      var key = FollowQuota.key(user.userId());
      var quota = there.get(key, FollowQuota.class);
      long counted = edges(user);
      var is = quota.orElseGet(() -> FollowQuota.none(user.userId()));
      if (!there.isUnreadable(key) && is.following() != counted) {
        var right = is.corrected(counted, nextVersion(is, user));
        Repair repair =
            () ->
                edges(user) == counted
                    && (quota.isPresent()
                        ? corrections.replace(is, right)
                        : corrections.insert(right));
        var problem = key + " says " + is.following() + ", counted are " + counted;
        drifts.add(new Drift(user.key(), problem, repair));
      }
    }
    return drifts;
  }

  private long edges(User user) {
    return census.count(Index.FOLLOWING, Keys.follower(user.userId()));
  }

  /** One that was lost begins anew, but the profile takes only what is later than its copy. */
  private static long nextVersion(FollowQuota is, User user) {
    return Math.max(is.version(), user.followingVersion()) + 1;
  }
}
