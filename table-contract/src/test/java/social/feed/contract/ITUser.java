package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.post.Posts;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.User;
import social.feed.table.user.ProfileChange;
import social.feed.table.user.ProfileOutcome;
import social.feed.table.user.Users;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;

/** FEED-001 and FEED-004: single items, and changes of a profile. */
@ExtendWith(EngineExtension.class)
class ITUser {
  @Test
  void get_user_isOneStrongGetItemForOneUnit(TestTable table, SeedWorld world) {
    var alice = world.user("alice");

    var observed = Observed.of(table, () -> world.users.get(alice.id()));

    assertThat(observed.answer()).contains(alice.account());
    assertStrongGet(observed.only(GetItemRequest.class), User.key(alice.id()));
    assertThat(observed.cost()).isEqualTo(new ConsumedUnits(1, 0));
  }

  @Test
  void get_post_isOneStrongGetItemForOneUnit(TestTable table, SeedWorld world) {
    var post = world.user("alice").posts("Hi #java @bob");

    var observed = Observed.of(table, () -> world.posts.get(post.postId()));

    assertThat(observed.answer()).contains(post);
    assertStrongGet(observed.only(GetItemRequest.class), Post.key(post.postId()));
    assertThat(observed.cost()).isEqualTo(new ConsumedUnits(1, 0));
  }

  @Test
  void get_unknownId_isEmpty(SeedWorld world) {
    assertThat(world.users.get(Names.fresh())).isEmpty();
    assertThat(world.posts.get(TimeOrderedId.named(Instant.EPOCH, Names.fresh()))).isEmpty();
    assertThat(world.users.idOfHandle("unknown")).isEmpty();
  }

  @Test
  void getAll_withDuplicatesAndUnknownIds_returnsEachKnownUserOnce(
      TestTable table, SeedWorld world) {
    var alice = world.user("alice");
    var bob = world.user("bob");
    var ids = List.of(bob.id(), alice.id(), Names.fresh(), alice.id());

    var observed = Observed.of(table, () -> world.users.getAll(ids));

    assertThat(observed.answer())
        .isEqualTo(Map.of(alice.id(), alice.account(), bob.id(), bob.account()));
    assertThat(observed.onlyBatch().keys()).hasSize(3);
    assertThat(observed.onlyBatch().consistentRead()).isFalse();
  }

  @Test
  void current_users_areReadStrongly_forOneUnitEach(TestTable table, SeedWorld world) {
    var alice = world.user("alice");

    var observed = Observed.of(table, () -> world.users.current(List.of(alice.id())));

    assertThat(observed.answer()).isEqualTo(Map.of(alice.id(), alice.account()));
    assertThat(observed.onlyBatch().consistentRead()).isTrue();
    assertThat(observed.cost()).isEqualTo(new ConsumedUnits(1, 0));
  }

  @Test
  void getAll_posts_isStronglyConsistentOnRequest(TestTable table, SeedWorld world) {
    var post = world.user("alice").posts("Hi");
    var posts = new Posts(table.table());

    var weak = Observed.of(table, () -> posts.getAll(List.of(post.postId()), false));
    var strong = Observed.of(table, () -> posts.getAll(List.of(post.postId()), true));

    assertThat(weak.answer()).isEqualTo(strong.answer()).isEqualTo(Map.of(post.postId(), post));
    assertThat(weak.cost()).isEqualTo(new ConsumedUnits(0.5, 0));
    assertThat(strong.cost()).isEqualTo(new ConsumedUnits(1, 0));
    assertThat(weak.onlyBatch().consistentRead()).isFalse();
    assertThat(strong.onlyBatch().consistentRead()).isTrue();
  }

  @Test
  void getAll_beyondABatch_returnsAllInTwoCalls(TestTable table, SeedWorld world) {
    var author = world.user("alice");
    var ids = new ArrayList<String>();
    for (int i = 0; i < 101; i++) {
      ids.add(author.posts("Hi").postId());
    }

    var observed = Observed.of(table, () -> world.posts.getAll(ids, false));

    assertThat(observed.answer().keySet()).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(observed.requests()).hasSize(2);
  }

  @Test
  void getAll_nothing_sendsNothing(TestTable table, SeedWorld world) {
    assertThat(Observed.of(table, () -> world.users.getAll(List.of())).requests()).isEmpty();
  }

  @Test
  void change_profile_changesOnlyWhatIsGiven(SeedWorld world) {
    var alice = world.user("alice");
    var before = alice.account();

    var named = changed(world, alice.id(), new ProfileChange(null, "Alice L.", null));
    var changed = changed(world, alice.id(), new ProfileChange(null, null, "Hello"));
    var silent = changed(world, alice.id(), new ProfileChange(null, null, ""));

    assertThat(named.displayName()).isEqualTo("Alice L.");
    assertThat(named.bio()).isEqualTo(before.bio());
    assertThat(changed.displayName()).isEqualTo("Alice L.");
    assertThat(changed.bio()).isEqualTo("Hello");
    assertThat(silent).isEqualTo(named).isEqualTo(alice.account());
  }

  @Test
  void change_ofNothing_returnsTheUnchangedAccount(SeedWorld world) {
    var alice = world.user("alice");

    assertThat(changed(world, alice.id(), new ProfileChange(null, null, "")))
        .isEqualTo(alice.account());
    assertThat(changed(world, alice.id(), new ProfileChange(null, null, null)))
        .isEqualTo(alice.account());
  }

  @Test
  void change_unknownUser_createsNoItem(SeedWorld world) {
    var unknown = Names.fresh();

    for (var change :
        List.of(
            new ProfileChange(null, "X", null),
            new ProfileChange(null, null, null),
            new ProfileChange(Names.fresh(), "X", null))) {
      assertThat(world.users.change(unknown, change)).isEqualTo(new ProfileOutcome.NotRegistered());
    }
    assertThat(world.users.get(unknown)).isEmpty();
  }

  private static User changed(SeedWorld world, String userId, ProfileChange change) {
    return ((ProfileOutcome.Changed) world.users.change(userId, change)).user();
  }

  @Test
  void copyFollowing_laterVersion_isCopied(SeedWorld world) {
    var alice = world.user("alice");

    world.users.copyFollowing(alice.id(), 3, 4);

    assertThat(alice.account().followingCount()).isEqualTo(3);
    assertThat(alice.account().followingVersion()).isEqualTo(4);
  }

  @Test
  void copyFollowing_earlierOrSameVersion_changesNothing(SeedWorld world) {
    var alice = world.user("alice");
    world.users.copyFollowing(alice.id(), 3, 4);

    world.users.copyFollowing(alice.id(), 2, 3);
    world.users.copyFollowing(alice.id(), 9, 4);

    assertThat(alice.account().followingCount()).isEqualTo(3);
  }

  /** As text, 10 would sort before 9. */
  @Test
  void copyFollowing_versionOfMoreDigits_isLater(SeedWorld world) {
    var alice = world.user("alice");
    world.users.copyFollowing(alice.id(), 1, 9);
    world.users.copyFollowing(alice.id(), 2, 10);

    assertThat(alice.account().followingCount()).isEqualTo(2);
  }

  @Test
  void copyFollowing_unknownUser_createsNoItem(TestTable table) {
    var users = new Users(table.table());
    var unknown = Names.fresh();

    users.copyFollowing(unknown, 1, 1);

    assertThat(users.get(unknown)).isEmpty();
  }

  private static void assertStrongGet(GetItemRequest get, Key key) {
    assertThat(get.key()).isEqualTo(KeyAttributes.of(key));
    assertThat(get.consistentRead()).isTrue();
  }
}
