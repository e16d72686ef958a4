package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.media.MediaDeletion;
import social.feed.table.media.MediaFiles;
import social.feed.table.media.MediaOutcome;
import social.feed.table.media.MediaQuota;
import social.feed.table.row.Media;
import social.feed.table.row.Post;
import social.feed.table.row.PostMedia;
import social.feed.table.row.User;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.TestTable;

/** Rows of files and the quota of their account. */
@ExtendWith(EngineExtension.class)
class ITMediaFiles {
  private static final MediaQuota QUOTA = new MediaQuota(3, 100);

  private final TestTable table;
  private final SeedWorld world;
  private final MediaFiles files;
  private final Person author;
  private final String owner;

  ITMediaFiles(TestTable table, SeedWorld world) {
    this.table = table;
    this.files = new MediaFiles(table.table());
    this.world = world;
    this.author = world.user("owner");
    this.owner = author.id();
  }

  private Media media(long bytes) {
    return new Media(
        Names.fresh(), owner, "image/png", bytes, "f00d", null, Instant.EPOCH, null, null, 9L);
  }

  private MediaOutcome reserve(long bytes) {
    return files.reserve(media(bytes), QUOTA);
  }

  private long number(String attribute) {
    var item = table.table().get(User.key(owner)).orElseThrow();
    return Long.parseLong(Objects.requireNonNull(item.get(attribute)).n());
  }

  @Test
  void reserve_moreBytesThanTheQuota_isRefused() {
    assertThat(reserve(101)).isEqualTo(MediaOutcome.OVER_QUOTA);
    assertThat(reserve(60)).isEqualTo(MediaOutcome.RESERVED);
    assertThat(reserve(41)).isEqualTo(MediaOutcome.OVER_QUOTA);
    assertThat(reserve(40)).isEqualTo(MediaOutcome.RESERVED);
    assertThat(number(User.MEDIA_BYTES)).isEqualTo(100);
  }

  @Test
  void reserve_concurrently_keepsTheNumber() {
    var outcomes = IntStream.range(0, 8).parallel().mapToObj(_ -> reserve(1)).toList();

    assertThat(outcomes).filteredOn(MediaOutcome.RESERVED::equals).hasSize(3);
    assertThat(number(User.MEDIA_COUNT)).isEqualTo(3);
  }

  @Test
  void reserve_withoutAccount_isRefused() {
    var media =
        new Media("m1", "absent", "image/png", 1, "f00d", null, Instant.EPOCH, null, null, 9L);

    assertThat(files.reserve(media, QUOTA)).isEqualTo(MediaOutcome.NO_ACCOUNT);
    assertThat(files.get("m1")).isEmpty();
  }

  @Test
  void release_twice_subtractsOnce() {
    var media = media(60);
    files.reserve(media, QUOTA);
    files.reserve(media(30), QUOTA);

    files.release(media, table.clock());
    files.release(media, table.clock());

    assertThat(number(User.MEDIA_COUNT)).isEqualTo(1);
    assertThat(number(User.MEDIA_BYTES)).isEqualTo(30);
  }

  /** The file was of an earlier owner of the id. A failure would come again with each repeat. */
  @Test
  void release_toAnAccountWithoutNumbers_changesNothing() {
    files.release(media(60), table.clock());

    assertThat(table.table().get(User.key(owner)).orElseThrow())
        .doesNotContainKeys(User.MEDIA_COUNT, User.MEDIA_BYTES);
  }

  @Test
  void complete_ofADeletedFile_doesNotCreateIt() {
    var media = media(1);
    files.reserve(media, QUOTA);
    assertThat(files.delete(media.mediaId(), "another")).isEqualTo(MediaDeletion.ABSENT);
    assertThat(files.delete(media.mediaId(), owner)).isEqualTo(MediaDeletion.DELETED);

    assertThat(files.complete(media, 3, 2)).isEmpty();
    assertThat(files.describe(media, "x")).isEmpty();
    assertThat(files.get(media.mediaId())).isEmpty();
  }

  private PostMedia complete(String mediaId) {
    var pending = files.get(mediaId).orElseThrow();
    return files.complete(pending, 3, 2).flatMap(Media::copy).orElseThrow();
  }

  private Media announced() {
    var media = media(1);
    assertThat(files.reserve(media, QUOTA)).isEqualTo(MediaOutcome.RESERVED);
    return media;
  }

  private Post postOf(PostMedia... media) {
    return author.draft("x").showing(List.of(media));
  }

  private boolean exists(Post post) {
    return table.table().get(post.key()).isPresent();
  }

  @Test
  void post_takesItsFiles_andNoOtherPostDoes() {
    var one = complete(announced().mediaId());
    var two = complete(announced().mediaId());
    var first = postOf(one, two);
    assertThat(files.post(first)).isTrue();
    assertThat(files.get(one.mediaId()).orElseThrow().postId()).isEqualTo(first.postId());

    var second = postOf(complete(announced().mediaId()), two);
    assertThat(files.post(second)).isFalse();

    assertThat(exists(first)).isTrue();
    assertThat(exists(second)).isFalse();
    assertThat(files.get(second.files().getFirst().mediaId()).orElseThrow().postId()).isNull();
    assertThat(files.delete(one.mediaId(), owner)).isEqualTo(MediaDeletion.SHOWN);
    assertThat(files.delete(one.mediaId(), "other")).isEqualTo(MediaDeletion.ABSENT);
    assertThat(files.delete(second.files().getFirst().mediaId(), owner))
        .isEqualTo(MediaDeletion.DELETED);
  }

  @Test
  void post_ofAFileThatIsPendingOrOfAnotherAccountOrGone_isNotWritten() {
    var pending = announced();
    var copy = new PostMedia(pending.mediaId(), "image/png", 1, 3, 2, null);
    assertThat(files.post(postOf(copy))).isFalse();

    var complete = complete(pending.mediaId());
    var ofOther = world.user("other").draft("x").showing(List.of(complete));
    assertThat(files.post(ofOther)).isFalse();
    assertThat(exists(ofOther)).isFalse();

    files.delete(pending.mediaId(), owner);
    assertThat(files.post(postOf(complete))).isFalse();
    assertThat(files.get(pending.mediaId())).as("no row appears").isEmpty();
  }

  @Test
  void filesOfADeletedPost_areDeleted_andNoOthers() {
    var shown = complete(announced().mediaId());
    var other = complete(announced().mediaId());
    var post = postOf(shown);
    files.post(post);
    var elsewhere = postOf(other);
    files.post(elsewhere);

    files.deleteOf(postOf(other));
    files.deleteOf(post);
    files.deleteOf(post);

    assertThat(files.get(shown.mediaId())).isEmpty();
    assertThat(files.get(other.mediaId()).orElseThrow().postId()).isEqualTo(elsewhere.postId());
  }
}
