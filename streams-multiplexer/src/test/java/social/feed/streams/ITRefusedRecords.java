package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse.BatchItemFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.engine.eventsource.StreamFunction;
import social.feed.streams.effect.Effect;
import social.feed.streams.effect.FanOutHandler.FanOut;
import social.feed.streams.plan.Lane;
import social.feed.table.kernel.store.Concurrency;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.row.Post;

/**
 * A record whose partition refuses comes again many times, and the other records of its batch a few
 * times only: the event source halves the batch until the record is alone.
 */
class ITRefusedRecords {
  private static final int POSTS = 64;

  /** In the whole batch, from the refused record on, in each half with it, and in one without. */
  private static final int MOST = 3 + Integer.numberOfTrailingZeros(POSTS);

  private final Map<String, Integer> applied = new ConcurrentHashMap<>();
  private final AtomicInteger refusalsLeft = new AtomicInteger();
  private volatile String refused = "";
  private final StreamHarness harness =
      StreamHarness.start(
          POSTS, (lane, function, _) -> lane == Lane.EFFECTS ? effects() : function);

  @AfterEach
  void stop() {
    harness.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 60})
  void effectsOfOtherRecords_areAppliedAFewTimes_howeverOftenOneIsRefused(int refusals) {
    var author = harness.world.user("author");
    harness.drain();
    harness.pause();
    var posts = new ArrayList<Post>();
    for (int i = 0; i < POSTS; i++) {
      posts.add(author.posts("post " + i));
    }
    refused = posts.getFirst().postId();
    refusalsLeft.set(refusals);

    // What was read during the pause may be a batch of its own. A new reader finds all posts.
    harness.rebatch(POSTS);
    harness.drain();

    assertThat(refusalsLeft).hasValueLessThanOrEqualTo(0);
    assertThat(applied).hasSize(POSTS);
    assertThat(applied).containsEntry(refused, 1);
    int all = applied.values().stream().mapToInt(times -> times).sum();
    int most = applied.values().stream().mapToInt(times -> times).max().orElseThrow();
    System.out.printf(
        "%d refusals: %d effects of %d posts are applied, one at most %d times%n",
        refusals, all, POSTS, most);
    assertThat(most).isBetween(2, MOST);
    assertThat(all).isLessThanOrEqualTo(4 * POSTS);
  }

  private StreamFunction effects() {
    var runner =
        new EffectsRunner(
            StreamHarness.PLAN,
            this::apply,
            deadLetter -> {
              throw new AssertionError(deadLetter.reason());
            },
            _ -> {},
            Concurrency.ofThreads(4));
    return event -> {
      var response = new TimeWindowEventResponse();
      response.setBatchItemFailures(
          runner.run(event.getRecords()).stream()
              .map(record -> new BatchItemFailure(record.getDynamodb().getSequenceNumber()))
              .toList());
      return response;
    };
  }

  private void apply(List<Effect> effects) {
    var posts =
        effects.stream()
            .filter(FanOut.class::isInstance)
            .map(effect -> ((FanOut) effect).post().postId())
            .toList();
    if (posts.contains(refused) && refusalsLeft.getAndDecrement() > 0) {
      throw new ThrottledException("test", 1, 1);
    }
    posts.forEach(post -> applied.merge(post, 1, Integer::sum));
  }
}
