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
import social.feed.api.edge.paging.PageBody;
import social.feed.api.edge.paging.Pages;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.Viewer;
import social.feed.api.user.AccountBody;
import social.feed.api.user.AccountCache;
import social.feed.table.access.AccessPattern;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.graph.BlocksAndMutesList;
import social.feed.table.kernel.page.Positioned;
import social.feed.table.row.BlockOrMute;

/** Whom the caller blocks, and whom the caller mutes. */
@RequiresToken
@Controller("/v1/users/me")
@Tag(name = "graph")
class BlocksAndMutesController {
  private static final int LIMIT_MAX = 500;

  private final BlocksAndMutes barriers;
  private final AccountCache accounts;
  private final Pages pages;
  private final InstantSource clock;

  BlocksAndMutesController(
      BlocksAndMutes barriers, AccountCache accounts, Pages pages, InstantSource clock) {
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
    return page(viewer, BlocksAndMutesList.BLOCKS, limit, cursor, (_, account) -> account);
  }

  @Operation(summary = "Accounts that the caller mutes", description = "By id.")
  @Get("/mutes")
  PageBody<MutedBody> listMutes(
      Viewer viewer,
      @QueryValue(defaultValue = "20") @Min(1) @Max(LIMIT_MAX) int limit,
      @Nullable @QueryValue @Schema(minLength = 1) String cursor) {
    return page(viewer, BlocksAndMutesList.MUTES, limit, cursor, MutedBody::of);
  }

  private <V> PageBody<V> page(
      Viewer viewer,
      BlocksAndMutesList list,
      int limit,
      @Nullable String cursor,
      BiFunction<BlockOrMute, AccountBody, V> dress) {
    Instant now = clock.instant();
    return pages
        .list(viewer, AccessPattern.FEED_014, list.name())
        .page(
            limit,
            cursor,
            request -> barriers.of(viewer.userId(), list, request),
            slots -> accounts.dressAll(inForce(slots, now), BlockOrMute::otherId, dress));
  }

  private static List<Positioned<BlockOrMute>> inForce(
      List<Positioned<BlockOrMute>> slots, Instant now) {
    return slots.stream().filter(slot -> slot.item().isInForceAt(now)).toList();
  }
}
