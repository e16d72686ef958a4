package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.row.User;
import social.feed.table.user.ProfileChange;
import social.feed.table.user.ProfileOutcome;
import social.feed.table.user.ProfileOutcome.Changed;
import social.feed.table.user.ProfileOutcome.HandleTaken;
import social.feed.table.user.Users;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.TestTable;
import social.feed.testkit.fault.CrashPoint;
import social.feed.testkit.fault.CrashPoint.Side;
import social.feed.testkit.fault.WiredClient;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** At any time a handle belongs to one account, and an account has one handle. */
@ExtendWith(EngineExtension.class)
class ITHandleChange {
  private static final int THREADS = 12;

  @Test
  void change_ofHandle_releasesTheOldOne(TestTable table, SeedWorld world) {
    var ann = world.user("ann");
    var before = ann.account();
    var handle = fresh();

    var observed =
        Observed.of(
            table, () -> world.users.change(ann.id(), new ProfileChange(handle, "Ann", "")));

    assertThat(observed.answer()).isEqualTo(new Changed(ann.account()));
    assertThat(ann.account())
        .extracting(User::handle, User::displayName, User::bio, User::createdAt)
        .containsExactly(handle, "Ann", null, before.createdAt());
    assertThat(world.users.idOfHandle(handle.toUpperCase(Locale.ROOT))).contains(ann.id());
    assertThat(world.users.idOfHandle(before.handle())).isEmpty();
    assertThat(observed.requests())
        .filteredOn(TransactWriteItemsRequest.class::isInstance)
        .singleElement()
        .extracting(request -> ((TransactWriteItemsRequest) request).transactItems().size())
        .isEqualTo(3);
    assertThat(observed.cost().read()).isEqualTo(2);
  }

  @Test
  void change_ofCase_keepsTheClaim(TestTable table, SeedWorld world) {
    var ann = world.user("ann");
    var louder = ann.account().handle().toUpperCase(Locale.ROOT);

    assertThat(rename(world.users, ann.id(), louder)).isInstanceOf(Changed.class);
    assertThat(ann.account().handle()).isEqualTo(louder);
    assertThat(world.users.claims(List.of(louder)))
        .singleElement()
        .satisfies(
            claim -> {
              assertThat(claim.handle()).isEqualTo(louder);
              assertThat(claim.userId()).isEqualTo(ann.id());
            });
  }

  @Test
  void change_toTheSameHandle_changesOnlyTheRest(TestTable table, SeedWorld world) {
    var ann = world.user("ann");
    var handle = ann.account().handle();

    var observed =
        Observed.of(
            table, () -> world.users.change(ann.id(), new ProfileChange(handle, "A", null)));

    assertThat(ann.account().displayName()).isEqualTo("A");
    assertThat(world.users.idOfHandle(handle)).contains(ann.id());
    assertThat(observed.requests()).noneMatch(TransactWriteItemsRequest.class::isInstance);
  }

  @Test
  void change_toAnothersHandle_changesNothing(SeedWorld world) {
    var ann = world.user("ann");
    var bob = world.user("bob").account();
    var before = ann.account();
    var requested = bob.handle().toUpperCase(Locale.ROOT);

    assertThat(world.users.change(ann.id(), new ProfileChange(requested, "X", "X")))
        .isEqualTo(new HandleTaken(requested));
    assertThat(ann.account()).isEqualTo(before);
    assertThat(world.users.idOfHandle(requested)).contains(bob.userId());
  }

  @Test
  void concurrentChanges_ofManyAccountsToOneHandle_succeedForOne(TestTable table, SeedWorld world) {
    var users = retrying(table);
    var people = IntStream.range(0, THREADS).mapToObj(i -> world.user("x" + i)).toList();
    var handle = fresh();

    var outcomes = AtOnce.run(THREADS, i -> rename(users, people.get(i).id(), handle));

    assertThat(outcomes).filteredOn(Changed.class::isInstance).hasSize(1);
    assertThat(outcomes).filteredOn(HandleTaken.class::isInstance).hasSize(THREADS - 1);
    people.forEach(person -> assertOneHandle(world, person.id()));
  }

  @Test
  void concurrentChanges_ofOneAccountToManyHandles_leaveOne(TestTable table, SeedWorld world) {
    var users = retrying(table);
    var ann = world.user("ann");
    var first = ann.account().handle();
    var requested = Stream.generate(ITHandleChange::fresh).limit(THREADS).toList();

    var outcomes = AtOnce.run(THREADS, i -> rename(users, ann.id(), requested.get(i)));

    assertThat(outcomes).allMatch(Changed.class::isInstance);
    assertOneHandle(world, ann.id());
    assertThat(world.users.claims(requested)).hasSize(1);
    assertThat(world.users.idOfHandle(first)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void change_interruptedAndRetried_isComplete(Side side, TestTable table, SeedWorld world) {
    var ann = world.user("ann");
    var first = ann.account().handle();
    var handle = fresh();
    var point = new CrashPoint(1, side);
    var real = table.table();
    var users =
        new Users(new Table(WiredClient.of(table.client(), point), real.name(), real.retry()));

    assertThat(failure(() -> rename(users, ann.id(), handle))).isNotNull();
    point.restart();
    assertThat(rename(users, ann.id(), handle)).isEqualTo(new Changed(ann.account()));
    assertOneHandle(world, ann.id());
    assertThat(world.users.idOfHandle(first)).isEmpty();
  }

  @Test
  void change_inConflictWithATransaction_isRetried(TestTable table, SeedWorld world) {
    var ann = world.user("ann");
    try (var faulty = FaultyTable.of(table, new Cancelled(Cancelled.CONFLICT, 2))) {
      assertThat(rename(new Users(faulty.table()), ann.id(), fresh())).isInstanceOf(Changed.class);
    }
    try (var faulty =
        FaultyTable.of(table, new Cancelled(Cancelled.CONFLICT, FaultyTable.ATTEMPTS))) {
      assertThatExceptionOfType(ThrottledException.class)
          .isThrownBy(() -> rename(new Users(faulty.table()), ann.id(), fresh()));
    }
    assertOneHandle(world, ann.id());
  }

  private static ProfileOutcome rename(Users users, String userId, String handle) {
    return users.change(userId, new ProfileChange(handle, null, null));
  }

  private static void assertOneHandle(SeedWorld world, String userId) {
    var handle = world.users.get(userId).orElseThrow().handle();
    assertThat(world.users.claims(List.of(handle)))
        .singleElement()
        .satisfies(
            claim -> {
              assertThat(claim.userId()).isEqualTo(userId);
              assertThat(claim.handle()).isEqualTo(handle);
            });
  }

  /** Returns a store with enough retries for many concurrent changes. */
  private static Users retrying(TestTable table) {
    return new Users(FaultyTable.retrying(table.client(), table.table().name(), 200));
  }

  private static @Nullable Throwable failure(Runnable call) {
    try {
      call.run();
      return null;
    } catch (CrashPoint.Crash | RuntimeException e) {
      return e;
    }
  }

  private static String fresh() {
    return "h_" + Names.fresh();
  }
}
