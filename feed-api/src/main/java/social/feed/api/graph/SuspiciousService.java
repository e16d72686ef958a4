package social.feed.api.graph;

import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.paging.PageBody;
import social.feed.api.edge.paging.PageParameters;
import social.feed.api.edge.paging.Pages;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.security.Viewer;
import social.feed.api.user.AccountLookup;
import social.feed.table.access.AccessPattern;
import social.feed.table.graph.FollowQuotas;
import social.feed.table.graph.FollowWriter;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Suspect;
import social.feed.table.row.SuspectRef;
import social.feed.table.suspicion.Suspects;
import social.feed.table.user.Users;

/**
 * What operators see of suspicious accounts and do about them. An erased account does not exist
 * here at once, although the stream removes its rows later.
 */
@Singleton
final class SuspiciousService {
  private final Suspects suspects;
  private final Users users;
  private final AccountLookup accounts;
  private final FollowQuotas quotas;
  private final FollowWriter writes;
  private final QuotaTurns turns;
  private final Pages pages;
  private final InstantSource clock;

  SuspiciousService(
      Suspects suspects,
      Users users,
      AccountLookup accounts,
      FollowQuotas quotas,
      FollowWriter writes,
      QuotaTurns turns,
      Pages pages,
      InstantSource clock) {
    this.suspects = suspects;
    this.users = users;
    this.accounts = accounts;
    this.quotas = quotas;
    this.writes = writes;
    this.turns = turns;
    this.pages = pages;
    this.clock = clock;
  }

  /** What a page needs of the accounts that it shows. */
  private record Rows(Map<String, Suspect> suspects, Map<String, FollowQuota> quotas) {}

  /**
   * Returns listed accounts, highest score first. Two and a half read units each, half a unit for
   * one that was dismissed and is still in the index, one and a half for one that was erased, and
   * half a unit for each 4 KB of the index.
   */
  PageBody<SuspectBody> list(Viewer viewer, PageParameters page) {
    Instant now = clock.instant();
    return pages
        .list(viewer, AccessPattern.FEED_019, "")
        .skeleton(suspects::listed)
        .hydrate(references -> rows(references, now))
        .filter((rows, reference) -> rows.quotas().containsKey(reference.userId()))
        .present(
            (rows, reference) ->
                SuspectBody.of(
                    Objects.requireNonNull(rows.suspects().get(reference.userId())),
                    Objects.requireNonNull(rows.quotas().get(reference.userId())),
                    now))
        .page(page);
  }

  private Rows rows(List<SuspectRef> references, Instant now) {
    Map<String, Suspect> found =
        suspects.getAll(references.stream().map(SuspectRef::userId).distinct().toList());
    Set<String> listed =
        users.there(
            found.values().stream()
                .filter(suspect -> isListed(suspect, now))
                .map(Suspect::userId)
                .toList());
    return new Rows(
        found,
        quotas.of(listed).stream()
            .collect(Collectors.toMap(FollowQuota::userId, Function.identity())));
  }

  /** The index may still show an account that was dismissed, and TTL deletes late. */
  private static boolean isListed(Suspect suspect, Instant now) {
    return suspect.isListed() && suspect.expiresAt() > now.getEpochSecond();
  }

  /**
   * Dismisses what was found of an account. Two read units and two write units.
   *
   * @throws ProblemException {@code not_found}
   */
  void dismiss(String userId) {
    accounts.account(userId);
    if (!suspects.dismiss(userId, clock.instant().truncatedTo(ChronoUnit.MILLIS))) {
      throw new ProblemException(ProblemCode.NOT_FOUND);
    }
  }

  /**
   * Slows an account down, or ends that. Two read units and two write units.
   *
   * @param until null to end it
   * @throws ProblemException {@code not_found}
   */
  void slowDown(String userId, @Nullable Instant until) {
    accounts.account(userId);
    Instant end = until == null ? null : until.truncatedTo(ChronoUnit.MILLIS);
    if (!turns.take(userId, () -> writes.slowDown(userId, end))) {
      throw new ProblemException(ProblemCode.NOT_FOUND);
    }
  }
}
