package social.feed.verify;

import static java.util.Objects.requireNonNull;
import static social.feed.table.kernel.store.Condition.absent;
import static social.feed.table.kernel.store.Condition.unchanged;

import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import social.feed.table.erasure.ErasureQueue;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasurePace;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.ErasureSweep;
import social.feed.table.row.ErasureTimer;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.Media;
import social.feed.table.row.PendingErasure;
import social.feed.table.row.Picture;
import social.feed.table.row.Row;
import social.feed.table.row.Suspect;
import social.feed.table.row.User;
import social.feed.table.row.WaitingErasure;
import social.feed.table.user.CelebrityRule;

/** What verify compares of accounts, their handles, pictures, flags and erasures. */
final class AccountChecks {
  private final TableScanner scanner;
  private final Clock clock;

  AccountChecks(TableScanner scanner, Clock clock) {
    this.scanner = scanner;
    this.clock = clock;
  }

  /**
   * No row names an account whose erasure is finished and still remembered; a dead letter that is
   * redriven later could bring one back. The repair erases the row as the erasure would have done.
   * An erasure in progress is left alone.
   */
  Check erasedAccounts() {
    return check(
        "erased accounts",
        DerivedRows.of(Row.class, row -> !row.referencedAccounts().isEmpty())
            .expected(row -> row.referencedAccounts().stream())
            .actual(id -> Stream.of(Erasure.key(id)))
            .difference(
                (row, id, there) ->
                    there
                        .get(Erasure.key(id), Erasure.class)
                        .filter(erasure -> erasure.step() == ErasureStep.ERASED)
                        .flatMap(
                            _ ->
                                Drift.at(
                                    row,
                                    row.key() + " names " + id + ", which was erased",
                                    repairs -> repairs.erase(id, row)))));
  }

  /**
   * Each account has the claim for its handle, and each claim names the account that has the
   * handle. Reads one unit more for a handle that another account claims. A claim without such an
   * account is removed. An account without its claim gets it, unless another account has the same
   * handle.
   */
  Check handleClaims() {
    return check(
        "handle claims",
        DerivedRows.of(User.class)
            .expected(user -> Stream.of(new HandleClaim(user.handle(), user.userId())))
            .actual(claim -> Stream.of(claim.key()))
            .difference(this::claimOf),
        DerivedRows.of(HandleClaim.class)
            .actual(claim -> Stream.of(User.key(claim.userId())))
            .difference(
                (claim, _, there) ->
                    isClaimCorrect(claim, there)
                        ? Optional.empty()
                        : Drift.at(
                            claim,
                            claim.key()
                                + " names "
                                + claim.userId()
                                + ", which does not have this handle",
                            repairs -> repairs.rows().remove(claim))));
  }

  private Optional<Drift> claimOf(User user, HandleClaim expected, RelatedRows there) {
    if (there.isUnreadable(expected.key())) {
      return Optional.empty();
    }
    var stored = there.get(expected.key(), HandleClaim.class);
    if (stored.isEmpty()) {
      return Drift.at(
          user,
          user.key() + " has no claim for its handle " + user.handle(),
          repairs -> repairs.claim(user, absent()));
    }
    var claim = stored.get();
    if (claim.equals(expected)) {
      return Optional.empty();
    }
    var other = List.of(User.key(claim.userId()));
    boolean isTaken =
        !claim.userId().equals(user.userId())
            && isClaimCorrect(claim, RelatedRows.at(other, scanner));
    return Drift.at(
        user,
        user.key() + " has the handle " + user.handle() + ", which " + claim.userId() + " claims",
        isTaken ? Repair.NONE : repairs -> repairs.claim(user, unchanged(claim)));
  }

  private static boolean isClaimCorrect(HandleClaim claim, RelatedRows there) {
    var account = User.key(claim.userId());
    return there.isUnreadable(account)
        || there
            .get(account, User.class)
            .filter(user -> HandleClaim.key(user.handle()).equals(claim.key()))
            .isPresent();
  }

  /**
   * Each picture of a profile is a file of the account that is this picture, and each file that is
   * a picture is that of its owner's profile. A picture without its file is removed from the
   * profile, and a file that no profile shows is removed: only its owner could read it.
   */
  Check pictures() {
    return check(
        "pictures of profiles",
        DerivedRows.of(User.class)
            .expected(
                user ->
                    Arrays.stream(Picture.values())
                        .flatMap(picture -> ShownFile.of(user, picture).stream()))
            .actual(file -> Stream.of(Media.key(file.mediaId())))
            .difference(
                (user, file, there) ->
                    there.isUnreadable(Media.key(file.mediaId()))
                            || there
                                .get(Media.key(file.mediaId()), Media.class)
                                .filter(media -> media.isPictureOf(user.userId(), file.picture()))
                                .isPresent()
                        ? Optional.empty()
                        : Drift.at(
                            user,
                            "%s shows %s as its %s, which is no such file"
                                .formatted(
                                    user.key(),
                                    Media.key(file.mediaId()),
                                    file.picture().attribute()),
                            repairs -> repairs.removePicture(user, file.picture()))),
        DerivedRows.of(Media.class, media -> media.shownAs() != null)
            .actual(media -> Stream.of(User.key(media.ownerId())))
            .difference(
                (media, _, there) ->
                    there
                        .get(User.key(media.ownerId()), User.class)
                        .filter(
                            user ->
                                !ShownFile.of(user, requireNonNull(media.shownAs()))
                                    .map(ShownFile::mediaId)
                                    .equals(Optional.of(media.mediaId())))
                        .flatMap(
                            _ ->
                                Drift.at(
                                    media,
                                    media.key() + " is a picture that its owner does not show",
                                    repairs -> repairs.rows().remove(media)))));
  }

  /**
   * The score of a suspicion is that of its findings. Neither findings nor openings can be derived
   * again: the counts and the order that showed them are gone.
   */
  Check suspicions() {
    return check(
        "scores of suspicions",
        DerivedRows.of(Suspect.class)
            .difference(
                (suspect, _, _) ->
                    suspect.isScoreRight()
                        ? Optional.empty()
                        : Drift.at(
                            suspect,
                            "%s has the score %d, which its findings do not have"
                                .formatted(suspect.key(), suspect.score()),
                            repairs -> repairs.rows().replace(suspect, suspect.scoredAgain()))));
  }

  private record ShownFile(Picture picture, String mediaId) {
    private static Optional<ShownFile> of(User user, Picture picture) {
      return user.shown(picture).map(file -> new ShownFile(picture, file.mediaId()));
    }
  }

  /**
   * A timer begins or continues the sweep of the table while an erasure waits for it, and a clock
   * grants units while one waits for them. The record of the timer's expiry or of the clock may be
   * lost with a batch that the event source gave up. The repair sets it again. A timer is missing,
   * and the clock late, as well until the effects lane has applied that record; another one does no
   * harm.
   */
  Check erasureTimer() {
    return check(
        "erasure timer",
        DerivedRows.of(PendingErasure.class)
            .actual(_ -> Stream.of(ErasureTimer.OF_SWEEP))
            .difference((pending, _, there) -> timer(pending, there)),
        DerivedRows.of(ErasureSweep.class, ErasureSweep::isUnderWay)
            .actual(_ -> Stream.of(ErasureTimer.OF_SWEEP))
            .difference((sweep, _, there) -> timer(sweep, there)),
        DerivedRows.of(WaitingErasure.class)
            .actual(_ -> Stream.of(ErasurePace.KEY))
            .difference((waiting, _, there) -> clock(waiting, there)));
  }

  private Optional<Drift> clock(WaitingErasure waiting, RelatedRows there) {
    var pace = there.get(ErasurePace.KEY, ErasurePace.class).orElse(ErasurePace.NONE);
    return ErasureQueue.isStill(pace, clock.instant())
        ? Drift.at(
            waiting,
            waiting.key() + " waits for units, but the clock of the erasures stands still",
            Repairs::wakeErasures)
        : Optional.empty();
  }

  private static Optional<Drift> timer(Row waiting, RelatedRows there) {
    return there.has(ErasureTimer.OF_SWEEP)
        ? Optional.empty()
        : Drift.at(
            waiting,
            waiting.key() + " waits for a sweep of the table, but its timer is lost",
            Repairs::armErasureSweep);
  }

  /** Accounts with the followers of a celebrity are flagged as celebrities, and no others. */
  Check celebrityFlags(CelebrityRule rule) {
    return check(
        "celebrity flags",
        DerivedRows.of(User.class)
            .difference(
                (user, _, _) ->
                    user.isCelebrity() == rule.applies(user.isCelebrity(), user.followersCount())
                        ? Optional.empty()
                        : Drift.at(
                            user,
                            "%s is %s celebrity with %,d followers"
                                .formatted(
                                    user.key(),
                                    user.isCelebrity() ? "a" : "no",
                                    user.followersCount()),
                            repairs -> repairs.flipCelebrity(user))));
  }

  private Check check(String name, DerivedRows<?, ?>... rules) {
    return DerivedRows.check(name, scanner, rules);
  }
}
