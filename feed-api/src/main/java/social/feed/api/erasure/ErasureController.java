package social.feed.api.erasure;

import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Status;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import social.feed.api.edge.problem.MayRefuseBody;
import social.feed.api.edge.problem.NeedsProfile;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.Viewer;
import social.feed.api.user.AccountLookup;
import social.feed.table.erasure.ErasureRequestOutcome;
import social.feed.table.erasure.Erasures;

/** Erases the caller's account. */
@RequiresToken
@NeedsProfile
@MayRefuseBody
@Controller("/v1/users/me")
@Tag(name = "users")
class ErasureController {
  private final Erasures erasures;
  private final AccountLookup accounts;
  private final InstantSource clock;

  ErasureController(Erasures erasures, AccountLookup accounts, InstantSource clock) {
    this.erasures = erasures;
    this.accounts = accounts;
    this.clock = clock;
  }

  @Operation(
      summary = "Erase the caller's account",
      description =
          "With the answer the profile is gone and the handle is free. Everything the account wrote"
              + " is gone as well, a second later on servers that have just shown it. The rows that"
              + " name the account are removed later, which takes a day or more."
              + " Further writes with the token answer 409 `account_erased`. The id cannot register"
              + " again until 30 days after all rows are removed. A repeat changes nothing.")
  @Delete
  @Status(HttpStatus.ACCEPTED)
  void eraseUser(Viewer viewer) {
    var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    if (erasures.begin(viewer.userId(), now) == ErasureRequestOutcome.NOT_REGISTERED) {
      throw accounts.notRegistered(viewer);
    }
  }
}
