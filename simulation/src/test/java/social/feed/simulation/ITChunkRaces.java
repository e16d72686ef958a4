package social.feed.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import social.feed.streams.change.Change;
import social.feed.streams.effect.DeliverChunkHandler.DeliverChunk;
import social.feed.streams.effect.Effect;
import social.feed.streams.effect.FanOutHandler.FanOut;
import social.feed.streams.effect.RemoveFromFeedHandler.RemoveFromFeed;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.FollowWriter;
import social.feed.table.home.FanOuts;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.post.Posts;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Visibility;
import social.feed.testkit.fault.CrashPoint.Crash;
import social.feed.testkit.fault.Hook;
import social.feed.testkit.fault.Wire;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/**
 * Attempts at a part of an audience that are cut off after a reader has unfollowed, so that only a
 * later attempt can find the reader's entry. Each test also runs with its bug planted.
 */
class ITChunkRaces extends HandlerRaces {
  /** The audience was small in the first attempt, and is cut in the second one. */
  @Test
  void smallDelivery_cutOffAfterAnUnfollow_isCheckedByTheChunksOfTheNextAttempt() {
    assertThat(entriesOfCid(Wire.SOUND)).isEmpty();
    assertThat(entriesOfCid(new PlantedWires.UntriedChunks())).isNotEmpty();
  }

  private List<FeedEntry> entriesOfCid(Wire bug) {
    var ann = user("ann");
    var bob = user("bob");
    var cid = user("cid");
    var dot = user("dot");
    follow(cid, ann);
    var post = post(ann, Visibility.PUBLIC, ann);
    var hook =
        new Hook(
            request -> writesEntry(request, cid),
            () -> {
              unfollow(cid, ann);
              follow(bob, ann);
              follow(dot, ann);
            });
    cutOffAfterEntry(cid, hook, FanOut.class, new Change.Inserted(post));
    apply(bug, Hook.NONE, FanOut.class, post);
    var chunks = rows(FanOutChunk.class, row -> row.postId().equals(post.postId()));
    assertThat(chunks).extracting(FanOutChunk::first).containsExactly(bob);
    apply(bug, Hook.NONE, DeliverChunk.class, new Change.Inserted(chunks.getFirst()));
    return rows(
        FeedEntry.class, row -> row.postId().equals(post.postId()) && row.readerId().equals(cid));
  }

  /** The chunks of a changed post are written again, before the earlier one is tried again. */
  @Test
  void chunk_writtenAgainAfterAnAttemptThatWasCutOff_isCheckedByTheNextAttempt() {
    assertThat(entriesAfterChanges(Wire.SOUND)).isEmpty();
    assertThat(entriesAfterChanges(new PlantedWires.UnchangedPosts())).isNotEmpty();
  }

  private List<FeedEntry> entriesAfterChanges(Wire bug) {
    var ann = user("ann");
    var bob = user("bob");
    var cid = user("cid");
    follow(bob, ann);
    follow(cid, ann);
    var post = post(ann, Visibility.PUBLIC, ann);
    apply(Wire.SOUND, Hook.NONE, FanOut.class, post);
    var chunk = rows(FanOutChunk.class, row -> row.postId().equals(post.postId())).getFirst();
    var record = new Change.Inserted(chunk);
    var hook = new Hook(request -> writesEntry(request, cid), () -> unfollow(cid, ann));
    cutOffAfterEntry(cid, hook, DeliverChunk.class, record);
    new Posts(table).changeVisibility(post.postId(), ann, Visibility.PRIVATE);
    new Posts(table).changeVisibility(post.postId(), ann, Visibility.PUBLIC);
    var fanOuts = new FanOuts(table);
    fanOuts.forget(post.postId());
    fanOuts.add(chunk);
    apply(bug, Hook.NONE, DeliverChunk.class, record);
    return rows(
        FeedEntry.class, row -> row.postId().equals(post.postId()) && row.readerId().equals(cid));
  }

  private void cutOffAfterEntry(
      String reader, Wire hook, Class<? extends Effect> kind, Change change) {
    var cutOff = new PlantedWires.CutOff(request -> writesEntry(request, reader));
    assertThatThrownBy(() -> apply(cutOff, hook, kind, change)).isInstanceOf(Crash.class);
  }

  private void unfollow(String follower, String followee) {
    var edge = new FollowEdges(table).get(follower, followee).orElseThrow();
    new FollowWriter(table, CAP).unfollow(follower, followee);
    apply(Wire.SOUND, Hook.NONE, RemoveFromFeed.class, new Change.Removed(edge));
  }

  private static boolean writesEntry(DynamoDbRequest request, String reader) {
    return request instanceof BatchWriteItemRequest writes
        && writes.requestItems().values().stream()
            .flatMap(List::stream)
            .filter(write -> write.putRequest() != null)
            .map(write -> RowCodec.decode(write.putRequest().item()))
            .anyMatch(row -> row instanceof FeedEntry entry && entry.readerId().equals(reader));
  }
}
