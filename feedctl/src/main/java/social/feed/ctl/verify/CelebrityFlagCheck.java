package social.feed.ctl.verify;

import java.util.List;
import java.util.Map;
import social.feed.table.kernel.store.ConditionalWrites;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import social.feed.table.user.CelebrityRule;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Whoever has as many followers as a celebrity is flagged as one, and nobody else. The repair is a
 * flip like any other: the stream brings it into the pull registry, and publishes it. One write
 * unit.
 */
record CelebrityFlagCheck(CelebrityRule rule, ConditionalWrites corrections) implements RowCheck {
  @Override
  public String name() {
    return "celebrity flags";
  }

  @Override
  public boolean concerns(Row row) {
    return row instanceof User;
  }

  @Override
  public List<Drift> inspect(List<Row> rows) {
    return rows.stream()
        .map(User.class::cast)
        .filter(user -> user.isCelebrity() != should(user))
        .map(this::drift)
        .toList();
  }

  private boolean should(User user) {
    return rule.applies(user.isCelebrity(), user.followersCount());
  }

  private Drift drift(User user) {
    var problem =
        "%s is %s celebrity with %,d followers"
            .formatted(user.key(), user.isCelebrity() ? "a" : "no", user.followersCount());
    return new Drift(user.key(), problem, () -> flip(user));
  }

  private boolean flip(User user) {
    return corrections.set(
        user.key(),
        Map.of(
            User.IS_CELEBRITY, AttributeValue.fromBool(user.isCelebrity()),
            User.CELEBRITY_VERSION, number(user.celebrityVersion()),
            User.FOLLOWERS_COUNT, number(user.followersCount())),
        Map.of(
            User.IS_CELEBRITY, AttributeValue.fromBool(should(user)),
            User.CELEBRITY_VERSION, number(user.celebrityVersion() + 1)));
  }

  private static AttributeValue number(long value) {
    return AttributeValue.fromN(Long.toString(value));
  }
}
