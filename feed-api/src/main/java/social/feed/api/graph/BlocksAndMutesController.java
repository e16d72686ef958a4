package social.feed.api.graph;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.BiFunction;
import social.feed.api.edge.paging.ListRoute.Presented;
import social.feed.api.edge.paging.PageBody;
import social.feed.api.edge.paging.PageOf;
import social.feed.api.edge.paging.PageParameters;
import social.feed.api.edge.paging.Pages;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.Viewer;
import social.feed.api.user.AccountBody;
import social.feed.api.user.AccountCache;
import social.feed.api.user.HydratedAccounts;
import social.feed.table.access.AccessPattern;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.graph.BlocksAndMutesList;
import social.feed.table.row.BlockOrMute;

/** Accounts that the caller blocks or mutes. */
@RequiresToken
@Controller("/v1/users/me")
@Tag(name = "graph")
class BlocksAndMutesController {
  private final BlocksAndMutes blocksAndMutes;
  private final AccountCache accounts;
  private final Pages pages;
  private final InstantSource clock;

  BlocksAndMutesController(
      BlocksAndMutes blocksAndMutes, AccountCache accounts, Pages pages, InstantSource clock) {
    this.blocksAndMutes = blocksAndMutes;
    this.accounts = accounts;
    this.pages = pages;
    this.clock = clock;
  }

  @Operation(summary = "Accounts that the caller blocks", description = "Ordered by id.")
  @Get("/blocks")
  PageBody<AccountBody> listBlocks(
      Viewer viewer, @PageOf(AccessPattern.FEED_014) PageParameters page) {
    return list(viewer, BlocksAndMutesList.BLOCKS, (_, account) -> account).page(page);
  }

  @Operation(summary = "Accounts that the caller mutes", description = "Ordered by id.")
  @Get("/mutes")
  PageBody<MutedBody> listMutes(
      Viewer viewer, @PageOf(AccessPattern.FEED_014) PageParameters page) {
    return list(viewer, BlocksAndMutesList.MUTES, MutedBody::of).page(page);
  }

  /** These lists show blocked accounts; they hide only ended mutes and accounts that are gone. */
  private <B> Presented<BlockOrMute, HydratedAccounts, B> list(
      Viewer viewer, BlocksAndMutesList list, BiFunction<BlockOrMute, AccountBody, B> body) {
    Instant now = clock.instant();
    return pages
        .list(viewer, AccessPattern.FEED_014, list.name())
        .skeleton(request -> blocksAndMutes.of(viewer.userId(), list, request))
        .hydrate(
            references ->
                accounts.hydrateAll(
                    references.stream().filter(row -> row.isInForceAt(now)).toList(),
                    BlockOrMute::otherId))
        .filter((others, row) -> row.isInForceAt(now) && others.isVisible(row.otherId()))
        .present((others, row) -> body.apply(row, others.body(row.otherId())));
  }
}
