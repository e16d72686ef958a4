package social.feed.table.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Follows, blocks, mutes, and what depends on them. */
class GraphRowsTest {
  private static final Instant NOW = Instant.parse("2026-11-20T09:15:00Z");

  @Test
  void fedSince_isTheEarlierOfFollowAndBackfill() {
    var edge = Follow.of("bob", "ann", NOW);

    assertThat(edge.fedSince()).isEqualTo(NOW);
    assertThat(since(NOW.minusSeconds(9)).fedSince()).isEqualTo(NOW.minusSeconds(9));
    assertThat(since(NOW.plusSeconds(9)).fedSince()).isEqualTo(NOW);
    assertThat(edge.silent()).isFalse();
    assertThat(Follow.imported("bob", "ann", NOW))
        .isEqualTo(new Follow("bob", "ann", NOW, null, null, true, null));
  }

  @Test
  void edge_toACelebrity_isSilent() {
    var ann = User.registered("ann", "ann", "Ann", null, NOW);
    var famous = new User("ann", "ann", "Ann", null, NOW, 10_000, 0, 0, 0, true, 1, Map.of());

    assertThat(Follow.requested("bob", ann, NOW)).isEqualTo(Follow.of("bob", "ann", NOW));
    assertThat(Follow.requested("bob", famous, NOW)).isEqualTo(Follow.imported("bob", "ann", NOW));
  }

  private static Follow since(Instant feedSince) {
    return new Follow("bob", "ann", NOW, feedSince, null, false, null);
  }

  @Test
  void block_andItsMirror_nameTheOtherAccount_andNeverEnd() {
    var block = new Block("ann", "bob", NOW);

    assertThat(block.mirrored()).isEqualTo(new BlockedBy("bob", "ann", NOW));
    assertThat(block.mirrored().mirrored()).isEqualTo(block);
    assertThat(block.otherId()).isEqualTo("bob");
    assertThat(block.mirrored().otherId()).isEqualTo("ann");
    assertThat(List.of(block, block.mirrored())).allMatch(it -> it.isInForceAt(Instant.MAX));
  }

  @Test
  void mute_isInForceUntilItsEnd() {
    var end = NOW.plusSeconds(60);
    var mute = Mute.of("ann", "bob", NOW, end);

    assertThat(mute.isInForceAt(end.minusMillis(1))).isTrue();
    assertThat(mute.isInForceAt(end)).isFalse();
    assertThat(Mute.of("ann", "bob", NOW, null).isInForceAt(Instant.MAX)).isTrue();
    assertThat(Mute.of("ann", "bob", NOW, null).expiresAt()).isNull();
    assertThat(mute.expiresAt()).isGreaterThan(end.getEpochSecond());
    assertThat(mute.otherId()).isEqualTo("bob");
  }

  @Test
  void retainedPosts_coverPostsUntilTheEnd() {
    var kept = new RetainedPosts("bob", "ann", NOW, NOW.plusSeconds(9));

    assertThat(kept.covers(NOW.plusSeconds(9))).isTrue();
    assertThat(kept.covers(NOW.plusMillis(9_001))).isFalse();
  }

  @Test
  void unmarking_removesTheNamedAccountOnly() {
    var quota = FollowQuota.none("u").marking("a").marking("b").marking("a");

    assertThat(quota.specials()).containsExactly("a", "b");
    assertThat(quota.unmarking("a").specials()).containsExactly("b");
    assertThat(quota.unmarking("c").specials()).containsExactly("a", "b");
    assertThat(FollowQuota.none("u").specials()).isEmpty();
  }

  @Test
  void respondedIds_areTheIdsOfTheResponse_andNoneOfATextInIt() {
    var record =
        new IdempotencyRecord(
            "u",
            "k",
            "f",
            "r",
            201,
            "{\"id\":\"p\",\"author\":{\"id\":\"a\"},\"text\":\"\\\"id\\\":\\\"x\"}",
            9);

    assertThat(record.respondedIds()).isEqualTo(Set.of("p", "a"));
    assertThat(record.answering(204, ""))
        .isEqualTo(new IdempotencyRecord("u", "k", "f", "r", 204, "", 9));
  }

  @Test
  void processedEvent_namesTheAccountsOfItsName() {
    var event = new ProcessedEvent("left-USER#ann#META", 9);

    assertThat(event.referencedAccounts()).containsExactly("ann");
    assertThat(ProcessedEvent.nameOfPost("p", ProcessedEvent.CREATED)).isEqualTo("POST#p#created");
    assertThat(new Fence("POST#p", "f", true, true, 0, Map.of(), 9).event())
        .isEqualTo("POST#p#Z#FENCE#f");
  }

  /** A retry must replace the notification, not add another. */
  @Test
  void notification_ofAPost_isTheSameForTheSameReaderAndPost() {
    var record = new PostNotification("p", "bob", "ann", NOW, 9);

    assertThat(record.notification())
        .isEqualTo(new PostNotification("p", "bob", "ann", NOW, 9).notification());
    assertThat(record.notification().notificationId())
        .isNotEqualTo(
            new PostNotification("q", "bob", "ann", NOW, 9).notification().notificationId());
    assertThat(record.notification())
        .returns("bob", Notification::userId)
        .returns("ann", Notification::actorId)
        .returns("p", Notification::postId)
        .returns(NotificationType.POST, Notification::type)
        .returns(false, Notification::read);
  }

  @Test
  void pulledAuthor_coversItsPeriod_withBothEnds() {
    var celebrity = PulledAuthor.from("ann", NOW);
    var ended = new PulledAuthor("ann", NOW, NOW.plusSeconds(9), 2, 1, 3);

    assertThat(celebrity.covers(NOW)).isTrue();
    assertThat(celebrity.covers(NOW.minusMillis(1))).isFalse();
    assertThat(celebrity.covers(Instant.MAX)).isTrue();
    assertThat(ended.covers(NOW.plusSeconds(9))).isTrue();
    assertThat(ended.covers(NOW.plusSeconds(10))).isFalse();
  }

  @Test
  void pulledAuthor_changesOnePartAtATime() {
    var author = new PulledAuthor("ann", NOW, null, 2, 1, 3);

    assertThat(author.notBefore(NOW.plusSeconds(1)).pullFrom()).isEqualTo(NOW.plusSeconds(1));
    assertThat(author.notBefore(NOW.minusSeconds(1))).isEqualTo(author);
    assertThat(author.published(2)).isEqualTo(new PulledAuthor("ann", NOW, null, 2, 2, 3));
    assertThat(author.published(0)).isEqualTo(author);
    assertThat(author.next()).isEqualTo(new PulledAuthor("ann", NOW, null, 2, 1, 4));
    assertThat(author.isPulledLike(author.next())).isTrue();
    assertThat(author.isPulledLike(author.notBefore(NOW.plusSeconds(1)))).isFalse();
    assertThat(author.isPulledLike(author.flipped(false, 3, NOW))).isFalse();
    assertThat(author.covering(NOW.minusSeconds(5)).pullFrom()).isEqualTo(NOW.minusSeconds(5));
  }
}
