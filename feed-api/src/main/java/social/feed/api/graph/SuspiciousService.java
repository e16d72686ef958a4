package social.feed.api.graph;

import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.paging.PageBody;
import social.feed.api.edge.paging.PageParameters;
import social.feed.api.edge.paging.Pages;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.security.Viewer;
import social.feed.table.access.AccessPattern;
import social.feed.table.graph.FollowQuotas;
import social.feed.table.graph.FollowWriter;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Suspect;
import social.feed.table.row.SuspectRef;
import social.feed.table.suspicion.Suspects;

/** What operators see of suspicious accounts and do about them. */
@Singleton
final class SuspiciousService {
  private final Suspects suspects;
  private final FollowQuotas quotas;
  private final FollowWriter writes;
  private final QuotaTurns turns;
  private final Pages pages;
  private final InstantSource clock;

  SuspiciousService(
      Suspects suspects,
      FollowQuotas quotas,
      FollowWriter writes,
      QuotaTurns turns,
      Pages pages,
      InstantSource clock) {
    this.suspects = suspects;
    this.quotas = quotas;
    this.writes = writes;
    this.turns = turns;
    this.pages = pages;
    this.clock = clock;
  }

  /** What a page needs of its accounts. */
  private record Rows(Map<String, Suspect> suspects, Map<String, FollowQuota> quotas) {}

  /**
   * Returns listed accounts, highest score first. One and a half read units each, and half a unit
   * for each 4 KB of the index.
   */
  PageBody<SuspectBody> list(Viewer viewer, PageParameters page) {
    Instant now = clock.instant();
    return pages
        .list(viewer, AccessPattern.FEED_019, "")
        .skeleton(suspects::listed)
        .hydrate(this::rows)
        .filter((rows, reference) -> isListed(rows.suspects().get(reference.userId()), now))
        .present(
            (rows, reference) ->
                SuspectBody.of(
                    Objects.requireNonNull(rows.suspects().get(reference.userId())),
                    Objects.requireNonNull(rows.quotas().get(reference.userId())),
                    now))
        .page(page);
  }

  private Rows rows(List<SuspectRef> references) {
    List<String> ids = references.stream().map(SuspectRef::userId).distinct().toList();
    return new Rows(
        suspects.getAll(ids),
        quotas.of(ids).stream()
            .collect(Collectors.toMap(FollowQuota::userId, Function.identity())));
  }

  /** The index may still show an account that was dismissed, and TTL deletes late. */
  private static boolean isListed(@Nullable Suspect suspect, Instant now) {
    return suspect != null && suspect.isListed() && suspect.expiresAt() > now.getEpochSecond();
  }

  /** Dismisses what was found of an account. One read unit and two write units. */
  void dismiss(String userId) {
    if (!suspects.dismiss(userId, clock.instant().truncatedTo(ChronoUnit.MILLIS))) {
      throw new ProblemException(ProblemCode.NOT_FOUND);
    }
  }

  /**
   * Slows an account down, or ends that. One read unit and two write units.
   *
   * @param until null to end it
   */
  void slowDown(String userId, @Nullable Instant until) {
    Instant end = until == null ? null : until.truncatedTo(ChronoUnit.MILLIS);
    if (!turns.take(userId, () -> writes.slowDown(userId, end))) {
      throw new ProblemException(ProblemCode.NOT_FOUND);
    }
  }
}
