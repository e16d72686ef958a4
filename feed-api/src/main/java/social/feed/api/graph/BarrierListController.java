package social.feed.api.graph;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import social.feed.api.paging.PageBody;
import social.feed.api.paging.Pages;
import social.feed.api.security.ForMembers;
import social.feed.api.security.Viewer;
import social.feed.api.user.AccountBody;
import social.feed.api.user.Accounts;
import social.feed.table.access.AccessPattern;
import social.feed.table.graph.BarrierList;
import social.feed.table.graph.Barriers;
import social.feed.table.page.Slot;
import social.feed.table.row.Barrier;

/** Whom the caller blocks, and whom the caller mutes. */
@ForMembers
@Controller("/v1/users/me")
@Tag(name = "graph")
class BarrierListController {
  private static final int LIMIT_MAX = 500;

  private final Barriers barriers;
  private final Accounts accounts;
  private final Pages pages;
  private final InstantSource clock;

  BarrierListController(Barriers barriers, Accounts accounts, Pages pages, InstantSource clock) {
    this.barriers = barriers;
    this.accounts = accounts;
    this.pages = pages;
    this.clock = clock;
  }

  @Operation(summary = "Accounts that the caller blocks", description = "By id.")
  @Get("/blocks")
  PageBody<AccountBody> listBlocks(
      Viewer viewer,
      @QueryValue(defaultValue = "20") @Min(1) @Max(LIMIT_MAX) int limit,
      @Nullable @QueryValue @Schema(minLength = 1) String cursor) {
    return page(viewer, BarrierList.BLOCKS, limit, cursor, (_, account) -> account);
  }

  @Operation(summary = "Accounts that the caller mutes", description = "By id.")
  @Get("/mutes")
  PageBody<MutedBody> listMutes(
      Viewer viewer,
      @QueryValue(defaultValue = "20") @Min(1) @Max(LIMIT_MAX) int limit,
      @Nullable @QueryValue @Schema(minLength = 1) String cursor) {
    return page(viewer, BarrierList.MUTES, limit, cursor, MutedBody::of);
  }

  private <V> PageBody<V> page(
      Viewer viewer,
      BarrierList list,
      int limit,
      @Nullable String cursor,
      BiFunction<Barrier, AccountBody, V> dress) {
    Instant now = clock.instant();
    return pages
        .list(viewer, AccessPattern.FEED_014, list.name())
        .page(
            limit,
            cursor,
            request -> barriers.of(viewer.userId(), list, request),
            slots -> accounts.dressAll(inForce(slots, now), Barrier::otherId, dress));
  }

  private static List<Slot<Barrier>> inForce(List<Slot<Barrier>> slots, Instant now) {
    return slots.stream().filter(slot -> slot.item().isInForceAt(now)).toList();
  }
}
