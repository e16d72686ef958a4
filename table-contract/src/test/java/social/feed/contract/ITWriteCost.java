package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import social.feed.table.cost.UserAction;
import social.feed.table.counter.TransactionalCounters;
import social.feed.table.erasure.ErasureRequestOutcome;
import social.feed.table.erasure.Erasures;
import social.feed.table.graph.BlockWriter;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.graph.FollowRateLimit;
import social.feed.table.graph.FollowWriter;
import social.feed.table.graph.SpecialFollowWriter;
import social.feed.table.graph.UnfollowOutcome.Unfollowed;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.cost.ItemSize;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.schema.FeedTable;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.media.MediaFiles;
import social.feed.table.post.PostTags;
import social.feed.table.post.Posts;
import social.feed.table.row.Block;
import social.feed.table.row.Comment;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.Key;
import social.feed.table.row.Like;
import social.feed.table.row.Media;
import social.feed.table.row.Mute;
import social.feed.table.row.Picture;
import social.feed.table.row.Post;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.Row;
import social.feed.table.row.SpecialFollower;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;
import social.feed.table.user.ProfileChange;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/**
 * The exact cost of each write. An increase requires a deliberate change of the figure.
 *
 * <p>The cost of a transaction cannot be measured here. If several writes cost the same, the local
 * engine (3.3.1) reports one of them; it also doubles index entries. Those figures are therefore
 * counted from the request as DynamoDB documents it: two units for each written item of up to 1 KB,
 * and one for each index entry. An index entry follows the commit, as after any other write.
 */
@ExtendWith(EngineExtension.class)
class ITWriteCost {
  private static final int CAP = 5_000;
  private static final Instant AT = ListContract.FIRST;

  @Test
  void createPost_costsTwo(TestTable table) {
    var post = post(Visibility.PUBLIC, "Hi");

    assertWrites(2, () -> new Posts(table.table()).create(post));
  }

  @Test
  void createPost_longestTextOfFourByteCharacters_costsFour(TestTable table) {
    var post = post(Visibility.PUBLIC, "😀".repeat(500));

    assertWrites(4, () -> new Posts(table.table()).create(post));
  }

  @Test
  void tagOfAPost_costsTwoOrOneWithoutAnIndexEntry(TestTable table) {
    var tags = new PostTags(table.table());

    assertWrites(2, () -> tags.write(List.of(post(Visibility.PUBLIC, "#a"))));
    assertWrites(1, () -> tags.write(List.of(post(Visibility.FOLLOWERS, "#a"))));
    assertWrites(1, () -> tags.write(List.of(post(Visibility.PRIVATE, "#a"))));
  }

  @Test
  void deletePost_costsSeven_withTheCountOfTheAuthor(TestTable table, SeedWorld world) {
    var alice = world.user("alice");
    var post = alice.posts("x");

    // The engine does not count the index entry.
    try (var _ = table.bill()) {
      assertWrites(7, () -> alice.deletes(post));
    }
  }

  /** The engine does not report the unit of a refused attempt, which DynamoDB charges. */
  @Test
  void changeOfVisibility_costsTwo_andItsEffectNotesForOneThatItBegins(SeedWorld world) {
    var alice = world.user("alice");
    var post = alice.posts("x");

    assertChange(2, 1, world, post, Visibility.PRIVATE);
    assertChange(0, 1, world, post, Visibility.PRIVATE);
    assertChange(2, 2, world, post, Visibility.FOLLOWERS);
    assertChange(2, 2, world, post, Visibility.PUBLIC);
    assertChange(1, 2, world, post, Visibility.PUBLIC);
    var again = world.posts.get(post.postId()).orElseThrow();
    assertWrites(1, () -> world.posts.beginReflection(again));
    assertWrites(
        0, () -> world.posts.beginReflection(world.posts.get(post.postId()).orElseThrow()));
    assertWrites(0, () -> world.posts.beginReflection(again));
    assertThat(world.posts.changeVisibility(post.postId(), "bob", Visibility.PRIVATE)).isEmpty();
    assertThat(world.posts.changeVisibility(post.postId(), "bob", Visibility.PUBLIC)).isEmpty();
  }

  private static void assertChange(
      double units, long version, SeedWorld world, Post post, Visibility visibility) {
    assertWrites(
        units,
        () ->
            assertThat(world.posts.changeVisibility(post.postId(), post.authorId(), visibility))
                .hasValueSatisfying(
                    changed -> {
                      assertThat(changed.visibility()).isEqualTo(visibility);
                      assertThat(changed.visibilityVersion()).isEqualTo(version);
                    }));
  }

  @Test
  void likeAndUnlike_costThreeEach(SeedWorld world) {
    var alice = world.user("alice");
    var post = alice.posts("x");
    var like = new Like(post.postId(), alice.id(), alice.id(), post.createdAt());

    assertWrites(3, () -> world.likes.add(like));
    assertWrites(3, () -> world.likes.remove(post.postId(), alice.id()));
  }

  @Test
  void commentAndItsDelete_costTwoEach(SeedWorld world) {
    var time = ListContract.FIRST;
    var id = TimeOrderedId.named(time, Names.fresh());
    var comment = new Comment(Names.fresh(), id, "bob", "alice", "Nice", time);

    assertWrites(2, () -> world.comments.add(comment));
    assertWrites(2, () -> world.comments.delete(comment.postId(), id));
  }

  static Stream<FollowRateLimit> rateLimits() {
    return Stream.of(FollowRateLimit.ANY, new FollowRateLimit(400, 400, Duration.ofMinutes(10)));
  }

  /** The limits of a day are numbers of the quota, so they cost nothing. */
  @ParameterizedTest
  @MethodSource("rateLimits")
  void follow_countsSixWrites(FollowRateLimit limit, TestTable table) {
    var writes = new FollowWriter(table.table(), CAP, CAP, limit);
    var follower = Names.fresh();
    for (int i = 0; i < 2; i++) {
      var edge = Follow.of(follower, Names.fresh(), ListContract.FIRST);

      var follow = Observed.of(table, () -> writes.follow(edge));

      assertThat(follow.cost().read()).isEqualTo(1);
      assertThat(countedUnits(follow, edge)).isEqualTo(6);
      assertThat(UserAction.FOLLOW.request().write()).isEqualTo(6);
    }
  }

  /** The service bills a read unit for an absent key of a batch; the local engine does not. */
  @ParameterizedTest
  @MethodSource("rateLimits")
  void unfollow_countsTwoReadsAndSixWrites(FollowRateLimit limit, TestTable table) {
    var writes = new FollowWriter(table.table(), CAP, CAP, limit);
    var edge = Follow.of(Names.fresh(), Names.fresh(), ListContract.FIRST);
    writes.follow(edge);
    var later = edge.createdAt().plus(Duration.ofMinutes(10));

    var unfollow =
        Observed.of(table, () -> writes.leave(edge.followerId(), edge.followeeId(), false, later));

    assertThat(unfollow.answer()).isEqualTo(new Unfollowed());

    // Quota and edge; the local engine does not count the read of absent retained posts.
    assertThat(unfollow.cost().read()).isEqualTo(2);
    assertThat(countedUnits(unfollow, edge)).isEqualTo(6);
  }

  @Test
  void unfollowKeepingHistory_countsTwoReadsAndEightWrites(TestTable table) {
    var writes = new FollowWriter(table.table(), CAP);
    var edge = Follow.of(Names.fresh(), Names.fresh(), ListContract.FIRST);
    writes.follow(edge);

    var unfollow =
        Observed.of(
            table,
            () ->
                writes.unfollowKeepingHistory(
                    edge.followerId(), edge.followeeId(), ListContract.FIRST));

    // Quota and edge; the local engine does not count the read of absent retained posts.
    assertThat(unfollow.cost().read()).isEqualTo(2);
    assertThat(countedUnits(unfollow, edge)).isEqualTo(8);
  }

  @Test
  void markAndUnmark_countSixWrites_andAnUnfollowThenTwoMore(TestTable table) {
    var follows = new FollowWriter(table.table(), CAP);
    var specials = new SpecialFollowWriter(table.table(), 1);
    var edge = Follow.of(Names.fresh(), Names.fresh(), ListContract.FIRST);
    follows.follow(edge);
    // No index of an edge contains the special mark.
    var unindexed = new SpecialFollower(edge.followerId(), edge.followeeId(), edge.createdAt());

    var mark =
        Observed.of(
            table, () -> specials.mark(edge.followerId(), edge.followeeId(), ListContract.FIRST));
    var unmark = Observed.of(table, () -> specials.unmark(edge.followerId(), edge.followeeId()));
    specials.mark(edge.followerId(), edge.followeeId(), ListContract.FIRST);
    var unfollow = Observed.of(table, () -> follows.unfollow(edge.followerId(), edge.followeeId()));

    assertThat(mark.cost().read()).isEqualTo(2);
    assertThat(countedUnits(mark, unindexed)).isEqualTo(6);
    assertThat(unmark.cost().read()).isEqualTo(1);
    assertThat(countedUnits(unmark, unindexed)).isEqualTo(6);
    // Four for the edge with its index entries, two for the quota, two for the row.
    assertThat(countedUnits(unfollow, unindexed) + 2).isEqualTo(8);
  }

  @Test
  void bulkInsert_countsFourAnEdgeAndTwoForTheQuota(TestTable table) {
    var writes = new FollowWriter(table.table(), CAP);
    var follower = Names.fresh();
    var edges =
        List.of(
            Follow.of(follower, Names.fresh(), ListContract.FIRST),
            Follow.of(follower, Names.fresh(), ListContract.FIRST),
            Follow.of(follower, Names.fresh(), ListContract.FIRST));

    var adopt = Observed.of(table, () -> writes.adopt(edges));

    assertThat(countedUnits(adopt, edges.getFirst())).isEqualTo(14);
  }

  @Test
  void follow_byAnAccountThatABlockNames_countsTwoMore(TestTable table) {
    var writes = new FollowWriter(table.table(), CAP);
    var blocks =
        new BlockWriter(table.table(), new BlocksAndMutes(table.table(), table.clock()), CAP);
    var edge = Follow.of(Names.fresh(), Names.fresh(), ListContract.FIRST);
    blocks.block(new Block(Names.fresh(), edge.followerId(), ListContract.FIRST));
    try (var bill = table.bill()) {
      writes.follow(edge);

      assertThat(bill.take().units()).isEqualTo(new ConsumedUnits(3, 8));
    }
  }

  @Test
  void block_countsEightOrTenWrites_andFourMoreForEachEdge(TestTable table) {
    var follows = new FollowWriter(table.table(), CAP);
    var writes =
        new BlockWriter(table.table(), new BlocksAndMutes(table.table(), table.clock()), CAP);
    var user = Names.fresh();
    var friend = Names.fresh();
    var edge = Follow.of(user, friend, ListContract.FIRST);
    follows.follow(edge);
    follows.follow(Follow.of(friend, user, ListContract.FIRST));

    var stranger =
        Observed.of(table, () -> writes.block(new Block(user, Names.fresh(), ListContract.FIRST)));
    var known = Observed.of(table, () -> writes.block(new Block(user, friend, ListContract.FIRST)));
    var other = Names.fresh();
    follows.follow(Follow.of(other, Names.fresh(), ListContract.FIRST));
    var oneWhoFollows =
        Observed.of(table, () -> writes.block(new Block(user, other, ListContract.FIRST)));

    var again =
        Observed.of(table, () -> writes.block(new Block(Names.fresh(), other, ListContract.FIRST)));

    assertThat(countedUnits(stranger, edge)).as("the first block of an account").isEqualTo(10);
    assertThat(countedUnits(oneWhoFollows, FollowQuota.none(user))).isEqualTo(10);
    assertThat(countedUnits(again, FollowQuota.none(user))).isEqualTo(8);
    assertThat(countedUnits(known, edge)).isEqualTo(16);
  }

  @Test
  void mute_countsSix_unmuteAndUnblock_countFour(TestTable table) {
    var writes =
        new BlockWriter(table.table(), new BlocksAndMutes(table.table(), table.clock()), CAP);
    var mute = Mute.of(Names.fresh(), Names.fresh(), ListContract.FIRST, null);
    var block = new Block(mute.userId(), mute.mutedId(), ListContract.FIRST);

    var muted = Observed.of(table, () -> writes.mute(mute));
    writes.block(block);
    var unblocked =
        Observed.of(
            table,
            () -> {
              writes.unblock(block.userId(), block.blockedId());
              return true;
            });

    assertThat(countedUnits(muted, mute)).isEqualTo(6);
    assertThat(countedUnits(unblocked, block)).isEqualTo(4);
    var unmuted =
        Observed.of(
            table,
            () -> {
              writes.unmute(mute.userId(), mute.mutedId());
              return true;
            });
    assertThat(countedUnits(unmuted, mute)).isEqualTo(4);
  }

  @Test
  void register_countsSix(TestTable table, SeedWorld world) {
    var user = User.registered(Names.fresh(), Names.fresh(), "Ann", null, ListContract.FIRST);

    var register = Observed.of(table, () -> world.users.register(user));

    assertThat(countedUnits(register, user)).isEqualTo(6);
  }

  @Test
  void beginOfAnErasure_countsTwoReadsAndSixWrites_andOneMoreWithFollowers(
      TestTable table, SeedWorld world) {
    var erasures = new Erasures(table.table(), world.users);
    var alone = world.user("alone").account();
    var followed = followed(world.user("followed").account());
    table.table().putAll(List.of(followed));

    assertBegin(6, alone, Observed.of(table, () -> erasures.begin(alone.userId(), AT)));
    assertBegin(7, followed, Observed.of(table, () -> erasures.begin(followed.userId(), AT)));
    var again = Observed.of(table, () -> erasures.begin(followed.userId(), AT));
    assertThat(again.answer()).isEqualTo(ErasureRequestOutcome.BEGUN_BEFORE);
    assertThat(again.requests()).hasSize(2).hasOnlyElementsOfType(GetItemRequest.class);
  }

  private static User followed(User user) {
    return new User(
        user.userId(),
        user.handle(),
        user.displayName(),
        user.bio(),
        user.createdAt(),
        1,
        user.followingCount(),
        user.followingVersion(),
        user.postsCount(),
        user.isCelebrity(),
        user.celebrityVersion(),
        user.marks());
  }

  private static void assertBegin(int writes, User user, Observed<ErasureRequestOutcome> begin) {
    assertThat(begin.answer()).isEqualTo(ErasureRequestOutcome.BEGUN);
    assertThat(begin.cost().read()).isEqualTo(2);
    Map<Key, Row> deleted = new HashMap<>();
    for (Row row : List.of(user, new HandleClaim(user.handle(), user.userId()))) {
      deleted.put(row.key(), row);
    }
    int units =
        transacted(begin)
            .mapToInt(
                write ->
                    write.delete() == null
                        ? countedUnits(write, user)
                        : countedUnits(
                            write, deleted.remove(KeyAttributes.key(write.delete().key()))))
            .sum();
    assertThat(units).isEqualTo(writes);
    assertThat(deleted).as("expected deletions that were not sent").isEmpty();
  }

  /**
   * Fails when the engine starts to report every item of a transaction; the costs can then be
   * measured.
   */
  @Test
  void engine_transactionOfItemsOfOneCost_reportsOneOfThem(TestTable table, SeedWorld world) {
    var user = User.registered(Names.fresh(), Names.fresh(), "Ann", null, ListContract.FIRST);

    assertWrites(2, () -> world.users.register(user));
  }

  @Test
  void profileAndCopiedCount_costOneEach(SeedWorld world) {
    var alice = world.user("alice");

    assertWrites(1, () -> world.users.change(alice.id(), new ProfileChange(null, "Ann", null)));
    assertWrites(1, () -> world.users.copyFollowing(alice.id(), 1, 1));
  }

  @Test
  void delivery_costsTwo(SeedWorld world) {
    var post = world.user("alice").posts("x");

    assertWrites(2, () -> world.feeds.deliver(List.of(FeedEntry.of(post.ref(), Names.fresh()))));
  }

  @Test
  void effectWithAMark_countsFour(TestTable table, SeedWorld world) {
    var alice = world.user("alice");
    var mark = new ProcessedEvent(Names.fresh(), 1_900_000_000L);
    var marks = new TransactionalCounters(table.table(), table.clock());

    var effect =
        Observed.of(table, () -> marks.addOnce(mark, User.key(alice.id()), User.POSTS_COUNT, 1));

    assertThat(countedUnits(effect, alice.account())).isEqualTo(4);
  }

  private static List<Media> twoFiles(TestTable table, Person owner) {
    var files =
        Stream.generate(
                () ->
                    new Media(
                        Names.fresh(), owner.id(), "image/png", 9, "f00d", null, AT, 3, 2, null))
            .limit(2)
            .toList();
    table.table().putAll(List.copyOf(files));
    return files;
  }

  /** Three for the post and three for each file, with their index entries. */
  @Test
  void postWithFiles_countsThreeEach(TestTable table, SeedWorld world) {
    var alice = world.user("alice");
    var files = twoFiles(table, alice);
    var post =
        alice.draft("x").showing(files.stream().flatMap(file -> file.copy().stream()).toList());

    var written = Observed.of(table, () -> new MediaFiles(table.table()).post(post));

    assertThat(written.answer()).isTrue();
    assertThat(countedUnits(written, files.getFirst())).isEqualTo(9);
    assertWrites(4, () -> new MediaFiles(table.table()).deleteOf(post));
  }

  /** Two for the profile, two for the file, and three for the replaced one with its index entry. */
  @Test
  void replacedPicture_countsSeven(TestTable table, SeedWorld world) {
    var alice = world.user("alice");
    var files = twoFiles(table, alice);
    var first = new ProfileChange(null, null, null, avatar(files.getFirst()));
    var second = new ProfileChange(null, null, null, avatar(files.getLast()));

    assertWrites(2, () -> world.users.change(alice.id(), first));
    var replaced = Observed.of(table, () -> world.users.change(alice.id(), second));

    assertThat(replaced.cost().read()).isEqualTo(4);
    assertThat(transacted(replaced)).hasSize(3);
    assertThat(
            transacted(replaced)
                .mapToInt(
                    write ->
                        write.delete() == null
                            ? countedUnits(write, alice.account())
                            : countedUnits(write, files.getFirst()))
                .sum())
        .isEqualTo(7);
  }

  private static Map<Picture, Optional<String>> avatar(Media file) {
    return Map.of(Picture.AVATAR, Optional.of(file.mediaId()));
  }

  @Test
  void effectsWithMarksOnOneCounter_countTwoEachAndTwo(TestTable table, SeedWorld world) {
    var alice = world.user("alice");
    var deltas =
        Stream.generate(() -> new ProcessedEvent(Names.fresh(), 1_900_000_000L))
            .limit(25)
            .collect(Collectors.toMap(mark -> mark, _ -> 1L));
    var counters = new TransactionalCounters(table.table(), table.clock());

    var effects =
        Observed.of(
            table,
            () -> {
              counters.addEachOnce(deltas, User.key(alice.id()), User.POSTS_COUNT);
              return true;
            });

    assertThat(countedUnits(effects, alice.account())).isEqualTo(52);
  }

  /** Returns the documented cost of the transactions that were sent. */
  private static int countedUnits(Observed<?> observed, Row deletedOrUpdated) {
    return transacted(observed).mapToInt(write -> countedUnits(write, deletedOrUpdated)).sum();
  }

  private static Stream<TransactWriteItem> transacted(Observed<?> observed) {
    return observed.requests().stream()
        .filter(TransactWriteItemsRequest.class::isInstance)
        .map(TransactWriteItemsRequest.class::cast)
        .flatMap(request -> request.transactItems().stream());
  }

  private static int countedUnits(TransactWriteItem write, Row deletedOrUpdated) {
    if (write.conditionCheck() != null) {
      return 2;
    }
    var item = write.put() == null ? RowCodec.encode(deletedOrUpdated) : write.put().item();
    long entries =
        FeedTable.DECLARATION.indexes().stream()
            .filter(index -> item.containsKey(index.partitionKey()))
            .count();
    assertThat(ItemSize.of(item)).as("an item of 1 KB and more costs more").isLessThan(1_024);
    return 2 + (int) entries;
  }

  private static void assertWrites(double units, Runnable writes) {
    assertThat(TestTable.costOf(writes).write()).isEqualTo(units);
  }

  private static Post post(Visibility visibility, String text) {
    var time = ListContract.FIRST;
    return SamplePosts.by("author0001", time)
        .id(TimeOrderedId.named(time, Names.fresh()))
        .text(text)
        .tags("a")
        .visibility(visibility)
        .build();
  }
}
