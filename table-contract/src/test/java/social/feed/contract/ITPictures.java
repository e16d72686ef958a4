package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Table;
import social.feed.table.media.MediaDeletion;
import social.feed.table.media.MediaFiles;
import social.feed.table.row.Media;
import social.feed.table.row.Picture;
import social.feed.table.row.PostMedia;
import social.feed.table.row.User;
import social.feed.table.user.ProfileChange;
import social.feed.table.user.ProfileOutcome;
import social.feed.table.user.ProfileOutcome.Changed;
import social.feed.table.user.ProfileOutcome.MediaNotUsable;
import social.feed.table.user.ProfileOutcome.NotRegistered;
import social.feed.table.user.Users;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.TestTable;
import social.feed.testkit.fault.CrashPoint;
import social.feed.testkit.fault.CrashPoint.Side;
import social.feed.testkit.fault.WiredClient;

/** A picture and its file name each other at any time, and a replaced file is gone. */
@ExtendWith(EngineExtension.class)
class ITPictures {
  private static final int THREADS = 8;

  private final TestTable table;
  private final SeedWorld world;
  private final MediaFiles files;
  private final Person ann;

  ITPictures(TestTable table, SeedWorld world) {
    this.table = table;
    this.world = world;
    this.files = new MediaFiles(table.table());
    this.ann = world.user("ann");
  }

  private String file(String owner, @Nullable Long expiresAt) {
    var media =
        new Media(
            Names.fresh(), owner, "image/png", 9, "f00d", "A cat", Instant.EPOCH, 3, 2, expiresAt);
    table.table().put(media, Condition.absent());
    return media.mediaId();
  }

  private String file() {
    return file(ann.id(), null);
  }

  private static ProfileChange of(Picture picture, @Nullable String mediaId) {
    return new ProfileChange(null, null, null, Map.of(picture, Optional.ofNullable(mediaId)));
  }

  private static ProfileOutcome shows(Users users, String userId, @Nullable String mediaId) {
    return users.change(userId, of(Picture.AVATAR, mediaId));
  }

  private ProfileOutcome shows(@Nullable String mediaId) {
    return shows(world.users, ann.id(), mediaId);
  }

  /** Checks that both rows agree, and that of some files the others are gone. */
  private void assertShows(@Nullable String shown, String... among) {
    assertThat(ann.account().shown(Picture.AVATAR).map(PostMedia::mediaId))
        .isEqualTo(Optional.ofNullable(shown));
    assertThat(Arrays.stream(among).filter(id -> files.get(id).isPresent()).toList())
        .isEqualTo(Arrays.stream(among).filter(id -> id.equals(shown)).toList());
    if (shown != null) {
      assertThat(files.get(shown).orElseThrow().shownAs()).isEqualTo(Picture.AVATAR);
    }
  }

  @Test
  void picture_isCopied_andReplaced_andRemoved() {
    var first = file();
    var second = file();

    assertThat(shows(first)).isEqualTo(new Changed(ann.account()));
    assertThat(ann.account().avatar())
        .isEqualTo(new PostMedia(first, "image/png", 9, 3, 2, "A cat"));
    assertThat(shows(second)).isInstanceOf(Changed.class);
    assertShows(second, first, second);
    assertThat(shows(null)).isInstanceOf(Changed.class);
    assertShows(null, first, second);
    assertThat(shows(null)).isInstanceOf(Changed.class);
    assertThat(shows(first)).as("a file that is gone").isEqualTo(new MediaNotUsable());
  }

  @Test
  void repeat_writesNothing() {
    var shown = file();
    shows(shown);

    var repeat = Observed.of(table, () -> shows(shown));

    assertThat(repeat.answer()).isEqualTo(new Changed(ann.account()));
    assertThat(repeat.cost().write()).isZero();
    assertShows(shown, shown);
  }

  @Test
  void bothPictures_withTheRestOfTheProfile_areOneChange() {
    var avatar = file();
    var banner = file();
    var handle = "p" + Names.fresh().substring(0, 10);

    world.users.change(
        ann.id(),
        new ProfileChange(
            handle,
            "Ann",
            "b",
            Map.of(Picture.AVATAR, Optional.of(avatar), Picture.BANNER, Optional.of(banner))));

    assertThat(ann.account().handle()).isEqualTo(handle);
    assertThat(ann.account().shown(Picture.BANNER).map(PostMedia::mediaId)).contains(banner);
    assertShows(avatar, avatar);
    var taken =
        world.users.change(
            ann.id(),
            new ProfileChange(
                world.user("bob").account().handle(),
                "X",
                null,
                Map.of(Picture.AVATAR, Optional.of(file()))));
    assertThat(taken).isInstanceOf(ProfileOutcome.HandleTaken.class);
    assertShows(avatar, avatar);
    assertThat(ann.account().displayName()).isEqualTo("Ann");
  }

  @Test
  void file_thatIsNotUsable_changesNothing() {
    var shown = file();
    shows(shown);
    var ofPost = file();
    files.post(ann.draft("x").showing(files.get(ofPost).flatMap(Media::copy).stream().toList()));
    var banner = file();
    world.users.change(ann.id(), of(Picture.BANNER, banner));
    var before = ann.account();

    for (var id :
        new String[] {
          ofPost, banner, file(ann.id(), 4_000_000_000L), file(world.user("bob").id(), null), "none"
        }) {
      assertThat(shows(id)).isEqualTo(new MediaNotUsable());
    }
    assertThat(ann.account()).isEqualTo(before);
    assertThat(files.delete(shown, ann.id())).isEqualTo(MediaDeletion.SHOWN);
    assertThat(files.post(ann.draft("x").showing(before.shown(Picture.AVATAR).stream().toList())))
        .isFalse();
    assertShows(shown, shown);
  }

  @Test
  void accountThatDoesNotExist_getsNoPicture() {
    var id = Names.fresh();

    assertThat(shows(world.users, id, file(id, null))).isEqualTo(new NotRegistered());
    assertThat(table.table().get(User.key(id))).isEmpty();
  }

  /** The claim of the file, the profile and the replaced file are one write. */
  @ParameterizedTest
  @EnumSource
  void change_interruptedAndRetried_isComplete(Side side) {
    var first = file();
    var second = file();
    shows(first);
    var point = new CrashPoint(1, side);
    var real = table.table();
    var users =
        new Users(new Table(WiredClient.of(table.client(), point), real.name(), real.retry()));

    assertThatThrownBy(() -> shows(users, ann.id(), second)).isNotNull();
    var interrupted = ann.account().shown(Picture.AVATAR).map(PostMedia::mediaId).orElseThrow();
    assertShows(interrupted, interrupted);
    point.restart();
    assertThat(shows(users, ann.id(), second)).isEqualTo(new Changed(ann.account()));

    assertThat(point.happened()).isTrue();
    assertShows(second, first, second);
  }

  /** All succeed one after the other, and only the file of the last one is left. */
  @Test
  void concurrentChanges_toManyFiles_leaveOne() {
    var users = new Users(FaultyTable.retrying(table.client(), table.table().name(), 200));
    var requested = IntStream.range(0, THREADS).mapToObj(_ -> file()).toArray(String[]::new);

    var outcomes = AtOnce.run(THREADS, i -> shows(users, ann.id(), requested[i]));

    assertThat(outcomes).allMatch(Changed.class::isInstance);
    assertShows(ann.account().shown(Picture.AVATAR).orElseThrow().mediaId(), requested);
  }

  @Test
  void concurrentUses_ofOneFile_areOne() {
    var users = new Users(FaultyTable.retrying(table.client(), table.table().name(), 200));
    var wanted = file();
    var copy = files.get(wanted).flatMap(Media::copy).stream().toList();

    var used =
        AtOnce.run(
            3,
            i ->
                switch (i) {
                  case 0 -> shows(users, ann.id(), wanted) instanceof Changed;
                  case 1 -> users.change(ann.id(), of(Picture.BANNER, wanted)) instanceof Changed;
                  default -> files.post(ann.draft("x").showing(copy));
                });

    assertThat(used).containsOnlyOnce(true);
  }

  /** A profile whose file is lost, which verify would find, can be given another one. */
  @Test
  void pictureWithoutItsFile_isReplaced() {
    var lost = file();
    shows(lost);
    table.table().deleteAll(List.of(Media.key(lost)));
    var second = file();

    assertThat(shows(second)).isInstanceOf(Changed.class);
    assertShows(second, second);
  }
}
