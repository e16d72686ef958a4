package social.feed.simulation;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.streams.change.Change;
import social.feed.streams.effect.BackfillHandler.Backfill;
import social.feed.streams.effect.ChangeVisibilityHandler.ChangeVisibility;
import social.feed.streams.effect.CleanUpPostHandler.CleanUpPost;
import social.feed.streams.effect.CountOnceHandler.CountOnce;
import social.feed.streams.effect.Effect;
import social.feed.streams.effect.FanOutHandler.FanOut;
import social.feed.streams.effect.NotifyMentionedHandler.NotifyMentioned;
import social.feed.streams.effect.PostInteractionHandler.PostInteraction;
import social.feed.streams.effect.PostNotifier.NotifySpecialFollowers;
import social.feed.streams.effect.RebuildHandler.Rebuild;
import social.feed.streams.effect.RemoveFromFeedHandler.RemoveFromFeed;
import social.feed.streams.effect.WriteTagsHandler.WriteTags;
import social.feed.table.engagement.Likes;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.FollowWriter;
import social.feed.table.graph.SpecialFollowWriter;
import social.feed.table.home.FeedActivities;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.post.Posts;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Keys;
import social.feed.table.row.Like;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.RecentDelivery;
import social.feed.table.row.Visibility;
import social.feed.testkit.fault.CrashPoint.Crash;
import social.feed.testkit.fault.Hook;
import social.feed.testkit.fault.Wire;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Single races of handlers and stores, each at the one call that matters. Random histories meet
 * some of them rarely. Each test also runs with its bug planted, and must find it.
 */
class ITHandlerRaces extends HandlerRaces {
  private static final Duration MARKS_LIVE = Duration.ofDays(30);
  private static final Duration HALF_AN_HOUR = Duration.ofMinutes(30);

  @Test
  void unfollow_beforeAMentionIsWritten_leavesNone() {
    assertThat(mentionsAfterAnUnfollow(Wire.SOUND)).isEmpty();
    assertThat(mentionsAfterAnUnfollow(new PlantedWires.FirstEdges())).isNotEmpty();
  }

  private List<Notification> mentionsAfterAnUnfollow(Wire bug) {
    var ann = user("ann");
    var bob = user("bob");
    follow(bob, ann);
    var post = post(ann, Visibility.FOLLOWERS, bob);
    var hook =
        new Hook(
            request -> request instanceof PutItemRequest put && isA(Notification.class, put.item()),
            () -> new FollowWriter(table, CAP).unfollow(bob, ann));
    apply(bug, hook, NotifyMentioned.class, post);
    return rows(Notification.class, row -> row.userId().equals(bob));
  }

  @Test
  void post_madeOneForFollowersMeanwhile_isNotShownToAFormerFollower() {
    assertThat(notifiedAfterTheChange(Wire.SOUND)).isEmpty();
    assertThat(notifiedAfterTheChange(new PlantedWires.FirstVisibility())).isNotEmpty();
  }

  private List<Notification> notifiedAfterTheChange(Wire bug) {
    var ann = user("ann");
    var bob = user("bob");
    follow(bob, ann);
    new SpecialFollowWriter(table, CAP).mark(bob, ann, clock.instant());
    var post = post(ann, Visibility.PUBLIC, bob);
    var hook =
        new Hook(
            BatchWriteItemRequest.class::isInstance,
            () -> {
              new FollowWriter(table, CAP).unfollow(bob, ann);
              new Posts(table).changeVisibility(post.postId(), ann, Visibility.FOLLOWERS);
            });
    apply(bug, hook, NotifySpecialFollowers.class, post);
    return rows(
        Notification.class, row -> row.userId().equals(bob) && row.type() == NotificationType.POST);
  }

  @Test
  void follow_betweenAPostAndItsDelivery_isNotedOnTheEdge() {
    assertThat(isNoted(Wire.SOUND)).isTrue();
    assertThat(isNoted(new PlantedWires.Refusing(ITHandlerRaces::notesBackfill))).isFalse();
  }

  @Test
  void follow_betweenAPostAndItsDelivery_isNotedBeforeTheIndexShowsThePost() {
    assertThat(isNoted(NO_LISTS.over(FORGETS_DELIVERIES))).isTrue();
  }

  private boolean isNoted(Wire bug) {
    var ann = user("ann");
    var bob = user("bob");
    var post = post(ann, Visibility.PUBLIC, ann);
    follow(bob, ann);
    apply(bug, Hook.NONE, FanOut.class, post);
    return new FollowEdges(table).get(bob, ann).orElseThrow().feedSince() != null;
  }

  /** The delivery read the followers before the follow. Only the backfill can deliver the post. */
  @ParameterizedTest
  @EnumSource(EarlierDelivery.class)
  void follow_afterADelivery_getsThePostBeforeTheIndexShowsIt(EarlierDelivery delivery) {
    assertThat(entriesAfterAFollow(delivery, Wire.SOUND)).hasSize(1);
    assertThat(entriesAfterAFollow(delivery, FORGETS_DELIVERIES)).isEmpty();
  }

  private List<FeedEntry> entriesAfterAFollow(EarlierDelivery delivery, Wire bug) {
    var ann = user("ann");
    var bob = user("bob");
    var post = delivery.deliver(this, ann, bug);
    clock.advance(HALF_AN_HOUR);
    follow(bob, ann);
    var edge = new FollowEdges(table).get(bob, ann).orElseThrow();
    apply(NO_LISTS, Hook.NONE, Backfill.class, new Change.Inserted(edge));
    return rows(
        FeedEntry.class, row -> row.postId().equals(post.postId()) && row.readerId().equals(bob));
  }

  /** What puts a post into the feeds of the followers of its time. */
  private enum EarlierDelivery {
    OF_A_NEW_POST {
      @Override
      Post deliver(ITHandlerRaces races, String author, Wire bug) {
        var post = races.post(author, Visibility.PUBLIC, author);
        races.apply(bug.over(NO_LISTS), Hook.NONE, FanOut.class, post);
        return post;
      }
    },
    OF_ONE_THAT_BECAME_PUBLIC {
      @Override
      Post deliver(ITHandlerRaces races, String author, Wire bug) {
        var hidden = races.post(author, Visibility.PRIVATE, author);
        var posts = new Posts(races.table);
        var shown =
            posts.changeVisibility(hidden.postId(), author, Visibility.PUBLIC).orElseThrow();
        var change = new Change.Modified(hidden, shown);
        races.apply(bug.over(NO_LISTS), Hook.NONE, ChangeVisibility.class, change);
        return shown;
      }
    };

    abstract Post deliver(ITHandlerRaces races, String author, Wire bug);
  }

  /** The delivery read the followers before the unfollow. Only that can remove the entry. */
  @Test
  void unfollow_afterADelivery_removesTheEntryBeforeTheIndexShowsThePost() {
    assertThat(entriesAfterAnUnfollow(Wire.SOUND)).isEmpty();
    assertThat(entriesAfterAnUnfollow(FORGETS_DELIVERIES)).hasSize(1);
  }

  private List<FeedEntry> entriesAfterAnUnfollow(Wire bug) {
    var ann = user("ann");
    var bob = user("bob");
    follow(bob, ann);
    var edge = new FollowEdges(table).get(bob, ann).orElseThrow();
    var post = post(ann, Visibility.PUBLIC, ann);
    apply(bug.over(NO_LISTS), Hook.NONE, FanOut.class, post);
    clock.advance(HALF_AN_HOUR);
    new FollowWriter(table, CAP).unfollow(bob, ann);
    apply(NO_LISTS, Hook.NONE, RemoveFromFeed.class, new Change.Removed(edge));
    return rows(
        FeedEntry.class, row -> row.postId().equals(post.postId()) && row.readerId().equals(bob));
  }

  /**
   * The index shows a post to a backfill or a rebuild before its own delivery has begun, and then,
   * from another replica, to no unfollow.
   */
  @ParameterizedTest
  @EnumSource(EarlyEntry.class)
  void unfollow_beforeADelivery_removesTheEntryAlsoWhereTheIndexIsOlder(EarlyEntry early) {
    assertThat(entriesWithoutADelivery(early, Wire.SOUND)).isEmpty();
    assertThat(entriesWithoutADelivery(early, FORGETS_DELIVERIES)).hasSize(1);
  }

  private List<FeedEntry> entriesWithoutADelivery(EarlyEntry early, Wire bug) {
    var ann = user("ann");
    var bob = user("bob");
    follow(bob, ann);
    var edge = new FollowEdges(table).get(bob, ann).orElseThrow();
    var post = early.write(this, edge, bug);
    assertThat(rows(FeedEntry.class, row -> row.postId().equals(post.postId()))).hasSize(1);
    clock.advance(HALF_AN_HOUR);
    new FollowWriter(table, CAP).unfollow(bob, ann);
    apply(NO_LISTS, Hook.NONE, RemoveFromFeed.class, new Change.Removed(edge));
    return rows(FeedEntry.class, row -> row.postId().equals(post.postId()));
  }

  /** The process stops after the entry. By then the post must be noted. */
  @ParameterizedTest
  @EnumSource(EarlyEntry.class)
  void unfollow_afterAnAttemptThatOnlyWroteTheEntry_removesIt(EarlyEntry early) {
    var ann = user("ann");
    var bob = user("bob");
    follow(bob, ann);
    var edge = new FollowEdges(table).get(bob, ann).orElseThrow();
    var cutOff = new PlantedWires.CutOff(ITHandlerRaces::writesAnEntry);
    assertThatThrownBy(() -> early.write(this, edge, cutOff)).isInstanceOf(Crash.class);
    assertThat(rows(FeedEntry.class, row -> row.readerId().equals(bob))).hasSize(1);
    clock.advance(HALF_AN_HOUR);
    new FollowWriter(table, CAP).unfollow(bob, ann);

    apply(NO_LISTS, Hook.NONE, RemoveFromFeed.class, new Change.Removed(edge));

    assertThat(rows(FeedEntry.class, row -> row.readerId().equals(bob))).isEmpty();
  }

  /** What writes an entry of a post that only the index knows. */
  private enum EarlyEntry {
    OF_A_FOLLOW {
      @Override
      Post write(ITHandlerRaces races, Follow edge, Wire bug) {
        var post = races.post(edge.followeeId(), Visibility.PUBLIC, edge.followeeId());
        races.apply(bug, Hook.NONE, Backfill.class, new Change.Inserted(edge));
        return post;
      }
    },
    OF_A_RETURN {
      @Override
      Post write(ITHandlerRaces races, Follow edge, Wire bug) {
        new FollowEdges(races.table).noteBackfilled(edge, edge.createdAt());
        races.clock.advance(FeedActivity.LEFT_OUT_AFTER.plusDays(1));
        var post = races.post(edge.followeeId(), Visibility.PUBLIC, edge.followeeId());
        var activity =
            new FeedActivities(races.table)
                .read(edge.followerId(), races.clock.instant(), () -> Optional.of(START));
        races.apply(bug, Hook.NONE, Rebuild.class, new Change.Inserted(activity));
        return post;
      }
    };

    abstract Post write(ITHandlerRaces races, Follow edge, Wire bug);
  }

  /** The delivery left the reader out before the return. Only the rebuild can deliver the post. */
  @Test
  void return_afterADelivery_getsThePostBeforeTheIndexShowsIt() {
    assertThat(entriesAfterAReturn(Wire.SOUND)).hasSize(1);
    assertThat(entriesAfterAReturn(FORGETS_DELIVERIES)).isEmpty();
  }

  private List<FeedEntry> entriesAfterAReturn(Wire bug) {
    var ann = user("ann");
    var bob = user("bob");
    follow(bob, ann);
    var edge = new FollowEdges(table).get(bob, ann).orElseThrow();
    new FollowEdges(table).noteBackfilled(edge, edge.createdAt());
    clock.advance(FeedActivity.LEFT_OUT_AFTER.plusDays(1));
    var post = post(ann, Visibility.PUBLIC, ann);
    apply(bug.over(NO_LISTS), Hook.NONE, FanOut.class, post);
    clock.advance(HALF_AN_HOUR);
    var activity = new FeedActivities(table).read(bob, clock.instant(), () -> Optional.of(START));
    apply(NO_LISTS, Hook.NONE, Rebuild.class, new Change.Inserted(activity));
    return rows(
        FeedEntry.class, row -> row.postId().equals(post.postId()) && row.readerId().equals(bob));
  }

  /** The author deletes a post that a rebuild has read and not yet written. */
  @Test
  void post_deletedDuringAReturn_leavesTheFeedBeforeItsIndexShowsTheEntry() {
    var ann = user("ann");
    var bob = user("bob");
    follow(bob, ann);
    var edge = new FollowEdges(table).get(bob, ann).orElseThrow();
    new FollowEdges(table).noteBackfilled(edge, edge.createdAt());
    clock.advance(FeedActivity.LEFT_OUT_AFTER.plusDays(1));
    var post = post(ann, Visibility.PUBLIC, ann);
    apply(Wire.SOUND, Hook.NONE, FanOut.class, post);
    var activity = new FeedActivities(table).read(bob, clock.instant(), () -> Optional.of(START));
    var hook =
        new Hook(
            BatchWriteItemRequest.class::isInstance,
            () -> {
              new Posts(table).delete(post.postId(), ann, clock.instant());
              apply(Wire.SOUND, Hook.NONE, CleanUpPost.class, new Change.Removed(post));
            });
    apply(Wire.SOUND, hook, Rebuild.class, new Change.Inserted(activity));

    assertThat(rows(FeedEntry.class, row -> row.postId().equals(post.postId()))).isEmpty();
  }

  private static final Wire NO_LISTS = new PlantedWires.EmptyAuthorLists();

  private static final Wire FORGETS_DELIVERIES =
      new PlantedWires.Without(item -> isA(RecentDelivery.class, item));

  @Test
  void change_whoseLaterChangeWasReflectedMeanwhile_leavesTheLaterState() {
    assertThat(entriesOfOthers(Wire.SOUND)).isEmpty();
    assertThat(entriesOfOthers(new PlantedWires.Refusing(ITHandlerRaces::notesReflection)))
        .isNotEmpty();
  }

  /**
   * A post is hidden, and that is reflected completely, right before an earlier effect writes that
   * the post is shown.
   */
  private List<FeedEntry> entriesOfOthers(Wire bug) {
    var shown = changed(Visibility.PRIVATE, Visibility.PUBLIC);
    var post = (Post) ((Change.Modified) shown).after();
    var hook =
        new Hook(
            ITHandlerRaces::writesAnEntry,
            () -> {
              var hidden =
                  new Posts(table)
                      .changeVisibility(post.postId(), post.authorId(), Visibility.PRIVATE)
                      .orElseThrow();
              apply(bug, Hook.NONE, ChangeVisibility.class, new Change.Modified(post, hidden));
            });
    apply(bug, hook, ChangeVisibility.class, shown);
    return rows(
        FeedEntry.class,
        row -> row.postId().equals(post.postId()) && !row.readerId().equals(post.authorId()));
  }

  private static boolean writesAnEntry(DynamoDbRequest request) {
    return request instanceof BatchWriteItemRequest writes
        && writes.requestItems().values().stream()
            .flatMap(List::stream)
            .anyMatch(
                write ->
                    write.putRequest() != null && isA(FeedEntry.class, write.putRequest().item()));
  }

  private static boolean notesReflection(DynamoDbRequest request) {
    return request instanceof UpdateItemRequest update
        && update.expressionAttributeNames().containsValue(Post.REFLECTED_VERSION);
  }

  /** A stale read after a write would decide that nothing has changed meanwhile. */
  @ParameterizedTest
  @EnumSource(SecondRead.class)
  void handler_readsStronglyAfterItsWrites(SecondRead handler) {
    assertThat(weakReadsAfterWrites(handler, Wire.SOUND)).isEmpty();
    assertThat(weakReadsAfterWrites(handler, new PlantedWires.WeakAfterWrites())).isNotEmpty();
  }

  /** The effects that write and then read again, each with a change that causes it. */
  private enum SecondRead {
    FAN_OUT(FanOut.class, races -> new Change.Inserted(races.postWithFollower(Visibility.PUBLIC))),
    MENTION(
        NotifyMentioned.class,
        races -> new Change.Inserted(races.postWithFollower(Visibility.FOLLOWERS))),
    SPECIAL_FOLLOWERS(
        NotifySpecialFollowers.class,
        races -> new Change.Inserted(races.postWithFollower(Visibility.PUBLIC))),
    BECAME_PRIVATE(
        ChangeVisibility.class, races -> races.changed(Visibility.PUBLIC, Visibility.PRIVATE)),
    BECAME_PUBLIC(
        ChangeVisibility.class, races -> races.changed(Visibility.PRIVATE, Visibility.PUBLIC)),
    TAGS(WriteTags.class, races -> races.changed(Visibility.PUBLIC, Visibility.FOLLOWERS)),
    FOLLOW(
        Backfill.class,
        races -> {
          var post = races.postWithFollower(Visibility.PUBLIC);
          return new Change.Inserted(races.edgeTo(post));
        }),
    UNFOLLOW(
        RemoveFromFeed.class,
        races -> {
          var post = races.postWithFollower(Visibility.PUBLIC);
          var edge = races.edgeTo(post);
          new HomeFeeds(races.table).deliver(List.of(FeedEntry.of(post.ref(), edge.followerId())));
          new FollowWriter(races.table, CAP).unfollow(edge.followerId(), edge.followeeId());
          return new Change.Removed(edge);
        }),
    LIKE(
        PostInteraction.class,
        races -> {
          var post = races.postWithFollower(Visibility.PUBLIC);
          var liker = races.edgeTo(post).followerId();
          var like = new Like(post.postId(), liker, post.authorId(), Timestamps.now(races.clock));
          new Likes(races.table).add(like);
          return new Change.Inserted(like);
        });

    private final Class<? extends Effect> effect;
    private final Function<ITHandlerRaces, Change> change;

    SecondRead(Class<? extends Effect> effect, Function<ITHandlerRaces, Change> change) {
      this.effect = effect;
      this.change = change;
    }
  }

  /** Writes a post with a tag that mentions its only follower, who is a special one. */
  private Post postWithFollower(Visibility visibility) {
    var ann = user("ann");
    var bob = user("bob");
    follow(bob, ann);
    new SpecialFollowWriter(table, CAP).mark(bob, ann, clock.instant());
    return post(ann, visibility, bob);
  }

  private Follow edgeTo(Post post) {
    var bob = post.mentions().getFirst().userId();
    return new FollowEdges(table).get(bob, post.authorId()).orElseThrow();
  }

  private Change changed(Visibility before, Visibility after) {
    var post = postWithFollower(before);
    new Posts(table).changeVisibility(post.postId(), post.authorId(), after);
    return new Change.Modified(post, new Posts(table).get(post.postId()).orElseThrow());
  }

  private List<DynamoDbRequest> weakReadsAfterWrites(SecondRead handler, Wire bug) {
    var change = handler.change.apply(this);
    var weak = new ArrayList<DynamoDbRequest>();
    var isWritten = new boolean[1];
    var log =
        new Wire() {
          @Override
          public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> answer) {
            isWritten[0] |= PlantedWires.writes(request);
            if (isWritten[0] && isWeak(request)) {
              weak.add(request);
            }
            return answer.apply(request);
          }
        };
    apply(bug, log, handler.effect, change);
    assertThat(isWritten).containsExactly(true);
    return weak;
  }

  private static boolean notesBackfill(DynamoDbRequest request) {
    return request instanceof UpdateItemRequest update
        && update.expressionAttributeNames().containsValue(Follow.FEED_SINCE);
  }

  private static boolean isWeak(DynamoDbRequest request) {
    return switch (request) {
      case GetItemRequest get -> !Boolean.TRUE.equals(get.consistentRead());
      // An index has no strongly consistent reads.
      case QueryRequest query ->
          query.indexName() == null && !Boolean.TRUE.equals(query.consistentRead());
      case BatchGetItemRequest get ->
          get.requestItems().values().stream()
              .anyMatch(keys -> !Boolean.TRUE.equals(keys.consistentRead()));
      default -> false;
    };
  }

  @Test
  void countedEvent_isRememberedForThirtyDays() {
    assertThat(remembered(Wire.SOUND)).isBetween(MARKS_LIVE.minusMinutes(1), MARKS_LIVE);
    assertThat(remembered(FOR_A_WEEK)).isLessThan(MARKS_LIVE.minusMinutes(1));
  }

  private Duration remembered(Wire bug) {
    var post = post(user("ann"), Visibility.PUBLIC, "stranger");
    apply(bug, Hook.NONE, CountOnce.class, post);
    var mark = rows(ProcessedEvent.class, row -> row.name().contains(post.postId())).getFirst();
    return Duration.between(clock.instant(), Instant.ofEpochSecond(mark.expiresAt()));
  }

  private static final Wire FOR_A_WEEK =
      new Wire() {
        @Override
        @SuppressWarnings("unchecked") // A rebuilt request has the type of the original.
        public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> answer) {
          if (!(request instanceof TransactWriteItemsRequest transaction)) {
            return answer.apply(request);
          }
          var writes =
              transaction.transactItems().stream()
                  .map(
                      write -> {
                        if (write.put() == null || !isA(ProcessedEvent.class, write.put().item())) {
                          return write;
                        }
                        var mark = (ProcessedEvent) RowCodec.decode(write.put().item());
                        var shorter =
                            new ProcessedEvent(
                                mark.name(),
                                mark.expiresAt() - MARKS_LIVE.minusDays(7).toSeconds());
                        return write.toBuilder()
                            .put(write.put().toBuilder().item(RowCodec.encode(shorter)).build())
                            .build();
                      })
                  .toList();
          return answer.apply((Q) transaction.toBuilder().transactItems(writes).build());
        }
      };

  @Test
  void unmark_betweenTheReadsOfARepair_isNotUndone() {
    assertThat(isSpecialAfterTheRepair(Wire.SOUND)).isFalse();
    assertThat(isSpecialAfterTheRepair(new EdgeFirst())).isTrue();
  }

  private boolean isSpecialAfterTheRepair(Wire bug) {
    var ann = user("ann");
    var bob = user("bob");
    follow(bob, ann);
    var special = new SpecialFollowWriter(table, CAP);
    special.mark(bob, ann, clock.instant());
    var reads = new int[1];
    var hook =
        new Hook(
            request -> request instanceof GetItemRequest && ++reads[0] == 2,
            () -> special.unmark(bob, ann));
    new SpecialFollowWriter(engine.over(bug.over(hook)), CAP).repair(bob, ann);
    return new FollowEdges(table).get(bob, ann).orElseThrow().specialSince() != null;
  }

  /** Reads the edge before the quota. */
  private static final class EdgeFirst implements Wire {
    private Object edge = "none";

    @Override
    @SuppressWarnings("unchecked") // Both requests read one item.
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> answer) {
      if (!(request instanceof GetItemRequest get)) {
        return answer.apply(request);
      }
      if (!edge.equals("none")) {
        return (A) edge;
      }
      var reader = requireNonNull(get.key().get(BaseTable.PK)).s().substring(Keys.USERS.length());
      var other = reader.replace("bob", "ann");
      var key = Follow.key(reader, other);
      edge =
          answer.apply(
              (Q)
                  get.toBuilder()
                      .key(
                          Map.of(
                              BaseTable.PK, AttributeValue.fromS(key.partition()),
                              BaseTable.SK, AttributeValue.fromS(key.sort())))
                      .build());
      return answer.apply(request);
    }
  }
}
