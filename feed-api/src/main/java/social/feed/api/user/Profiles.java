package social.feed.api.user;

import jakarta.inject.Singleton;
import java.time.Instant;
import social.feed.api.problem.ProblemCode;
import social.feed.api.problem.ProblemException;
import social.feed.api.security.Viewer;
import social.feed.table.graph.FollowWrites;
import social.feed.table.row.User;
import social.feed.table.user.ProfileChange;
import social.feed.table.user.Registration;
import social.feed.table.user.Users;

/** Profiles as they are registered, changed and shown. */
@Singleton
final class Profiles {
  private final Users users;
  private final Members members;
  private final FollowWrites quotas;

  Profiles(Users users, Members members, FollowWrites quotas) {
    this.users = users;
    this.members = members;
    this.quotas = quotas;
  }

  /**
   * The caller's profile.
   *
   * @param isNew whether this call made it
   */
  record Registered(ProfileBody profile, boolean isNew) {}

  /**
   * Registers the caller; the same handle again finds the profile as it is now. Four write units.
   */
  Registered register(Viewer viewer, RegistrationRequest request, Instant now) {
    User wanted =
        User.registered(
            viewer.userId(), request.handle(), request.displayName(), request.bio(), now);
    return switch (users.register(wanted)) {
      case Registration.Registered(User user) ->
          new Registered(ProfileBody.of(user, user.followingCount()), true);
      case Registration.AlreadyRegistered(User user) -> again(viewer, user, request);
      case Registration.HandleTaken(String handle) ->
          throw new ProblemException(
              ProblemCode.HANDLE_TAKEN, "Another account has the handle " + handle);
    };
  }

  private Registered again(Viewer viewer, User user, RegistrationRequest request) {
    if (!user.handle().equals(request.handle())) {
      throw new ProblemException(
          ProblemCode.ALREADY_REGISTERED, "The caller's handle is " + user.handle());
    }
    return new Registered(show(viewer, user), false);
  }

  ProfileBody get(Viewer viewer, String userId) {
    return show(viewer, members.account(userId));
  }

  /** Two read units: the claim of the handle and the account. */
  ProfileBody getByHandle(Viewer viewer, String handle) {
    return get(viewer, users.idOfHandle(handle).orElseThrow(Members::missing));
  }

  ProfileBody change(Viewer viewer, ProfileChangeRequest request) {
    ProfileChange change = new ProfileChange(request.displayName(), request.bio());
    return users
        .change(viewer.userId(), change)
        .map(user -> show(viewer, user))
        .orElseThrow(
            () ->
                new ProblemException(ProblemCode.NOT_REGISTERED, "The caller has no profile yet"));
  }

  /** One's own number of followed accounts is never behind what one just did, hence the quota. */
  private ProfileBody show(Viewer viewer, User user) {
    boolean own = viewer.userId().equals(user.userId());
    return ProfileBody.of(
        user, own ? quotas.quota(user.userId()).following() : user.followingCount());
  }
}
