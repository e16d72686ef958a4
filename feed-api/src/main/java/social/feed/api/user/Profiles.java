package social.feed.api.user;

import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import social.feed.api.edge.idempotency.Created;
import social.feed.api.edge.idempotency.PendingCreation;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.security.Viewer;
import social.feed.api.media.MediaAddresses;
import social.feed.table.row.Erasure;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.User;
import social.feed.table.user.ProfileChange;
import social.feed.table.user.ProfileOutcome;
import social.feed.table.user.Registration;
import social.feed.table.user.Users;

/** Registers, changes and returns profiles. */
@Singleton
final class Profiles {
  private final Users users;
  private final AccountLookup accounts;
  private final MediaAddresses addresses;

  Profiles(Users users, AccountLookup accounts, MediaAddresses addresses) {
    this.users = users;
    this.accounts = accounts;
    this.addresses = addresses;
  }

  /**
   * Prepares the registration of the caller. A repeat with the same handle returns the current
   * profile. Six write units.
   */
  PendingCreation draft(Viewer viewer, RegistrationRequest request, Instant now) {
    User requested =
        User.registered(
            viewer.userId(), request.handle(), request.displayName(), request.bio(), now);
    return new PendingCreation(
        registered(requested),
        List.of(requested, new HandleClaim(requested.handle(), requested.userId())),
        List.of(Erasure.key(requested.userId())),
        () -> register(viewer, request, requested));
  }

  private Created register(Viewer viewer, RegistrationRequest request, User requested) {
    return switch (users.register(requested)) {
      case Registration.Registered(User user) -> registered(user);
      case Registration.AlreadyRegistered(User user) -> again(viewer, user, request);
      case Registration.Erased() -> throw AccountLookup.erased();
      case Registration.HandleTaken(String handle) -> throw taken(handle);
    };
  }

  private Created registered(User user) {
    return new Created(HttpStatus.CREATED, ProfileBody.of(user, user.followingCount(), addresses));
  }

  private Created again(Viewer viewer, User user, RegistrationRequest request) {
    if (!user.handle().equals(request.handle())) {
      throw new ProblemException(
          ProblemCode.ALREADY_REGISTERED, "The caller's handle is " + user.handle());
    }
    return new Created(HttpStatus.OK, body(viewer, user));
  }

  ProfileBody getOwn(Viewer viewer) {
    return body(viewer, accounts.caller(viewer));
  }

  ProfileBody get(Viewer viewer, String userId) {
    return body(viewer, accounts.profile(viewer, userId));
  }

  /** Returns the profile with a handle. Two read units: the handle claim and the account. */
  ProfileBody getByHandle(Viewer viewer, String handle) {
    return get(viewer, users.idOfHandle(handle).orElseThrow(AccountLookup::missing));
  }

  /**
   * Changes the caller's profile, at the cost that {@link Users#change} states.
   *
   * @throws ProblemException {@code not_registered}, {@code handle_taken}, {@code media_not_usable}
   */
  ProfileBody change(Viewer viewer, ProfileChangeRequest request) {
    var change =
        new ProfileChange(
            request.handle(), request.displayName(), request.bio(), request.pictures());
    return switch (users.change(viewer.userId(), change)) {
      case ProfileOutcome.Changed(User user) -> body(viewer, user);
      case ProfileOutcome.NotRegistered() -> throw accounts.notRegistered(viewer);
      case ProfileOutcome.MediaNotUsable() ->
          throw new ProblemException(ProblemCode.MEDIA_NOT_USABLE);
      case ProfileOutcome.HandleTaken(String handle) -> throw taken(handle);
    };
  }

  private static ProblemException taken(String handle) {
    return new ProblemException(
        ProblemCode.HANDLE_TAKEN, "Another account has the handle " + handle);
  }

  /** The caller's own number of followed accounts comes from the quota, which is exact. */
  private ProfileBody body(Viewer viewer, User user) {
    boolean own = viewer.userId().equals(user.userId());
    return ProfileBody.of(
        user, own ? viewer.quota().following() : user.followingCount(), addresses);
  }
}
