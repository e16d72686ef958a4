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
import social.feed.table.graph.FollowQuotas;
import social.feed.table.row.Erasure;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.User;
import social.feed.table.user.ProfileChange;
import social.feed.table.user.ProfileOutcome;
import social.feed.table.user.Registration;
import social.feed.table.user.Users;

/** Profiles as they are registered, changed and shown. */
@Singleton
final class Profiles {
  private final Users users;
  private final AccountLookup members;
  private final FollowQuotas quotas;

  Profiles(Users users, AccountLookup members, FollowQuotas quotas) {
    this.users = users;
    this.members = members;
    this.quotas = quotas;
  }

  /**
   * Registers the caller; the same handle again finds the profile as it is now. Six write units.
   */
  PendingCreation draft(Viewer viewer, RegistrationRequest request, Instant now) {
    User wanted =
        User.registered(
            viewer.userId(), request.handle(), request.displayName(), request.bio(), now);
    return new PendingCreation(
        registered(wanted),
        List.of(wanted, new HandleClaim(wanted.handle(), wanted.userId())),
        List.of(Erasure.key(wanted.userId())),
        () -> register(viewer, request, wanted));
  }

  private Created register(Viewer viewer, RegistrationRequest request, User wanted) {
    return switch (users.register(wanted)) {
      case Registration.Registered(User user) -> registered(user);
      case Registration.AlreadyRegistered(User user) -> again(viewer, user, request);
      case Registration.Erased() -> throw AccountLookup.erased();
      case Registration.HandleTaken(String handle) -> throw taken(handle);
    };
  }

  private static Created registered(User user) {
    return new Created(HttpStatus.CREATED, ProfileBody.of(user, user.followingCount()));
  }

  private Created again(Viewer viewer, User user, RegistrationRequest request) {
    if (!user.handle().equals(request.handle())) {
      throw new ProblemException(
          ProblemCode.ALREADY_REGISTERED, "The caller's handle is " + user.handle());
    }
    return new Created(HttpStatus.OK, show(viewer, user));
  }

  ProfileBody getOwn(Viewer viewer) {
    return show(viewer, members.caller(viewer));
  }

  ProfileBody get(Viewer viewer, String userId) {
    return show(viewer, members.profile(viewer, userId));
  }

  /** Two read units: the claim of the handle and the account. */
  ProfileBody getByHandle(Viewer viewer, String handle) {
    return get(viewer, users.idOfHandle(handle).orElseThrow(AccountLookup::missing));
  }

  ProfileBody change(Viewer viewer, ProfileChangeRequest request) {
    var change = new ProfileChange(request.handle(), request.displayName(), request.bio());
    return switch (users.change(viewer.userId(), change)) {
      case ProfileOutcome.Changed(User user) -> show(viewer, user);
      case ProfileOutcome.NotRegistered() -> throw members.notRegistered(viewer);
      case ProfileOutcome.HandleTaken(String handle) -> throw taken(handle);
    };
  }

  private static ProblemException taken(String handle) {
    return new ProblemException(
        ProblemCode.HANDLE_TAKEN, "Another account has the handle " + handle);
  }

  /** One's own number of followed accounts is never behind what one just did, hence the quota. */
  private ProfileBody show(Viewer viewer, User user) {
    boolean own = viewer.userId().equals(user.userId());
    return ProfileBody.of(user, own ? quotas.of(user.userId()).following() : user.followingCount());
  }
}
