package social.feed.table.row;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.row.PostCleanUp.Cause;

/** Posts, their likes, and the work that their changes order. */
class PostTest {
  private static final Instant NOW = Instant.parse("2026-11-20T09:15:00.500Z");
  private static final Instant LATER = NOW.plusSeconds(60);
  private static final Key FRONT = new Key("POST#p", "META");

  private final Post plain = changed(null, null);

  @Test
  void post_thatNeverChanged_awaitsNoEffect() {
    assertThat(plain.awaitsReflection()).isFalse();
    assertThat(plain.awaitsReflectionSince(plain)).isFalse();
  }

  @Test
  void change_isAwaited_untilItsOwnEffectBegins() {
    assertThat(changed(1L, null).awaitsReflection()).isTrue();
    assertThat(changed(2L, 1L).awaitsReflection()).as("only the effect before").isTrue();
    assertThat(changed(2L, 2L).awaitsReflection()).isFalse();
  }

  @Test
  void changeSinceAnEarlierState_isLeftToItsEffect_whileThatIsToBegin() {
    assertThat(changed(1L, null).awaitsReflectionSince(plain)).isTrue();
    assertThat(changed(2L, 1L).awaitsReflectionSince(changed(1L, 1L))).isTrue();
    assertThat(changed(2L, 2L).awaitsReflectionSince(changed(1L, 1L))).as("begun").isFalse();
  }

  /** Its effect may have looked before the earlier state was written. */
  @Test
  void changeFromBeforeTheEarlierState_isLeftToNoEffect() {
    assertThat(changed(1L, null).awaitsReflectionSince(changed(1L, null))).isFalse();
    assertThat(changed(1L, null).awaitsReflectionSince(changed(2L, null))).isFalse();
  }

  @Test
  void post_showsTheFilesItWasGiven_andNothingElseChanges() {
    var cat = new PostMedia("m", "image/png", 9, 3, 1, "A cat");
    var dog = new PostMedia("n", "image/gif", 8, 2, 2, null);

    var showing = plain.showing(List.of(cat, dog));

    assertThat(plain.files()).isEmpty();
    assertThat(showing.files()).containsExactly(cat, dog);
    assertThat(showing.showing(List.of(dog)).files()).containsExactly(dog);
    assertThat(showing.showing(List.of())).isEqualTo(plain);
  }

  @Test
  void likesOfAPostWithFew_areInOnePartition() {
    var like = Like.of(plain, "bob", LATER);

    assertThat(plain.bucketsOfLikes()).isZero();
    assertThat(like).isEqualTo(new Like("p", "bob", "ann", LATER));
    assertThat(partition(like)).isEqualTo("POST#p#LIKES");
  }

  @Test
  void likesOfAPostWithMany_areInAllItsPartitions_andEachAccountsInOne() {
    var popular = post(16, null, null);

    var used =
        IntStream.range(0, 1_000)
            .mapToObj(i -> partition(Like.of(popular, "u" + i, LATER)))
            .collect(Collectors.toSet());

    assertThat(popular.bucketsOfLikes()).isEqualTo(16);
    assertThat(used)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 16).mapToObj(bucket -> Keys.likesOf("p", bucket)).toList());
    assertThat(partition(Like.of(popular, "bob", LATER.plusSeconds(1))))
        .isEqualTo(partition(Like.of(popular, "bob", LATER)));
  }

  @Test
  void event_ofAPost_isRememberedForThirtyDays() {
    assertThat(ProcessedEvent.ofPost("p", ProcessedEvent.DELETED, NOW))
        .isEqualTo(
            new ProcessedEvent("POST#p#deleted", NOW.plus(Duration.ofDays(30)).getEpochSecond()));
  }

  @Test
  void noteOfADelivery_saysThePostAsItWasThen() {
    var note = RecentDelivery.of(plain.ref(), LATER);

    assertThat(note.post()).isEqualTo(plain.ref());
    assertThat(note.expiresAt()).isEqualTo(LATER.plus(Duration.ofMinutes(65)).getEpochSecond());
    assertThat(note.key()).isEqualTo(new Key("USER#ann", "RECENT#2026-11-20T09:16#POST#p"));
  }

  @Test
  void order_ofAnotherTime_isNeverTakenForAnEarlierOne() {
    var order = PostCleanUp.of("p", 4, Cause.DELETED, FRONT, NOW);

    assertThat(order)
        .isEqualTo(
            new PostCleanUp("p", Cause.DELETED, 4, "POST#p", "META", NOW, NOW.toEpochMilli()));
    assertThat(order.position()).isEqualTo(FRONT);
    assertThat(PostCleanUp.of("p", 4, Cause.DELETED, FRONT, LATER).revision())
        .isGreaterThan(order.again(LATER).again(LATER).revision());
  }

  @Test
  void order_afterAPart_beginsBehindIt_inTheNextVersion() {
    var order = new PostCleanUp("p", Cause.HIDDEN, 4, "POST#p", "META", NOW, 7);
    var behind = new Key("FANOUT#p#1", "FEED#bob");

    var next = order.after(behind, LATER);

    assertThat(next)
        .isEqualTo(new PostCleanUp("p", Cause.HIDDEN, 4, "FANOUT#p#1", "FEED#bob", LATER, 8));
    assertThat(next.position()).isEqualTo(behind);
    assertThat(next.again(LATER.plusSeconds(1)))
        .isEqualTo(
            new PostCleanUp(
                "p", Cause.HIDDEN, 4, "FANOUT#p#1", "FEED#bob", LATER.plusSeconds(1), 9));
  }

  @Test
  void orderWithoutTheAccountOfItsPosition_beginsInFrontOfTheRowsOfThatKind() {
    for (var before : List.of("FEED#", "LIKE#", "TOLD#")) {
      var order = new PostCleanUp("p", Cause.NARROWED, 4, "FANOUT#p", before + "bob", NOW, 7);

      var without = order.withoutAccount(LATER);

      assertThat(order.referencedAccounts()).containsExactly("bob");
      assertThat(without)
          .isEqualTo(new PostCleanUp("p", Cause.NARROWED, 4, "FANOUT#p", before, LATER, 8));
      assertThat(without.referencedAccounts()).isEmpty();
    }
  }

  @Test
  void orderAtAPositionThatNamesNoAccount_keepsIt() {
    var order = new PostCleanUp("p", Cause.DELETED, 4, "POST#p", "COMMENT#c", NOW, 7);

    assertThat(order.referencedAccounts()).isEmpty();
    assertThat(order.withoutAccount(LATER)).isEqualTo(order.again(LATER));
  }

  @Test
  void recipientOfANotification_isTheOneOfItsKey_andAbsentInFrontOfAll() {
    var record = new PostNotification("p", "bob", "ann", NOW, 9);

    assertThat(PostNotification.readerAt(record.key())).isEqualTo("bob");
    assertThat(PostNotification.readerAt(new Key("FANOUT#p", Keys.POST_NOTIFICATIONS))).isNull();
  }

  private static String partition(Like like) {
    return requireNonNull(like.indexKeys().get(Index.POSTS_BY_AUTHOR)).partition();
  }

  private static Post changed(@Nullable Long changes, @Nullable Long reflected) {
    return post(null, changes, reflected);
  }

  private static Post post(
      @Nullable Integer likeBuckets, @Nullable Long changes, @Nullable Long reflected) {
    return new Post(
        "p",
        "ann",
        "Hi",
        List.of("sea"),
        List.of(),
        Visibility.PUBLIC,
        null,
        NOW,
        4,
        FanOutMode.PUSH,
        2,
        1,
        Map.of(),
        likeBuckets,
        changes,
        reflected,
        null);
  }
}
