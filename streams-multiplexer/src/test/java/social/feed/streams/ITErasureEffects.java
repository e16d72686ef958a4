package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import social.feed.streams.effect.EraseHandler.Erase;
import social.feed.streams.plan.Lane;
import social.feed.table.erasure.AccountReferences;
import social.feed.table.erasure.Eraser;
import social.feed.table.erasure.ErasureRequestOutcome;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.store.Concurrency;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.ErasureSweep;
import social.feed.table.row.Follow;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.IdempotencyRecord;
import social.feed.table.row.Key;
import social.feed.table.row.Mention;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.RowKind;
import social.feed.table.row.User;
import social.feed.table.user.Registration;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.fault.WiredClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** An erased account leaves nothing behind, and other accounts keep their data. */
class ITErasureEffects extends ErasureScenario {
  private Set<RowKind> kindsThatName(Person person) {
    return harness.rows().stream()
        .filter(row -> row.referencedAccounts().contains(person.id()))
        .map(Row::kind)
        .collect(Collectors.toSet());
  }

  /** An unfollow that is under way counts in it. */
  @Test
  void quota_stays_whileAnEdgeNeedsIt() {
    ann.follows(bob);
    var quota = harness.world.quotas.of(ann.id());
    var eraser = new Eraser(harness.table.table(), harness.table.clock(), Concurrency.ofThreads(1));

    eraser.erase(ann.id(), List.of(quota), false);
    assertThat(harness.world.quotas.of(ann.id())).isEqualTo(quota);

    ann.unfollows(bob);
    eraser.erase(ann.id(), List.of(harness.world.quotas.of(ann.id())), false);
    assertThat(harness.table.table().get(quota.key())).isEmpty();
  }

  /** No check corrects the number of an account without a profile. */
  @Test
  void quotaThatIsTooHigh_staysUntilASweepFindsNoEdge() {
    ann.follows(bob);
    var quota = harness.world.quotas.of(ann.id());
    var eraser = new Eraser(harness.table.table(), harness.table.clock(), Concurrency.ofThreads(1));

    eraser.erase(ann.id(), List.of(quota), true);
    assertThat(harness.table.table().get(quota.key())).isPresent();

    ann.unfollows(bob);
    harness.table.table().putAll(List.of(quota));
    eraser.erase(ann.id(), List.of(quota), false);
    assertThat(harness.table.table().get(quota.key())).isPresent();

    eraser.erase(ann.id(), List.of(quota), true);
    assertThat(harness.table.table().get(quota.key())).isEmpty();
  }

  /** All of them change its quota, so concurrent transactions would reject each other. */
  @Test
  void edgesFromOneAccount_endOneAfterTheOther() {
    for (int i = 0; i < 20; i++) {
      ann.follows(harness.world.user("followed" + i));
    }
    var edges = harness.rows().stream().filter(Follow.class::isInstance).toList();
    var transactions = new AtomicInteger();
    var table = harness.table.table();
    var counted =
        new Table(
            WiredClient.of(table.client(), counting(transactions)), table.name(), table.retry());

    new Eraser(counted, harness.table.clock(), Concurrency.ofThreads(16))
        .erase(ann.id(), edges, false);

    assertThat(harness.rows()).noneMatch(Follow.class::isInstance);
    assertThat(transactions).hasValue(edges.size());
  }

  private static Wire counting(AtomicInteger transactions) {
    return new Wire() {
      @Override
      public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
        if (request instanceof TransactWriteItemsRequest) {
          transactions.incrementAndGet();
        }
        return table.apply(request);
      }
    };
  }

  @Test
  void everyKindOfRowThatNamesAnAccount_exists_andIsGoneInTheEnd() {
    live();
    assertThat(kindsThatName(ann)).isEqualTo(naming());

    assertThat(erasures.begin(ann.id(), now())).isEqualTo(ErasureRequestOutcome.BEGUN);
    assertThat(harness.world.users.get(ann.id())).isEmpty();
    assertThat(harness.world.users.idOfHandle(ann.id().replace('-', '_'))).isEmpty();
    harness.drain();
    finish(ann);

    assertGone(ann);
    assertThat(harness.rows())
        .as("what others made of it stays")
        .anySatisfy(
            row ->
                assertThat(row)
                    .isInstanceOfSatisfying(
                        Post.class,
                        post -> {
                          assertThat(post.postId()).isEqualTo(bobs.postId());
                          assertThat(post.text()).isEqualTo(bobs.text());
                          assertThat(post.mentions())
                              .extracting(Mention::userId)
                              .containsExactly(cid.id());
                          assertThat(post.likesCount()).isEqualTo(1);
                          assertThat(post.commentsCount()).isZero();
                        }));
    assertThat(bob.account().followersCount()).isZero();
    assertThat(bob.account().postsCount()).isEqualTo(2);
    assertThat(harness.world.quotas.of(bob.id()).specials()).isEmpty();
    assertThat(harness.world.notifications.unreadCount(cid.id()))
        .as("caused by bob's post only")
        .isEqualTo(1);
  }

  /**
   * All kinds except those that name no accounts, and the orders of removals: the next part
   * replaces their names.
   */
  private static Set<RowKind> naming() {
    return EnumSet.complementOf(
        EnumSet.of(
            RowKind.TAG_TREND,
            RowKind.TAG_USES,
            RowKind.FAN_OUT_PLAN,
            RowKind.PULL_REVISION,
            RowKind.ERASURE,
            RowKind.ERASURE_ALARM,
            RowKind.ERASURE_SWEEP,
            RowKind.PENDING_ERASURE,
            RowKind.ERASURE_PACE,
            RowKind.WAITING_ERASURE,
            RowKind.POST_CLEAN_UP,
            RowKind.WEBHOOK,
            RowKind.WEBHOOK_DELIVERIES,
            RowKind.WEBHOOK_REGISTRY));
  }

  /**
   * Left are settings of others, bookkeeping that expires, and what an unfollow may write again.
   */
  @Test
  void keysAndIndexes_findEverythingVisible_andTheErasureWaitsForASweep() {
    live();
    erasures.begin(ann.id(), now());
    harness.drain();

    assertThat(erasure(ann).step()).isEqualTo(ErasureStep.RESTING);
    assertThat(erasure(ann).passes()).isZero();
    assertThat(kindsThatName(ann))
        .isSubsetOf(
            RowKind.MUTE,
            RowKind.KEPT_HISTORY,
            RowKind.ANNOUNCEMENT,
            RowKind.EFFECT_MARK,
            RowKind.IDEMPOTENCY_RECORD,
            RowKind.FAN_OUT_CHUNK,
            RowKind.ANNOUNCEMENT_PART,
            RowKind.FOLLOW_OPENING,
            RowKind.MEDIA_REMOVAL,
            RowKind.TOP_AUTHOR);
    assertThat(pending())
        .singleElement()
        .satisfies(
            waiting -> {
              assertThat(waiting.hash()).isEqualTo(Erasure.hash(ann.id()));
              assertThat(waiting.userId()).isEqualTo(ann.id());
              assertThat(waiting.sweep()).isZero();
            });
    assertThat(timers())
        .singleElement()
        .satisfies(
            timer -> {
              assertThat(timer.isOfSweep()).isTrue();
              assertThat(timer.expiresAt()).isLessThanOrEqualTo(now().getEpochSecond());
            });
  }

  @Test
  void concurrentWrites_areFoundByASweep() {
    live();
    erasures.begin(ann.id(), now());
    harness.drain();
    // Requests that had found the account before it was deleted.
    ann.likes(bobs);
    ann.comments(bobs, "late");
    ann.follows(cid);
    cid.follows(ann);
    cid.blocks(ann);
    bob.posts("again to @" + ann.id().replace('-', '_'));
    var late =
        new Notification(
            bob.id(),
            TimeOrderedId.named(now(), "late"),
            NotificationType.LIKE,
            ann.id(),
            bobs.postId(),
            now(),
            false,
            now().plusSeconds(99).getEpochSecond());
    harness.world.notifications.add(late);
    harness.drain();
    assertThat(naming(ann)).isNotEmpty();

    finish(ann);

    assertGone(ann);
  }

  @Test
  void replayedEvents_restoreNothing_thatASweepDoesNotFind() {
    live();
    erasures.begin(ann.id(), now());
    harness.drain();
    harness.replay(Lane.EFFECTS);
    harness.replay(Lane.COUNTS);

    finish(ann);

    assertGone(ann);
  }

  @Test
  void request_repeated_changesNothing_andTheIdIsNotFree() {
    var user = ann.account();
    erasures.begin(ann.id(), now());
    harness.drain();
    var rests = erasure(ann);

    assertThat(erasures.begin(ann.id(), now())).isEqualTo(ErasureRequestOutcome.BEGUN_BEFORE);
    assertThat(erasure(ann)).isEqualTo(rests);
    assertThat(harness.world.users.register(user)).isEqualTo(new Registration.Erased());
    finish(ann);
    assertThat(erasures.begin(ann.id(), now())).isEqualTo(ErasureRequestOutcome.BEGUN_BEFORE);
    assertThat(harness.world.users.register(user)).isEqualTo(new Registration.Erased());
    assertThat(erasures.begin("no-account", now())).isEqualTo(ErasureRequestOutcome.NOT_REGISTERED);
    assertThat(harness.world.users.idOfHandle(user.handle())).as("free at once").isEmpty();
  }

  @Test
  void handle_isFreeAtOnce_andItsNextOwnerKeepsIt() {
    var handle = ann.account().handle();
    erasures.begin(ann.id(), now());
    harness.world.users.register(User.registered("gus", handle, "Gus", null, now()));
    harness.drain();
    finish(ann);

    assertGone(ann);
    assertThat(harness.rows()).contains(new HandleClaim(handle, "gus"));
  }

  @Test
  void handle_thatAnotherAccountHasAlready_staysThere() {
    var handle = ann.account().handle();
    harness.table.table().putAll(List.of(new HandleClaim(handle, bob.id())));

    erasures.begin(ann.id(), now());

    assertThat(harness.world.users.get(ann.id())).isEmpty();
    assertThat(harness.world.users.idOfHandle(handle)).contains(bob.id());
  }

  /** Erasing an account removes its present claim itself; another one may remain after a repair. */
  @Test
  void strayHandleClaim_isRemovedToo() {
    harness
        .table
        .table()
        .putAll(List.of(new HandleClaim("stray_" + ann.account().handle(), ann.id())));
    erasures.begin(ann.id(), now());
    harness.drain();
    finish(ann);

    assertGone(ann);
  }

  @Test
  void smallParts_continueWhereTheyStopped() {
    live();
    harness.pause();
    erasures.begin(ann.id(), now());
    var small = small(ErasureSweeps.Settings.unpaced());
    var places = eraseUntilItRests(small, ann);
    assertThat(places).doesNotHaveDuplicates();
    assertThat(places.stream().filter(place -> place.getFirst().equals("WALK")))
        .hasSizeGreaterThan(2);

    harness.table.clock().advance(ErasureSweeps.MAX_PERIOD);
    wake();
    var positions = new ArrayList<Optional<Key>>();
    while (current().step() == ErasureSweep.Step.SCANNING) {
      positions.add(Optional.ofNullable(current().position()));
      order(small);
    }
    assertThat(positions).doesNotHaveDuplicates().hasSizeGreaterThan(2);
    harness.resume();
    harness.drain();
    finish(ann);
    assertGone(ann);
  }

  /** Each notification of a mention leads to a post, which is a row of the same part. */
  @Test
  void partOfTheWalk_hasNoMoreRowsThanOthers() {
    for (int i = 0; i < 2 * SMALL; i++) {
      bob.posts("again to @" + ann.account().handle());
    }
    harness.drain();
    harness.pause();
    var erasure = Stream.iterate(Erasure.of(ann.id(), now()), Erasure::done).skip(5).findFirst();
    var references = new AccountReferences(harness.table.table(), SMALL, Long.MAX_VALUE);
    var parts =
        Stream.iterate(
                Optional.of(references.next(erasure.orElseThrow(), now())),
                Optional::isPresent,
                part -> part.get().next().map(next -> references.next(next, now())))
            .map(part -> part.orElseThrow().rows())
            .toList();

    assertThat(parts).allSatisfy(rows -> assertThat(rows).hasSizeLessThanOrEqualTo(SMALL));
    assertThat(parts.stream().flatMap(List::stream).filter(Post.class::isInstance))
        .hasSize(2 * SMALL + 1);
  }

  @Test
  void replayedOrders_changeNothing() {
    erasures.begin(ann.id(), now());
    harness.drain();
    var rests = erasure(ann);

    harness.handlers.apply(
        List.of(
            new Erase(rests.hash(), rests.revision()),
            new Erase(rests.hash(), rests.revision() - 1)));

    assertThat(erasure(ann)).isEqualTo(rests);
  }

  /** The last sweep detects an incomplete erasure, whichever kind of row it leaves out. */
  @ParameterizedTest
  @MethodSource("erasedKinds")
  void erasureThatSkipsAKind_doesNotEnd_untilItIsRepaired(RowKind kind) {
    live();
    var skipped = naming(ann).stream().filter(row -> row.kind() == kind).map(Row::key).toList();
    assertThat(skipped).isNotEmpty();
    ignored.ignore(skipped);

    erasures.begin(ann.id(), now());
    harness.drain();
    finish(ann);

    assertThat(erasure(ann).step()).isEqualTo(ErasureStep.RESTING);
    assertThat(erasure(ann).passes()).isEqualTo(MAX_SWEEPS);
    assertThat(kindsThatName(ann)).contains(kind);
    ignored.repair();
    finish(ann);
    assertGone(ann);
  }

  /** Profile and handle go with the order to erase, in one transaction. */
  private static Set<RowKind> erasedKinds() {
    var kinds = naming();
    kinds.removeAll(EnumSet.of(RowKind.USER, RowKind.HANDLE_CLAIM));
    return kinds;
  }

  /** Any account may write the id as a word, and another account may own the handle by then. */
  @Test
  void idAsAWord_inStoredResponsesOfOthers_doesNotKeepAnErasureFromEnding() {
    erasures.begin(ann.id(), now());
    harness.drain();
    for (int sweep = 0; sweep < MAX_SWEEPS && erasure(ann).step() != ErasureStep.ERASED; sweep++) {
      var body =
          "{\"id\":\"p\",\"author\":{\"id\":\"bob\",\"handle\":\"ID\"},\"text\":\"ID\",\"tags\":[\"ID\"]}"
              .replace("ID", ann.id());
      var quoted = "{\"text\":\"\\\"id\\\":\\\"ID\\\"\"}".replace("ID", ann.id());
      var later = now().plus(ErasureSweeps.MAX_PERIOD.multipliedBy(2)).getEpochSecond();
      harness
          .table
          .table()
          .putAll(
              List.of(
                  new IdempotencyRecord(bob.id(), "k" + sweep, "print", "p", 201, body, later),
                  new IdempotencyRecord(bob.id(), "q" + sweep, "print", "p", 201, quoted, later)));
      harness.drain();
      sweep();
    }

    assertThat(erasure(ann).step()).isEqualTo(ErasureStep.ERASED);
  }

  @Test
  void unreadableItem_keepsAnErasureFromEnding() {
    var post = bob.posts("x");
    var like = ann.likes(post);
    harness.drain();
    harness.unset(like.key(), Follow.CREATED_AT);
    harness.drain();
    erasures.begin(ann.id(), now());
    harness.drain();
    sweep();
    sweep();
    assertThat(erasure(ann).step()).isEqualTo(ErasureStep.RESTING);

    harness.table.table().deleteAll(List.of(like.key()));
    harness.drain();
    finish(ann);
    assertThat(erasure(ann).step()).isEqualTo(ErasureStep.ERASED);
  }
}
