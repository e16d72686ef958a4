package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.effect.EffectSettings;
import social.feed.streams.effect.EraseHandler.Erase;
import social.feed.streams.effect.GrantErasuresHandler.GrantErasures;
import social.feed.table.erasure.ErasureQueue;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasurePace;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.SpecialFollower;
import social.feed.table.row.WaitingErasure;
import social.feed.testkit.SeedWorld.Person;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Erasures with a pace, whose orders a test delivers one by one: those of the parts, and those of
 * the clock that grants units.
 */
abstract class PacedErasureScenario extends ErasureScenario {
  static final int PER_SECOND = 1_000;
  static final int LIKES = 400;

  /**
   * A part of an erasure.
   *
   * @param of the account
   * @param removed the posts that it removed
   * @param units the units that it spent
   */
  record Part(String of, int removed, long units, Instant at) {}

  ErasureQueue queue;
  EffectHandlers paced;

  @BeforeEach
  void pause() {
    harness.drain();
    harness.pause();
    queue = new ErasureQueue(harness.table.table(), PER_SECOND);
    paced = paced(Long.MAX_VALUE);
  }

  EffectHandlers paced(long pushedTo) {
    return new EffectHandlers(
        harness.table.table(),
        harness.table.clock(),
        EffectSettings.of(
            StreamHarness.NEWEST,
            BatchSizes.STANDARD,
            new ErasureSweeps.Settings(
                ErasureSweeps.MAX_PERIOD,
                Retention.ERASURE_REST,
                Double.POSITIVE_INFINITY,
                PER_SECOND,
                pushedTo)));
  }

  void aThousandMark(Person author) {
    harness
        .table
        .table()
        .putAll(
            IntStream.range(0, 1_000)
                .mapToObj(i -> new SpecialFollower("fan" + i, author.id(), now()))
                .toList());
  }

  void likedPosts(Person author, int number) {
    for (int i = 0; i < number; i++) {
      set(author.posts("liked").key(), Post.LIKES_COUNT, LIKES);
    }
  }

  void set(Key key, String attribute, long number) {
    harness.set(key, attribute, AttributeValue.fromN(Long.toString(number)));
  }

  /**
   * Delivers each version of the rows as an order, as the stream does, until the erasures rest.
   * Time passes only when the clock of the erasures is all that is left to wait for.
   */
  List<Part> erase(EffectHandlers handlers, Person... people) {
    var parts = new ArrayList<Part>();
    var handled = new HashMap<String, Long>();
    long ordered = -1;
    while (Stream.of(people).anyMatch(person -> erasure(person).step().isUnderWay())) {
      boolean isWaiting = true;
      for (var person : people) {
        var at = erasure(person);
        var last = handled.put(person.id(), at.revision());
        if (at.step().isUnderWay() && (last == null || last < at.revision())) {
          isWaiting = false;
          parts.addAll(part(handlers, person, at));
        }
      }
      var pace = queue.current();
      if (pace.revision() > ordered) {
        ordered = pace.revision();
        if (isWaiting && pace.dueAt().isAfter(now())) {
          advanceTo(pace.dueAt());
        }
        order(handlers, pace);
      } else {
        assertThat(isWaiting).as("no order is under way").isFalse();
      }
    }
    return parts;
  }

  private List<Part> part(EffectHandlers handlers, Person person, Erasure at) {
    var now = now();
    int before = postsLeft(person);
    order(handlers, at);
    var after = erasure(person);
    return after.revision() == at.revision() || !after.step().isUnderWay()
        ? List.of()
        : List.of(
            new Part(
                person.id(), before - postsLeft(person), at.unitsLeft() - after.unitsLeft(), now));
  }

  static void order(EffectHandlers handlers, Erasure at) {
    handlers.apply(List.of(new Erase(at.hash(), at.revision())));
  }

  static void order(EffectHandlers handlers, ErasurePace at) {
    handlers.apply(List.of(new GrantErasures(at.revision())));
  }

  /** Lets the clock go on until it stops. */
  void settle(EffectHandlers handlers) {
    for (var pace = queue.current(); pace.isRunning(); pace = queue.current()) {
      if (pace.dueAt().isAfter(now())) {
        advanceTo(pace.dueAt());
      }
      order(handlers, pace);
    }
  }

  /** The rows that can be read. */
  private Stream<Row> rows() {
    return new TableScanner(harness.table.table())
        .items()
        .flatMap(List::stream)
        .filter(TableScanner.Stored.class::isInstance)
        .map(item -> ((TableScanner.Stored) item).row());
  }

  List<WaitingErasure> waiting() {
    return rows().filter(WaitingErasure.class::isInstance).map(WaitingErasure.class::cast).toList();
  }

  static List<Integer> removed(List<Part> parts) {
    return parts.stream().map(Part::removed).filter(removed -> removed > 0).toList();
  }

  int postsLeft(Person author) {
    return (int)
        rows()
            .filter(row -> row instanceof Post post && post.authorId().equals(author.id()))
            .count();
  }

  void advanceTo(Instant time) {
    harness.table.clock().advance(Duration.between(now(), time));
  }
}
