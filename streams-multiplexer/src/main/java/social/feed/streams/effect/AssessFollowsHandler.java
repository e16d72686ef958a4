package social.feed.streams.effect;

import java.time.Instant;
import java.util.List;
import social.feed.table.row.Suspect.Evidence;
import social.feed.table.row.SuspicionFinding;
import social.feed.table.suspicion.Suspects;
import social.feed.table.suspicion.SuspicionRules;
import social.feed.table.user.Users;

/**
 * Lists accounts whose follows look abnormal. The plan has decided from the follow quota; only the
 * age of the account is read. One read unit, and what {@link Suspects#note} costs where the score
 * is reached. Evidence that comes again, or later than newer evidence, changes nothing.
 */
public final class AssessFollowsHandler
    implements EffectHandler<AssessFollowsHandler.AssessFollows> {
  /**
   * The counts of a follow quota passed a threshold.
   *
   * @param version of the quota
   * @param day the UTC day that the quota counts
   * @param rules the thresholds of the plan
   */
  public record AssessFollows(
      String userId,
      long version,
      Instant day,
      List<SuspicionFinding> findings,
      SuspicionRules rules)
      implements Effect {}

  private final Users users;
  private final Suspects suspects;

  public AssessFollowsHandler(EffectContext context) {
    this.users = context.users;
    this.suspects = context.suspects;
  }

  @Override
  public void apply(List<AssessFollows> effects) {
    effects.forEach(this::assess);
  }

  private void assess(AssessFollows effect) {
    var rules = effect.rules();
    users
        .get(effect.userId())
        .map(user -> rules.withAge(effect.findings(), user.createdAt(), effect.day()))
        .filter(rules::isListed)
        .ifPresent(
            findings ->
                suspects.note(
                    new Evidence(effect.userId(), effect.version(), effect.day(), findings)));
  }
}
