package social.feed.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.table.erasure.ErasureRequestOutcome;
import social.feed.table.erasure.Erasures;
import social.feed.table.kernel.idempotency.IdempotencyRecords;
import social.feed.table.kernel.idempotency.Recording;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Erasure;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.IdempotencyRecord;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import social.feed.table.user.ProfileChange;
import social.feed.table.user.ProfileOutcome;
import social.feed.table.user.Registration;
import social.feed.table.user.Users;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.fault.CrashPoint;
import social.feed.testkit.fault.CrashPoint.Side;
import social.feed.testkit.fault.Hook;
import social.feed.testkit.fault.SplitTransactions;
import social.feed.testkit.fault.Unconditional;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.simulation.StreamedTable;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/**
 * Single races of registrations, changes of handles, erasures and requests with an idempotency key,
 * each at the one call that matters. A sound run is compared with everything that the table holds.
 * Each test also runs with its bug planted, and must find it.
 */
class ITStoreRaces {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  private static final String ANN = "ann-id";
  private static final String BOB = "bob-id";
  private static final String CARL = "carl-id";
  private static final String FIRST = "first";
  private static final String FIRST_IN_CAPITALS = "FIRST";
  private static final String SECOND = "second";
  private static final String THIRD = "third";
  private static final String REQUEST = "request";
  private static final Predicate<Key> EVERYTHING = _ -> true;

  @Test
  void registration_ofAHandleThatAnotherTakesMeanwhile_isRefused() {
    var sound = registrationOfATakenHandle(Wire.SOUND);
    assertThat(sound.answer).isEqualTo(new Registration.HandleTaken(FIRST_IN_CAPITALS));
    sound.assertRows(account(BOB, FIRST), new HandleClaim(FIRST, BOB));

    assertThat(registrationOfATakenHandle(new Unconditional(HandleClaim.key(FIRST)::equals)).faults)
        .containsExactly("bob-id has first without its claim");
  }

  private Outcome registrationOfATakenHandle(Wire bug) {
    try (var world = new World()) {
      var hook = new Hook(ITStoreRaces::isTransaction, () -> world.register(BOB, FIRST));
      return world.after(users(world, bug.over(hook)).register(account(ANN, FIRST_IN_CAPITALS)));
    }
  }

  @Test
  void registration_ofAnAccountThatRegistersMeanwhile_keepsTheFirstHandle() {
    var sound = registrationOfARegisteredAccount(Wire.SOUND);
    assertThat(sound.answer).isEqualTo(new Registration.AlreadyRegistered(account(ANN, FIRST)));
    sound.assertRows(account(ANN, FIRST), new HandleClaim(FIRST, ANN));

    assertThat(registrationOfARegisteredAccount(new Unconditional(User.key(ANN)::equals)).faults)
        .containsExactly("The claim of first is not the handle of ann-id");
  }

  private Outcome registrationOfARegisteredAccount(Wire bug) {
    try (var world = new World()) {
      var hook = new Hook(ITStoreRaces::isTransaction, () -> world.register(ANN, FIRST));
      return world.after(users(world, bug.over(hook)).register(account(ANN, SECOND)));
    }
  }

  @Test
  void registration_ofAnAccountWhoseErasureBeginsMeanwhile_isRefused() {
    var sound = registrationOfAnErasedAccount(Wire.SOUND);
    assertThat(sound.answer).isEqualTo(new Registration.Erased());
    sound.assertRows(Erasure.of(ANN, START));

    assertThat(registrationOfAnErasedAccount(new Unconditional(Erasure.key(ANN)::equals)).faults)
        .containsExactly("ann-id is erased and has an account");
  }

  private Outcome registrationOfAnErasedAccount(Wire bug) {
    try (var world = new World()) {
      world.register(ANN, FIRST);
      var hook = new Hook(ITStoreRaces::isTransaction, () -> world.erase(ANN));
      return world.after(users(world, bug.over(hook)).register(account(ANN, FIRST)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void registration_cutOffAndRepeated_isComplete(Side side) {
    cutRegistration(new CrashPoint(1, side), Wire.SOUND)
        .assertRows(account(ANN, FIRST), new HandleClaim(FIRST, ANN));
  }

  @Test
  void registration_inSeveralWrites_isFoundOut() {
    var cutAfterTheAccount = new CrashPoint(1, Side.AFTER);
    assertThat(cutRegistration(cutAfterTheAccount, new SplitTransactions(false)).faults)
        .containsExactly("ann-id has first without its claim");
    var cutAfterTheClaim = new CrashPoint(2, Side.AFTER);
    assertThat(cutRegistration(cutAfterTheClaim, new SplitTransactions(true)).faults)
        .containsExactly("The claim of first is not the handle of ann-id");
  }

  private Outcome cutRegistration(CrashPoint cut, Wire bug) {
    try (var world = new World()) {
      var users = users(world, bug.over(cut));
      assertThat(isCutOff(cut, () -> users.register(account(ANN, FIRST)))).isTrue();
      cut.restart();
      return world.after(users.register(account(ANN, FIRST)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void rename_toAHandleThatAnotherTakesMeanwhile_isRefused(Taking other) {
    var sound = renameToATakenHandle(other, Wire.SOUND);
    assertThat(sound.answer).isEqualTo(new ProfileOutcome.HandleTaken(SECOND));
    sound.assertRows(
        account(ANN, FIRST),
        new HandleClaim(FIRST, ANN),
        account(BOB, SECOND),
        new HandleClaim(SECOND, BOB));

    var bug = new Unconditional(HandleClaim.key(SECOND)::equals);
    assertThat(renameToATakenHandle(other, bug).faults)
        .containsExactly("bob-id has second without its claim");
  }

  /** How another account takes a handle. */
  private enum Taking {
    REGISTRATION {
      @Override
      void prepare(World world) {}

      @Override
      void take(World world) {
        world.register(BOB, SECOND);
      }
    },
    RENAME {
      @Override
      void prepare(World world) {
        world.register(BOB, THIRD);
      }

      @Override
      void take(World world) {
        world.rename(BOB, SECOND);
      }
    };

    abstract void prepare(World world);

    abstract void take(World world);
  }

  private Outcome renameToATakenHandle(Taking other, Wire bug) {
    try (var world = new World()) {
      world.register(ANN, FIRST);
      other.prepare(world);
      var hook = new Hook(ITStoreRaces::isTransaction, () -> other.take(world));
      return world.after(rename(users(world, bug.over(hook)), SECOND));
    }
  }

  @Test
  void rename_ofAnAccountThatIsRenamedMeanwhile_leavesOneClaim() {
    var sound = renameToOtherCase(Wire.SOUND);
    assertThat(sound.answer).isEqualTo(new ProfileOutcome.Changed(account(ANN, FIRST_IN_CAPITALS)));
    sound.assertRows(account(ANN, FIRST_IN_CAPITALS), new HandleClaim(FIRST_IN_CAPITALS, ANN));

    assertThat(renameToOtherCase(new Unconditional(User.key(ANN)::equals)).faults)
        .containsExactly("The claim of third is not the handle of ann-id");
  }

  private Outcome renameToOtherCase(Wire bug) {
    try (var world = new World()) {
      world.register(ANN, FIRST);
      var hook = new Hook(ITStoreRaces::isTransaction, () -> world.rename(ANN, THIRD));
      return world.after(rename(users(world, bug.over(hook)), FIRST_IN_CAPITALS));
    }
  }

  @Test
  void rename_fromAHandleThatAnotherTakesMeanwhile_leavesItToTheOther() {
    var sound = renameFromATakenHandle(Wire.SOUND);
    assertThat(sound.answer).isEqualTo(new ProfileOutcome.Changed(account(ANN, SECOND)));
    sound.assertRows(
        account(ANN, SECOND),
        new HandleClaim(SECOND, ANN),
        account(BOB, FIRST),
        new HandleClaim(FIRST, BOB));

    assertThat(renameFromATakenHandle(new Unconditional(EVERYTHING)).faults)
        .containsExactlyInAnyOrder(
            "bob-id has first without its claim", "The claim of third is not the handle of ann-id");
  }

  private Outcome renameFromATakenHandle(Wire bug) {
    try (var world = new World()) {
      world.register(ANN, FIRST);
      var hook =
          new Hook(
              ITStoreRaces::isTransaction,
              () -> {
                world.rename(ANN, THIRD);
                world.register(BOB, FIRST);
              });
      return world.after(rename(users(world, bug.over(hook)), SECOND));
    }
  }

  /** The old handle is free once: the next account takes it, and another repeat leaves it there. */
  @ParameterizedTest
  @EnumSource
  void rename_cutOffAndRepeated_freesTheOldHandleOnce(Side side) {
    var sound = cutRename(new CrashPoint(1, side), Wire.SOUND);
    assertThat(sound.answer).isEqualTo(new Registration.HandleTaken(FIRST));
    sound.assertRows(
        account(ANN, SECOND),
        new HandleClaim(SECOND, ANN),
        account(BOB, FIRST),
        new HandleClaim(FIRST, BOB));
  }

  @Test
  void rename_inSeveralWrites_isFoundOut() {
    var cutAfterTheAccount = new CrashPoint(1, Side.AFTER);
    assertThat(cutRename(cutAfterTheAccount, new SplitTransactions(false)).faults)
        .containsExactlyInAnyOrder(
            "ann-id has second without its claim",
            "The claim of first is not the handle of ann-id");
    var cutAfterTheNewClaim = new CrashPoint(2, Side.AFTER);
    assertThat(cutRename(cutAfterTheNewClaim, new SplitTransactions(false)).faults)
        .containsExactly("The claim of first is not the handle of ann-id");
  }

  private Outcome cutRename(CrashPoint cut, Wire bug) {
    try (var world = new World()) {
      world.register(ANN, FIRST);
      var users = users(world, bug.over(cut));
      assertThat(isCutOff(cut, () -> rename(users, SECOND))).isTrue();
      cut.restart();
      assertThat(rename(users, SECOND)).isEqualTo(new ProfileOutcome.Changed(account(ANN, SECOND)));
      world.register(BOB, FIRST);
      assertThat(rename(users, SECOND)).isEqualTo(new ProfileOutcome.Changed(account(ANN, SECOND)));
      return world.after(world.register(CARL, FIRST));
    }
  }

  @Test
  void rename_backToAnEarlierHandle_seesTheRenameBefore() {
    var sound = renameBack(Wire.SOUND);
    assertThat(sound.answer).isEqualTo(new ProfileOutcome.Changed(account(ANN, FIRST)));
    sound.assertRows(account(ANN, FIRST), new HandleClaim(FIRST, ANN));

    var wrong = renameBack(new PlantedWires.Weak(User.key(ANN)::equals));
    assertThat(wrong.answer).isEqualTo(new ProfileOutcome.Changed(account(ANN, FIRST)));
    wrong.assertRows(account(ANN, SECOND), new HandleClaim(SECOND, ANN));
  }

  private Outcome renameBack(Wire bug) {
    try (var world = new World()) {
      world.register(ANN, FIRST);
      var lagging = new PlantedWires.Lagging(world.table, User.key(ANN));
      world.rename(ANN, SECOND);
      return world.after(rename(users(world, bug.over(lagging)), FIRST));
    }
  }

  /** Another handle, or the same one in other case, whose change has no old claim to delete. */
  @ParameterizedTest
  @CsvSource({SECOND, FIRST_IN_CAPITALS})
  void rename_ofAnAccountWhoseErasureBeginsMeanwhile_isRefused(String handle) {
    var sound = renameWhileErased(handle, Wire.SOUND);
    assertThat(sound.answer).isEqualTo(new ProfileOutcome.NotRegistered());
    sound.assertRows(Erasure.of(ANN, START));

    assertThat(renameWhileErased(handle, new Unconditional(EVERYTHING)).faults)
        .containsExactlyInAnyOrder(
            "Unreadable: " + User.key(ANN),
            "The claim of %s is not the handle of ann-id".formatted(handle));
  }

  private Outcome renameWhileErased(String handle, Wire bug) {
    try (var world = new World()) {
      world.register(ANN, FIRST);
      var hook = new Hook(ITStoreRaces::isTransaction, () -> world.erase(ANN));
      return world.after(answerOf(() -> rename(users(world, bug.over(hook)), handle)));
    }
  }

  @Test
  void erasure_ofAnAccountThatIsRenamedBetweenItsReads_leavesNoClaim() {
    var sound = erasureWithARename(ITStoreRaces::readsAClaim, Wire.SOUND);
    assertThat(sound.answer).isEqualTo(ErasureRequestOutcome.BEGUN);
    sound.assertRows(Erasure.of(ANN, START));

    var bug = new Unconditional(User.key(ANN)::equals);
    assertThat(erasureWithARename(ITStoreRaces::readsAClaim, bug).faults)
        .containsExactly("The claim of second is not the handle of ann-id");
  }

  @Test
  void erasure_ofAnAccountThatIsRenamedBeforeItsWrites_leavesNoClaim() {
    var sound = erasureWithARename(ITStoreRaces::isTransaction, Wire.SOUND);
    assertThat(sound.answer).isEqualTo(ErasureRequestOutcome.BEGUN);
    sound.assertRows(Erasure.of(ANN, START));

    var bug = new Unconditional(EVERYTHING);
    assertThat(erasureWithARename(ITStoreRaces::isTransaction, bug).faults)
        .containsExactly("The claim of second is not the handle of ann-id");
  }

  private Outcome erasureWithARename(Predicate<DynamoDbRequest> before, Wire bug) {
    try (var world = new World()) {
      world.register(ANN, FIRST);
      var hook = new Hook(before, () -> world.rename(ANN, SECOND));
      return world.after(begin(world, bug.over(hook)));
    }
  }

  @Test
  void erasure_rightAfterARegistration_seesTheClaim() {
    var sound = erasureAfterRegistration(Wire.SOUND);
    assertThat(sound.answer).isEqualTo(ErasureRequestOutcome.BEGUN);
    sound.assertRows(Erasure.of(ANN, START));

    assertThat(
            erasureAfterRegistration(new PlantedWires.Weak(HandleClaim.key(FIRST)::equals)).faults)
        .containsExactly("The claim of first is not the handle of ann-id");
  }

  private Outcome erasureAfterRegistration(Wire bug) {
    try (var world = new World()) {
      var lagging = new PlantedWires.Lagging(world.table, HandleClaim.key(FIRST));
      world.register(ANN, FIRST);
      return world.after(begin(world, bug.over(lagging)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void erasure_cutOffAndRepeated_isComplete(Side side) {
    cutErasure(new CrashPoint(1, side), Wire.SOUND).assertRows(Erasure.of(ANN, START));
  }

  @Test
  void erasure_inSeveralWrites_isFoundOut() {
    var cutAfterTheErasure = new CrashPoint(1, Side.AFTER);
    assertThat(cutErasure(cutAfterTheErasure, new SplitTransactions(false)).faults)
        .containsExactly("ann-id is erased and has an account");
    var cutAfterTheAccount = new CrashPoint(2, Side.AFTER);
    assertThat(cutErasure(cutAfterTheAccount, new SplitTransactions(false)).faults)
        .containsExactly("The claim of first is not the handle of ann-id");
  }

  private Outcome cutErasure(CrashPoint cut, Wire bug) {
    try (var world = new World()) {
      world.register(ANN, FIRST);
      var wire = bug.over(cut);
      assertThat(isCutOff(cut, () -> begin(world, wire))).isTrue();
      cut.restart();
      return world.after(answerOf(() -> begin(world, wire)));
    }
  }

  /** With a record that has expired, as well as without one. */
  @ParameterizedTest
  @CsvSource({"false", "true"})
  void request_sentTwiceAtOnce_createsOnePost(boolean hasExpired) {
    var one = post("one");
    var other = post("other");
    var sound = twoRequests(hasExpired, one, other, Wire.SOUND);
    assertThat(sound.answer).isEqualTo(new Recording.KeyTaken(record(other)));
    sound.assertRows(other, record(other));

    var bug = new Unconditional(record(one).key()::equals);
    assertThat(twoRequests(hasExpired, one, other, bug).faults)
        .containsExactly("The post other has no record");
  }

  private Outcome twoRequests(boolean hasExpired, Post one, Post other, Wire bug) {
    try (var world = new World()) {
      if (hasExpired) {
        var old = START.minus(Duration.ofDays(2)).getEpochSecond();
        records(world, Wire.SOUND)
            .insert(
                new IdempotencyRecord(ANN, REQUEST, "print", "gone", 201, "{}", old), List.of());
      }
      var hook = new Hook(ITStoreRaces::isTransaction, () -> send(world, Wire.SOUND, other));
      return world.after(send(world, bug.over(hook), one));
    }
  }

  @ParameterizedTest
  @EnumSource
  void request_cutOffAndRepeated_createsOnePost(Side side) {
    var one = post("one");
    var other = post("other");
    var created = side == Side.BEFORE ? other : one;
    var sound = cutRequest(one, other, new CrashPoint(1, side), Wire.SOUND);
    assertThat(sound.answer)
        .isEqualTo(
            side == Side.BEFORE ? new Recording.Written() : new Recording.KeyTaken(record(one)));
    sound.assertRows(created, record(created));
  }

  @Test
  void request_inSeveralWrites_isFoundOut() {
    var one = post("one");
    var other = post("other");
    var cut = new CrashPoint(1, Side.AFTER);
    assertThat(cutRequest(one, other, cut, new SplitTransactions(false)).faults)
        .containsExactly("The record of one has no post");
    var cutAfterThePost = new CrashPoint(1, Side.AFTER);
    assertThat(cutRequest(one, other, cutAfterThePost, new SplitTransactions(true)).faults)
        .containsExactly("The post one has no record");
  }

  private Outcome cutRequest(Post one, Post other, CrashPoint cut, Wire bug) {
    try (var world = new World()) {
      var wire = bug.over(cut);
      assertThat(isCutOff(cut, () -> send(world, wire, one))).isTrue();
      cut.restart();
      return world.after(send(world, wire, other));
    }
  }

  /** As the API does it: a request whose key is not recorded makes a new post. */
  private Recording send(World world, Wire wire, Post post) {
    var records = records(world, wire);
    return records
        .find(ANN, REQUEST)
        .<Recording>map(Recording.KeyTaken::new)
        .orElseGet(() -> records.insert(record(post), List.of(post)));
  }

  private IdempotencyRecords records(World world, Wire wire) {
    return new IdempotencyRecords(world.engine.over(wire), Clock.fixed(START, ZoneOffset.UTC));
  }

  private static IdempotencyRecord record(Post post) {
    var expiresAt = START.plus(Duration.ofDays(1)).getEpochSecond();
    return new IdempotencyRecord(ANN, REQUEST, "print", post.postId(), 201, "{}", expiresAt);
  }

  private static Post post(String id) {
    return SamplePosts.by(ANN, START).id(id).feedShards(1).build();
  }

  private static Users users(World world, Wire wire) {
    return new Users(world.engine.over(wire));
  }

  private static ProfileOutcome rename(Users users, String handle) {
    return users.change(ANN, new ProfileChange(handle, null, null));
  }

  private static ErasureRequestOutcome begin(World world, Wire wire) {
    var table = world.engine.over(wire);
    return new Erasures(table, new Users(table)).begin(ANN, START);
  }

  private static User account(String id, String handle) {
    return User.registered(id, handle, id, null, START);
  }

  private static boolean isTransaction(DynamoDbRequest request) {
    return request instanceof TransactWriteItemsRequest;
  }

  private static boolean readsAClaim(DynamoDbRequest request) {
    return request instanceof GetItemRequest get
        && KeyAttributes.key(get.key()).equals(HandleClaim.key(FIRST));
  }

  private static boolean isCutOff(CrashPoint cut, Runnable call) {
    try {
      call.run();
      return false;
    } catch (CrashPoint.Crash | RuntimeException e) {
      return cut.happened();
    }
  }

  /** The answer of a call, or its exception: a planted bug may end in either. */
  private static Object answerOf(Supplier<Object> call) {
    try {
      return call.get();
    } catch (RuntimeException e) {
      return e;
    }
  }

  /**
   * How a race ended.
   *
   * @param answer the answer of the last call
   * @param rows all rows of the table
   * @param faults what is wrong about them
   */
  private record Outcome(Object answer, List<Row> rows, List<String> faults) {
    void assertRows(Row... expected) {
      assertThat(rows).containsExactlyInAnyOrder(expected);
    }
  }

  /** A table with its own engine, and what others do there. */
  private static final class World implements AutoCloseable {
    private final StreamedTable engine = StreamedTable.start();
    private final Table table = engine.over(Wire.SOUND);
    private final Users users = new Users(table);

    Registration register(String id, String handle) {
      return users.register(account(id, handle));
    }

    void rename(String id, String handle) {
      assertThat(users.change(id, new ProfileChange(handle, null, null)))
          .isInstanceOf(ProfileOutcome.Changed.class);
    }

    void erase(String id) {
      assertThat(new Erasures(table, users).begin(id, START))
          .isEqualTo(ErasureRequestOutcome.BEGUN);
    }

    Outcome after(Object answer) {
      engine.read();
      var rows = new HashMap<Key, Row>();
      var faults = new ArrayList<String>();
      for (var item : engine.items()) {
        try {
          var row = RowCodec.decode(item);
          rows.put(row.key(), row);
        } catch (RuntimeException e) {
          faults.add("Unreadable: " + KeyAttributes.key(item));
        }
      }
      rows.values().stream().flatMap(row -> fault(row, rows)).forEach(faults::add);
      return new Outcome(answer, List.copyOf(rows.values()), faults);
    }

    private static Stream<String> fault(Row row, Map<Key, Row> rows) {
      return switch (row) {
        case User user
            when rows.get(HandleClaim.key(user.handle())) instanceof HandleClaim claim
                && claim.equals(new HandleClaim(user.handle(), user.userId())) ->
            Stream.empty();
        case User user ->
            Stream.of("%s has %s without its claim".formatted(user.userId(), user.handle()));
        case HandleClaim claim
            when rows.get(User.key(claim.userId())) instanceof User user
                && user.handle().equals(claim.handle()) ->
            Stream.empty();
        case HandleClaim claim ->
            Stream.of(
                "The claim of %s is not the handle of %s"
                    .formatted(claim.handle(), claim.userId()));
        case Erasure erasure ->
            Stream.ofNullable(erasure.userId())
                .filter(id -> rows.containsKey(User.key(id)))
                .map(id -> id + " is erased and has an account");
        case IdempotencyRecord record when !rows.containsKey(Post.key(record.resourceId())) ->
            Stream.of("The record of %s has no post".formatted(record.resourceId()));
        case Post post
            when rows.values().stream()
                .noneMatch(
                    other ->
                        other instanceof IdempotencyRecord record
                            && record.resourceId().equals(post.postId())) ->
            Stream.of("The post %s has no record".formatted(post.postId()));
        default -> Stream.empty();
      };
    }

    @Override
    public void close() {
      engine.close();
    }
  }
}
