package social.feed.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.engine.eventsource.Checkpoints;
import social.feed.engine.eventsource.EventSource;
import social.feed.engine.eventsource.EventSourceSettings;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.FeedRef;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.SteppingClock;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Runs the multiplexer in this process for a table on another engine, in place of the function that
 * the engine cannot run. Each build tests it on the engine of this JVM; on LocalStack it uses the
 * table and the queues that CloudFormation created.
 */
class ITBridge {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private BridgedStack stack;
  private LocalMultiplexer multiplexer;
  private EventSource stream;
  private SeedWorld world;

  @BeforeEach
  void follow() {
    stack = BridgedStack.open();
    multiplexer = stack.multiplexer(new CelebrityRule(2));
    stream = multiplexer.follow(Checkpoints.inMemory(), EventSourceSettings.standard());
    // The multiplexer uses the real time, and skips readers who were inactive for a long time.
    world =
        new SeedWorld(
            stack.table().table(), new SteppingClock(Instant.now().minus(Duration.ofHours(1))));
  }

  @AfterEach
  void stop() {
    stream.close();
    multiplexer.close();
    stack.close();
  }

  private List<String> feedOf(Person reader) {
    return world.feeds.stored(reader.id(), new PageRequest(10, null)).items().stream()
        .map(FeedRef::postId)
        .toList();
  }

  @Test
  void followPostAndLike_haveTheirEffects() {
    var ada = world.user("ada");
    var ben = world.user("ben");
    ben.follows(ada);
    stream.drain(PATIENCE);
    var post = ada.posts("hello #bridge");
    ben.likes(post);
    ben.comments(post, "fine");
    stream.drain(PATIENCE);

    assertThat(feedOf(ben)).containsExactly(post.postId());
    assertThat(feedOf(ada)).containsExactly(post.postId());
    var counted = world.posts.get(post.postId()).orElseThrow();
    assertThat(counted.likesCount()).isEqualTo(1);
    assertThat(counted.commentsCount()).isEqualTo(1);
    assertThat(ada.account().followersCount()).isEqualTo(1);
    assertThat(ada.account().postsCount()).isEqualTo(1);
    assertThat(ben.account().followingCount()).isEqualTo(1);
    assertThat(world.notifications.unreadCount(ada.id())).isEqualTo(3);
  }

  @Test
  void authorBecomesACelebrity_sendsAnEventToTheQueue() {
    var eve = world.user("eve");
    world.user("fay").follows(eve);
    world.user("gus").follows(eve);
    stream.drain(PATIENCE);

    assertThat(eve.account().isCelebrity()).isTrue();
    assertThat(stack.bodies(stack.urls().events()))
        .anyMatch(body -> body.contains(eve.id()) && body.contains("\"is_celebrity\":true"));
  }

  @Test
  void rowOfUnknownKind_isSentToTheDeadLetterQueue() {
    var hal = world.user("hal");
    stack
        .table()
        .client()
        .putItem(
            put ->
                put.tableName(stack.table().table().name())
                    .item(
                        Map.of(
                            "PK", AttributeValue.fromS("USER#" + hal.id()),
                            "SK", AttributeValue.fromS("TEAPOT"),
                            "entity", AttributeValue.fromS("TEAPOT"))));
    stream.drain(PATIENCE);

    assertThat(stack.bodies(stack.urls().deadLetters()))
        .anyMatch(body -> body.contains(hal.id()) && body.contains("TEAPOT"));
  }
}
