package social.feed.streams.effect;

import java.time.Instant;
import java.util.List;
import social.feed.table.row.Suspect.Evidence;
import social.feed.table.suspicion.FollowOpenings;
import social.feed.table.suspicion.Suspects;
import social.feed.table.suspicion.SuspicionRules;
import social.feed.table.user.Users;

/**
 * Compares how a new account began to follow with how others did, and lists all that began in the
 * same order. One read unit and what {@link FollowOpenings#note} costs, and for each of up to twice
 * as many accounts as are suspicious what {@link Suspects#note} costs. It may come again.
 */
public final class CompareOpeningHandler
    implements EffectHandler<CompareOpeningHandler.CompareOpening> {
  /**
   * The first thirty follows of an account came on one day.
   *
   * @param version of the quota
   * @param day the UTC day that the quota counts
   * @param rules the thresholds of the plan
   */
  public record CompareOpening(String userId, long version, Instant day, SuspicionRules rules)
      implements Effect {}

  private final Users users;
  private final Suspects suspects;
  private final FollowOpenings openings;

  public CompareOpeningHandler(EffectContext context) {
    this.users = context.users;
    this.suspects = context.suspects;
    this.openings = context.openings;
  }

  @Override
  public void apply(List<CompareOpening> effects) {
    effects.forEach(this::compare);
  }

  private void compare(CompareOpening effect) {
    var rules = effect.rules();
    boolean isNew =
        users
            .get(effect.userId())
            .filter(user -> rules.isNew(user.createdAt(), effect.day()))
            .isPresent();
    if (isNew) {
      openings
          .note(effect.userId(), effect.version(), effect.day(), rules.sameOrder())
          .forEach(evidence -> list(evidence, rules));
    }
  }

  /** Only new accounts are compared. */
  private void list(Evidence evidence, SuspicionRules rules) {
    var findings = rules.withAge(evidence.findings(), evidence.day(), evidence.day());
    if (rules.isListed(findings)) {
      suspects.note(new Evidence(evidence.userId(), evidence.version(), evidence.day(), findings));
    }
  }
}
