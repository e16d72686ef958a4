package social.feed.api.post;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import social.feed.api.http.FeedServer;
import social.feed.api.http.Paged;
import social.feed.table.row.Visibility;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.fault.Wire;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/** Lists whose posts change between the read of the index and that of the posts. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ITPostListRaces {
  private final Queue<Runnable> meanwhile = new ConcurrentLinkedQueue<>();
  private final FeedServer server =
      FeedServer.start(
          Map.of(),
          new Wire() {
            @Override
            public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
              if (readsPosts(request)) {
                var next = meanwhile.poll();
                if (next != null) {
                  next.run();
                }
              }
              return table.apply(request);
            }
          });

  @AfterAll
  void stop() {
    server.close();
  }

  private static boolean readsPosts(DynamoDbRequest request) {
    return request instanceof BatchGetItemRequest batch
        && batch.requestItems().values().stream()
            .flatMap(keys -> keys.keys().stream())
            .anyMatch(key -> key.values().toString().contains("POST#"));
  }

  /** The index may show the state before for a while as well. */
  @Test
  void post_hiddenAfterTheIndexWasRead_isNotListed() {
    Person ann = server.world().user("ann");
    String list = "/v1/users/" + ann.id() + "/posts";
    var reader = server.as(server.world().user("bob"));
    var shown = ann.posts("shown").postId();
    var hidden = ann.posts("hidden").postId();
    assertThat(Paged.ids(reader.get(list))).containsExactly(hidden, shown);
    meanwhile.add(
        () -> server.world().posts.changeVisibility(hidden, ann.id(), Visibility.PRIVATE));

    assertThat(Paged.ids(reader.get(list))).containsExactly(shown);
    assertThat(meanwhile).as("it was hidden before the read of the posts").isEmpty();
  }
}
