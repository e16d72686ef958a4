package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.row.User;
import social.feed.table.user.Registration.AlreadyRegistered;
import social.feed.table.user.Registration.HandleTaken;
import social.feed.table.user.Registration.Registered;
import social.feed.table.user.Users;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.TestTable;

/** An account and its handle are created together, once, or not at all. */
@ExtendWith(EngineExtension.class)
class ITRegistration {
  private static final int THREADS = 16;

  @Test
  void register_newAccount_hasRowAndHandle(TestTable table) {
    var users = new Users(table.table());
    var alice = user("Ann_" + Names.fresh());

    assertThat(users.register(alice)).isEqualTo(new Registered(alice));
    assertThat(users.get(alice.userId())).contains(alice);
    assertThat(users.idOfHandle(alice.handle().toUpperCase(Locale.ROOT))).contains(alice.userId());
  }

  @Test
  void register_repeat_returnsTheFirstAccount(TestTable table) {
    var users = new Users(table.table());
    var alice = user("ann_" + Names.fresh());
    users.register(alice);
    var again =
        User.registered(alice.userId(), "other_" + Names.fresh(), "Other", "x", ListContract.FIRST);

    assertThat(users.register(alice)).isEqualTo(new AlreadyRegistered(alice));
    assertThat(users.register(again)).isEqualTo(new AlreadyRegistered(alice));
    assertThat(users.idOfHandle(again.handle())).isEmpty();
  }

  @Test
  void register_handleOfAnotherInOtherCase_writesNothing(TestTable table) {
    var users = new Users(table.table());
    var alice = user("Ann_" + Names.fresh());
    users.register(alice);
    var bob = user(alice.handle().toUpperCase(Locale.ROOT));

    assertThat(users.register(bob)).isEqualTo(new HandleTaken(bob.handle()));
    assertThat(users.get(bob.userId())).isEmpty();
    assertThat(users.idOfHandle(bob.handle())).contains(alice.userId());
  }

  @Test
  void register_oneHandleManyTimesConcurrently_succeedsForOne(TestTable table) {
    var users = new Users(FaultyTable.retrying(table.client(), table.table().name(), 100));
    var handle = "h_" + Names.fresh();
    var candidates = IntStream.range(0, THREADS).mapToObj(_ -> user(handle)).toList();

    var outcomes = AtOnce.run(THREADS, i -> users.register(candidates.get(i)));

    assertThat(outcomes).filteredOn(Registered.class::isInstance).hasSize(1);
    assertThat(outcomes).filteredOn(HandleTaken.class::isInstance).hasSize(THREADS - 1);
    var accounts = candidates.stream().flatMap(u -> users.get(u.userId()).stream()).toList();
    assertThat(accounts).hasSize(1);
    assertThat(users.idOfHandle(handle)).contains(accounts.getFirst().userId());
  }

  @Test
  void register_oneAccountManyTimesConcurrently_isRegisteredOnce(TestTable table) {
    var users = new Users(FaultyTable.retrying(table.client(), table.table().name(), 100));
    var alice = user("ann_" + Names.fresh());

    var outcomes = AtOnce.run(THREADS, _ -> users.register(alice));

    assertThat(outcomes).filteredOn(Registered.class::isInstance).hasSize(1);
    assertThat(outcomes).filteredOn(AlreadyRegistered.class::isInstance).hasSize(THREADS - 1);
  }

  @Test
  void register_inConflictWithATransaction_retries(TestTable table) {
    var alice = user("ann_" + Names.fresh());
    try (var faulty = FaultyTable.of(table, new Cancelled(Cancelled.CONFLICT, 2))) {
      assertThat(new Users(faulty.table()).register(alice)).isEqualTo(new Registered(alice));
    }
  }

  @Test
  void register_inEndlessConflict_isThrottled(TestTable table) {
    try (var faulty = FaultyTable.of(table, new Cancelled(Cancelled.CONFLICT, 99))) {
      var users = new Users(faulty.table());
      var alice = user("ann_" + Names.fresh());

      assertThatExceptionOfType(ThrottledException.class).isThrownBy(() -> users.register(alice));
    }
  }

  @Test
  void register_invalidWrite_isNotReportedAsThrottling(TestTable table) {
    try (var faulty = FaultyTable.of(table, new Cancelled(Cancelled.INVALID, 99))) {
      var users = new Users(faulty.table());
      var alice = user("ann_" + Names.fresh());

      assertThatIllegalStateException().isThrownBy(() -> users.register(alice));
    }
  }

  private static User user(String handle) {
    return User.registered(Names.fresh(), handle, "Ann", null, ListContract.FIRST);
  }
}
