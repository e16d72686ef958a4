package social.feed.streams;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.row.Follow;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import social.feed.testkit.SeedWorld.Person;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

class ITPoison {
  private StreamHarness harness;
  private Person ann;
  private Person bob;

  @BeforeEach
  void start() {
    harness = StreamHarness.start();
    ann = harness.world.user("ann");
    bob = harness.world.user("bob");
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  @Test
  void itemOfAnUnknownEntity_isOneDeadLetterALane_andBlocksNothing() {
    harness.pause();
    var before = ann.posts("before");
    put(
        Map.of(
            "PK", AttributeValue.fromS("POST#" + before.postId()),
            "SK", AttributeValue.fromS("TEAPOT"),
            "entity", AttributeValue.fromS("TEAPOT")));
    bob.likes(before);
    bob.follows(ann);
    harness.resume();
    harness.drain();
    assertThat(harness.deadLetters)
        .extracting(DeadLetter::handler)
        .containsExactlyInAnyOrder("counts", "decode");
    assertThat(harness.deadLetters)
        .allMatch(deadLetter -> deadLetter.reason().contains("TEAPOT"))
        .allMatch(deadLetter -> deadLetter.record().getDynamodb().getNewImage().containsKey("SK"));
    assertThat(harness.world.posts.get(before.postId()).orElseThrow().likesCount()).isEqualTo(1);
    assertThat(ann.account().followersCount()).isEqualTo(1);
    assertThat(unread(ann)).isEqualTo(2);
  }

  @Test
  void edgeThatLacksAnAttribute_doesNotKeepPostsFromOtherFollowers() {
    putWithout("created_at", Follow.of("a-broken", ann.id(), harness.table.clock().instant()));
    bob.follows(ann);
    harness.drain();
    var post = ann.posts("hello");
    harness.drain();
    assertThat(feed(bob)).containsExactly(post.postId());
    assertThat(harness.deadLetters)
        .extracting(DeadLetter::handler)
        .containsExactlyInAnyOrder("counts", "decode");
    assertThat(ann.account().followersCount()).isEqualTo(1);
  }

  @Test
  void accountThatLacksACounter_isADeadLetterOfThatCount_andBlocksNothing() {
    harness.pause();
    var post = ann.posts("hello");
    remove(ann, "posts_count");
    bob.posts("neighbor");
    bob.follows(ann);
    harness.resume();
    harness.drain();
    assertThat(feed(bob)).contains(post.postId());
    assertThat(bob.account().postsCount()).isEqualTo(1);
    assertThat(bob.account().followingCount()).isEqualTo(1);
    assertThat(harness.deadLetters).extracting(DeadLetter::handler).containsExactly("CountOnce");
    assertThat(harness.table.table().itemsAt(List.of(User.key(ann.id())), true))
        .extracting(item -> requireNonNull(item.get("followers_count")).n())
        .containsExactly("1");
  }

  @Test
  void conflictWithATransaction_isRetried_withoutDeadLetters() {
    harness.between.before(
        UpdateItemRequest.class::isInstance,
        () -> {
          throw TransactionConflictException.builder().statusCode(400).build();
        });
    bob.follows(ann);
    harness.drain();
    assertThat(harness.between.happened()).isTrue();
    assertThat(harness.deadLetters).isEmpty();
    assertThat(ann.account().followersCount()).isEqualTo(1);
    assertThat(bob.account().followingCount()).isEqualTo(1);
  }

  private void putWithout(String attribute, Row row) {
    var item = new HashMap<>(RowCodec.encode(row));
    item.remove(attribute);
    put(item);
  }

  private void put(Map<String, AttributeValue> item) {
    harness.table.client().putItem(p -> p.tableName(harness.table.table().name()).item(item));
  }

  private void remove(Person person, String attribute) {
    harness
        .table
        .client()
        .updateItem(
            u ->
                u.tableName(harness.table.table().name())
                    .key(
                        Map.of(
                            "PK", AttributeValue.fromS("USER#" + person.id()),
                            "SK", AttributeValue.fromS("META")))
                    .updateExpression("REMOVE " + attribute));
  }

  private List<String> feed(Person reader) {
    return harness.world.feeds.stored(reader.id(), PageRequest.first(50)).items().stream()
        .map(ref -> ref.postId())
        .toList();
  }

  private long unread(Person person) {
    return harness.world.notifications.unreadCount(person.id());
  }
}
