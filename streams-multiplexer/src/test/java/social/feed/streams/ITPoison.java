package social.feed.streams;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
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

  @ParameterizedTest
  @ValueSource(strings = {"created_at", "feed_since"})
  void edgeWithATimeThatIsNone_doesNotKeepPostsFromOtherFollowers(String attribute) {
    var edge = Follow.of("a-broken", ann.id(), harness.table.clock().instant());
    putWith(attribute, "yesterday", edge);
    bob.follows(ann);
    harness.drain();
    var post = ann.posts("hello");
    harness.drain();
    assertThat(feed(bob)).containsExactly(post.postId());
    assertThat(ann.account().followersCount()).isEqualTo(1);
  }

  /** A tag with a separator is no part of a key, so neither lane can count it. */
  @Test
  void deletedPostWithATagThatIsNone_isOneDeadLetter_andBlocksNothing() {
    harness.pause();
    var post = ann.posts("hello #sea");
    var neighbor = ann.posts("neighbor");
    var item = new HashMap<>(harness.table.table().get(post.key()).orElseThrow());
    item.put("tags", AttributeValue.fromL(List.of(AttributeValue.fromS("#sea"))));
    put(item);
    ann.deletes(post);
    bob.likes(neighbor);
    harness.resume();
    harness.drain();
    assertThat(harness.deadLetters).extracting(DeadLetter::handler).contains("counts");
    assertThat(harness.world.posts.get(neighbor.postId()).orElseThrow().likesCount()).isEqualTo(1);
    assertThat(ann.account().postsCount()).isEqualTo(1);
  }

  @ParameterizedTest
  @MethodSource("keysOfNothing")
  void itemAtAKeyThatIsNone_isADeadLetter_andBlocksNothing(
      String partition, String sort, Map<String, AttributeValue> attributes) {
    harness.pause();
    var item = new HashMap<>(attributes);
    item.put("PK", AttributeValue.fromS(partition));
    item.put("SK", AttributeValue.fromS(sort));
    put(item);
    var post = ann.posts("hello");
    bob.likes(post);
    harness.resume();
    harness.drain();
    assertThat(harness.deadLetters).extracting(DeadLetter::handler).contains("counts");
    assertThat(harness.world.posts.get(post.postId()).orElseThrow().likesCount()).isEqualTo(1);
  }

  static Stream<Arguments> keysOfNothing() {
    return Stream.of(
        Arguments.of(
            "FOLLOWEE#a#b",
            "FOLLOWER#x",
            Map.of("created_at", AttributeValue.fromS("2026-03-01T09:15:00.500Z"))),
        Arguments.of(
            "USER#a#b",
            "NOTIF#x",
            Map.of(
                "counted", AttributeValue.fromBool(true), "read", AttributeValue.fromBool(false))),
        Arguments.of("TREND#6#sea", "x#SHARD#1", Map.of()));
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

  private void putWith(String attribute, String value, Row row) {
    var item = new HashMap<>(RowCodec.encode(row));
    item.put(attribute, AttributeValue.fromS(value));
    put(item);
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
