package social.feed.table.user;

import static social.feed.table.kernel.store.Condition.absent;
import static social.feed.table.kernel.store.Condition.equal;
import static social.feed.table.kernel.store.Condition.present;
import static social.feed.table.kernel.store.Condition.same;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.Transaction;
import social.feed.table.kernel.store.Update;
import social.feed.table.media.MediaFiles;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.Media;
import social.feed.table.row.Picture;
import social.feed.table.row.PostMedia;
import social.feed.table.row.User;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Changes a profile together with other rows, in one transaction.
 *
 * <p>Another handle: writes the new claim and deletes the old one. So two accounts never have the
 * same handle, and no account has two. The old handle is free at once. Each claim has its own
 * partition, so no partition is hot.
 *
 * <p>Another picture: its file then belongs to the profile alone, and the row of the replaced file
 * is deleted, whose objects and quota the stream releases. So an account never shows a file that is
 * gone, and no file is left behind, whenever a process ends.
 */
final class ProfileTransaction {
  private static final RecordSchema<PostMedia> COPY = RecordSchema.of(PostMedia.class);

  private final Table table;
  private final Users users;
  private final MediaFiles files;

  ProfileTransaction(Table table, Users users) {
    this.table = table;
    this.users = users;
    this.files = new MediaFiles(table);
  }

  /**
   * Changes a profile. What the account has already stays, so a repeat changes nothing. Two read
   * units, and two write units for each of three items with another handle; two items where only
   * its case changes. With another picture a read unit for its file and for the replaced one, and
   * two write units for the account, two for the file and three for the replaced one.
   *
   * @throws ThrottledException when concurrent writes keep changing the account
   */
  ProfileOutcome change(String userId, ProfileChange requested) {
    return table
        .retry()
        .until(
            "Profile of " + User.key(userId),
            () -> {
              var user = users.get(userId);
              if (user.isEmpty()) {
                return Optional.of(new ProfileOutcome.NotRegistered());
              }
              var change = requested.of(user.get());
              return change.isOfRowOnly()
                  ? Optional.of(users.changeRow(userId, change))
                  : commit(user.get(), change);
            });
  }

  /** Empty when a concurrent write changed one of the items: the next attempt decides on them. */
  private Optional<ProfileOutcome> commit(User user, ProfileChange change) {
    var pictures = pictures(user, change);
    if (pictures.isEmpty()) {
      return Optional.of(new ProfileOutcome.MediaNotUsable());
    }
    var update = change.update();
    var isAsRead = present();
    for (var picture : pictures.get()) {
      picture.update(update);
      isAsRead = isAsRead.and(picture.isAsRead(user));
    }
    var claim = change.handle() == null ? null : new HandleClaim(change.handle(), user.userId());
    if (claim != null) {
      update.set(User.HANDLE, claim.handle());
      isAsRead = isAsRead.and(equal(User.HANDLE, user.handle()));
    }
    var transaction = table.transaction().update(user.key(), update, isAsRead);
    pictures.get().forEach(picture -> picture.addTo(transaction));
    if (claim != null) {
      claim(transaction, user, claim);
    }
    var outcome = transaction.commit();
    if (outcome.isDone()) {
      return Optional.of(changed(user.userId()));
    }
    return claim == null
        ? Optional.empty()
        : outcome.existing(claim.key()).map(_ -> new ProfileOutcome.HandleTaken(claim.handle()));
  }

  private static void claim(Transaction transaction, User user, HandleClaim claim) {
    var old = new HandleClaim(user.handle(), user.userId());
    // Replaces the account's own claim where only the case changes.
    transaction.put(claim, absent().or(ownedBy(user)).returningItem());
    if (!old.key().equals(claim.key())) {
      transaction.delete(old.key(), ownedBy(user));
    }
  }

  /**
   * A picture that changes.
   *
   * @param file absent to remove it
   * @param replaced absent where there is none, or its row is not that of the picture
   */
  private record Change(Picture picture, @Nullable Media file, @Nullable Media replaced) {
    private void update(Update update) {
      Optional.ofNullable(file)
          .flatMap(Media::copy)
          .ifPresentOrElse(
              copy ->
                  update.set(picture.attribute(), AttributeValue.fromM(COPY.itemToMap(copy, true))),
              () -> update.remove(picture.attribute()));
    }

    private Condition isAsRead(User user) {
      return same(picture.attribute(), RowCodec.encode(user).get(picture.attribute()));
    }

    private void addTo(Transaction transaction) {
      if (file != null) {
        MediaFiles.showing(transaction, file, picture);
      }
      if (replaced != null) {
        MediaFiles.replacing(transaction, replaced, picture);
      }
    }
  }

  /** Empty where the account cannot show one of the files. */
  private Optional<List<Change>> pictures(User user, ProfileChange change) {
    var ids =
        change.pictures().entrySet().stream()
            .flatMap(
                entry ->
                    Stream.concat(
                        entry.getValue().stream(),
                        user.shown(entry.getKey()).map(PostMedia::mediaId).stream()))
            .distinct()
            .toList();
    Map<String, Media> found = ids.isEmpty() ? Map.of() : files.getAll(ids, true);
    var changes = new ArrayList<Change>();
    for (var entry : change.pictures().entrySet()) {
      var picture = entry.getKey();
      var file =
          entry
              .getValue()
              .flatMap(id -> Optional.ofNullable(found.get(id)))
              .filter(media -> media.isUsableBy(user.userId()));
      if (entry.getValue().isPresent() && file.isEmpty()) {
        return Optional.empty();
      }
      var replaced =
          user.shown(picture)
              .flatMap(shown -> Optional.ofNullable(found.get(shown.mediaId())))
              .filter(media -> media.isPictureOf(user.userId(), picture));
      changes.add(new Change(picture, file.orElse(null), replaced.orElse(null)));
    }
    return Optional.of(changes);
  }

  private ProfileOutcome changed(String userId) {
    return users
        .get(userId)
        .<ProfileOutcome>map(ProfileOutcome.Changed::new)
        .orElseGet(ProfileOutcome.NotRegistered::new);
  }

  private static Condition ownedBy(User user) {
    return equal(HandleClaim.USER_ID, user.userId());
  }
}
