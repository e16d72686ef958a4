package social.feed.simulation;

import static java.util.Objects.requireNonNull;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.event.DomainEvent;
import social.feed.search.EntryKind;
import social.feed.search.IndexState;
import social.feed.search.SearchIndex;
import social.feed.simulation.UnsteadyIndex.Answer;
import social.feed.streams.Multiplexer;
import social.feed.streams.index.IndexEntries;
import social.feed.streams.index.TableIndex;
import social.feed.streams.sink.ConfiguredSinks;
import social.feed.streams.sink.EventOutbox;
import social.feed.streams.sink.IndexTraces;
import social.feed.streams.sink.Publisher;
import social.feed.streams.sink.SearchSink;
import social.feed.streams.sink.SinkConsumer;
import social.feed.streams.sink.SinkMessage;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.erasure.ErasureTraces;
import social.feed.table.erasure.Erasures;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.Post;
import social.feed.table.row.RowKind;
import social.feed.table.row.Visibility;
import social.feed.table.user.ProfileChange;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.simulation.StreamedTable;
import social.feed.testkit.simulation.Subject;

/**
 * A random history of some weeks in which accounts are erased that a search index has. The queue
 * fails, repeats and reorders. The index refuses, loses answers, writes late, and its process is
 * killed, also just after a proof. It is down for more than a day, and what becomes a dead letter
 * meanwhile is redriven later or deleted. In the end messages come again that are older than the
 * index keeps deletions. Corrections of the index run, and other things happen at each of their
 * steps.
 *
 * <p>When an erasure is reported as done, no search finds anything of the account, then and at any
 * later time. Once the index works again, each erasure ends.
 */
final class ErasureHistory extends SinkHistory {
  private static final int ACTIONS = 60;
  private static final int PEOPLE = 3;
  private static final int DOWN_FROM = 12;
  private static final int DOWN_TO = 34;
  private static final int HOURS_AT_ONCE = 4;

  /**
   * More sweeps than an erasure takes with an index that works and a queue that sometimes fails.
   */
  private static final int SWEEPS = 8;

  /** Of an author, in one request. */
  private static final int PAGE = 2;

  private static final Instant START = Instant.parse("2030-03-01T12:00:00Z");

  /** Later than any message about a deleted row. */
  private static final Duration DELETIONS_KEPT = Retention.LATEST_EFFECT.plus(SinkMessage.PATIENCE);

  /** A history takes some weeks, and the sweeps of a table do not go back in time. */
  private static final Duration APART = Duration.ofDays(100);

  /** What is planted, none for the sound system. */
  enum Bug {
    NONE,
    /** An erasure ends without a question to the index. */
    INDEX_NOT_ASKED,
    /** An index that does not answer has nothing. */
    SILENCE_MEANS_NOTHING,
    /** A removal that is on the queue counts as done. */
    REMOVALS_NOT_AWAITED,
    /** Only posts are looked for. */
    PROFILES_NOT_ASKED,
    /** Only the profile is looked for. */
    POSTS_NOT_ASKED,
    /** The walk through the posts of an author leaves out a page. */
    PAGE_SKIPPED,
    /** A deletion that is not durable yet counts. */
    UNCOMMITTED_TRUSTED,
    /** The removal has the version of the entry, and the index ignores it. */
    REMOVAL_WITHOUT_A_HIGHER_VERSION,
    /** A late message has the text of its record, and no row is read. */
    TEXT_OF_THE_RECORD,
    /** A correction writes rows that it has read before. */
    CORRECTION_OF_OLD_ROWS
  }

  private final Bug bug;
  private final UnsteadyIndex index;
  private final RowsOfRecords images = new RowsOfRecords(Set.of(RowKind.POST, RowKind.USER));
  private final TableIndex upkeep;
  private final Multiplexer multiplexer;
  private final SinkConsumer consumer;
  private final ErasureSweeps sweeps;
  private final Map<String, Person> people = new LinkedHashMap<>();
  private final Set<String> everyone = new LinkedHashSet<>();
  private final Map<String, Post> posts = new LinkedHashMap<>();
  private final Map<String, String> authors = new LinkedHashMap<>();

  private final Set<String> erased = new LinkedHashSet<>();
  private final Set<String> done = new LinkedHashSet<>();
  private final Set<String> violations = new LinkedHashSet<>();
  private boolean isCorrecting;
  private int names;

  ErasureHistory(StreamedTable table, long seed, Bug bug) {
    super(table, seed, START.plus(APART.multipliedBy(seed)));
    this.bug = bug;
    this.index = new UnsteadyIndex(clock, this::chance);
    this.sweeps = new ErasureSweeps(sound, Subject.SWEEPS);
    this.upkeep =
        new TableIndex(
            bug == Bug.CORRECTION_OF_OLD_ROWS ? table.over(images) : sound,
            index.asReached(this::amidOthers));
    var outbox = outbox(new ConfiguredSinks(List.of(SearchSink.NAME), Set.of())::wanting);
    this.multiplexer = multiplexer(sound, PLAN.withEvents(), outbox, traces());
    var sink = new SearchSink(index.asReached());
    this.consumer =
        consumer(
            _ -> Optional.<Publisher>of(sink),
            _ -> List.of(),
            bug == Bug.TEXT_OF_THE_RECORD ? table.over(images) : sound);
  }

  private ErasureTraces traces() {
    var right =
        new IndexTraces(
            index.asReached(this::asked),
            new EventOutbox(this::sendRemovals, _ -> List.of(), clock),
            clock);
    return switch (bug) {
      case INDEX_NOT_ASKED -> ErasureTraces.NONE;
      case SILENCE_MEANS_NOTHING -> userId -> areLeft(right, userId);
      case REMOVALS_NOT_AWAITED ->
          userId -> {
            var _ = right.areLeft(userId);
            return false;
          };
      default -> right;
    };
  }

  private static boolean areLeft(ErasureTraces traces, String userId) {
    try {
      return traces.areLeft(userId);
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  private void sendRemovals(List<SinkMessage> messages, Duration delay) {
    send(
        bug == Bug.REMOVAL_WITHOUT_A_HIGHER_VERSION
            ? messages.stream().map(ErasureHistory::withVersionOfTheEntry).toList()
            : messages,
        delay);
  }

  private static SinkMessage withVersionOfTheEntry(SinkMessage message) {
    DomainEvent event = message.event();
    var version = event.version().substring(0, event.version().length() - 1);
    return new SinkMessage(
        message.sink(), message.failures(), message.since(), versioned(event, version));
  }

  /** The index as an erasure asks it. */
  private @Nullable Object asked(String method, @Nullable Object[] arguments, Answer right)
      throws IOException {
    boolean isPlanted =
        method.equals(
            switch (bug) {
              case UNCOMMITTED_TRUSTED -> "commit";
              case PROFILES_NOT_ASKED -> "states";
              case POSTS_NOT_ASKED, PAGE_SKIPPED -> "statesOf";
              default -> "";
            });
    if (!isPlanted || bug == Bug.PAGE_SKIPPED) {
      var answer = right.get();
      return isPlanted ? ((List<?>) requireNonNull(answer)).stream().skip(PAGE).toList() : answer;
    }
    return bug == Bug.UNCOMMITTED_TRUSTED ? null : List.of();
  }

  /** Whatever happens between two steps of a correction. */
  private @Nullable Object amidOthers(String method, @Nullable Object[] arguments, Answer right)
      throws IOException {
    if (!method.equals("states")) {
      somethingHappens();
    }
    var answer = right.get();
    somethingHappens();
    return answer;
  }

  private void somethingHappens() {
    if (chance(3)) {
      act();
    }
    if (chance(3)) {
      deliver(multiplexer);
    }
    if (chance(3)) {
      consume(consumer);
    }
    clock.advance(Duration.ofSeconds(random.nextInt(30)));
    check();
  }

  @Override
  void receives(DynamodbStreamRecord received) {
    images.keep(received);
  }

  @Override
  Collection<String> run() {
    try (index) {
      for (int i = 0; i < ACTIONS && violations.isEmpty(); i++) {
        boolean isDown = i >= DOWN_FROM && i < DOWN_TO;
        index.setDown(isDown);
        act();
        if (isDown) {
          clock.advance(Duration.ofHours(random.nextInt(HOURS_AT_ONCE)));
        }
        if (isDown || chance(2)) {
          deliver(multiplexer);
        }
        if (isDown || chance(2)) {
          consume(consumer);
        }
        happensToTheIndex();
        if (chance(8)) {
          sweep();
          while (chance(2)) {
            // What one sweep has removed is hardly gone when the next one asks.
            deliverAll(multiplexer);
            consume(consumer);
            check();
            sweep();
          }
        }
        clock.advance(Duration.ofSeconds(random.nextInt(5)));
        check();
      }
      if (violations.isEmpty()) {
        end();
      }
      return violations;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void act() {
    if (people.size() < PEOPLE) {
      var person = world.user("erasable" + everyone.size());
      people.put(person.id(), person);
      everyone.add(person.id());
      return;
    }
    switch (random.nextInt(9)) {
      case 0, 1, 2, 3 -> any(people.values()).ifPresent(this::post);
      case 4 -> any(posts.values()).ifPresent(this::changeVisibility);
      case 5 -> any(posts.values()).ifPresent(this::delete);
      case 6 -> any(people.values()).ifPresent(this::rename);
      default -> any(people.values()).filter(_ -> chance(2)).ifPresent(this::erase);
    }
  }

  private void post(Person author) {
    var visibility = chance(4) ? Visibility.FOLLOWERS : Visibility.PUBLIC;
    var post = author.posts("post number %d".formatted(authors.size()), visibility);
    posts.put(post.postId(), post);
    authors.put(post.postId(), author.id());
  }

  private void changeVisibility(Post post) {
    var next = Visibility.values()[random.nextInt(Visibility.values().length)];
    world.posts.changeVisibility(post.postId(), post.authorId(), next);
  }

  private void delete(Post post) {
    world.posts.delete(post.postId(), post.authorId(), clock.instant());
    posts.remove(post.postId());
  }

  private void rename(Person person) {
    world.users.change(person.id(), new ProfileChange(null, "name " + names++, null));
  }

  private void erase(Person person) {
    new Erasures(sound, world.users).begin(person.id(), Timestamps.now(clock));
    erased.add(person.id());
    people.remove(person.id());
    posts.values().removeIf(post -> post.authorId().equals(person.id()));
  }

  private void happensToTheIndex() throws IOException {
    if (chance(4)) {
      index.goesOn();
    }
    if (chance(10)) {
      index.kill();
    }
    if (chance(10)) {
      correct();
    }
    if (chance(12)) {
      redrive(List::of);
    }
    if (chance(20)) {
      dropDeadLetters();
    }
    if (chance(20)) {
      index.sound().forgetDeletions(clock.instant().minus(DELETIONS_KEPT));
    }
  }

  /** Corrects some entries. Ids of rows that are gone come from the index. */
  private void correct() {
    if (isCorrecting) {
      return;
    }
    isCorrecting = true;
    try {
      upkeep.align(EntryKind.POST, some(authors.keySet()));
      upkeep.align(EntryKind.ACCOUNT, some(everyone));
    } catch (UncheckedIOException e) {
      // The command fails, and is repeated.
    } finally {
      isCorrecting = false;
    }
  }

  private List<String> some(Collection<String> ids) {
    return ids.stream().filter(_ -> chance(2)).toList();
  }

  /** Begins a sweep that may be a proof. What hung for hours is over. */
  private void sweep() {
    index.goesOn();
    clock.advance(Retention.ERASURE_REST.plusHours(1));
    sweeps.wake(Timestamps.now(clock));
    if (chance(2)) {
      deliverAll(multiplexer);
    }
  }

  /** Notes which erasures are done, and looks for what is left of them. */
  private void check() {
    for (var id : erased) {
      if (!done.contains(id) && isReported(id)) {
        done.add(id);
        index.kill();
      }
    }
    for (var id : done) {
      var found = found(id);
      if (!found.isEmpty()) {
        violations.add("%s is erased, and found as %s".formatted(id, found));
      }
    }
  }

  private boolean isReported(String userId) {
    return erasure(userId).step() == ErasureStep.ERASED;
  }

  private Erasure erasure(String userId) {
    return new Erasures(sound, world.users).of(userId).orElseThrow();
  }

  private Set<String> found(String userId) {
    try {
      var there = index.sound();
      there.refresh();
      return Stream.of(
              there.statesOf(userId, "", SearchIndex.MAX_STATES),
              there.states(EntryKind.ACCOUNT, List.of(userId)))
          .flatMap(List::stream)
          .filter(state -> !state.isDeleted())
          .map(IndexState::id)
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The index works again. Everything ends, also what comes after that. */
  private void end() throws IOException {
    index.becomesSteady();
    for (int i = 0; i < SWEEPS && !done.containsAll(erased); i++) {
      settle();
      sweep();
      settle();
    }
    for (var id : erased) {
      if (!done.contains(id)) {
        violations.add("%s never ends: %s".formatted(id, erasure(id)));
      }
    }
    while (redrive(List::of) > 0) {
      settle();
    }
    clock.advance(DELETIONS_KEPT);
    index.sound().forgetDeletions(clock.instant());
    comeAgain(_ -> chance(3));
    settle();
    upkeep.align(EntryKind.POST, authors.keySet());
    upkeep.align(EntryKind.ACCOUNT, everyone);
    settle();
    compare(EntryKind.POST, authors.keySet());
    compare(EntryKind.ACCOUNT, everyone);
  }

  private void settle() {
    deliverAll(multiplexer);
    while (areWaiting(_ -> true)) {
      clock.advance(Duration.ofSeconds(10));
      consume(consumer);
      check();
    }
    check();
  }

  /** In the end the index has what the table has. */
  private void compare(EntryKind kind, Collection<String> ids) throws IOException {
    var states =
        index.sound().states(kind, ids).stream()
            .collect(Collectors.toMap(IndexState::id, state -> state));
    for (var id : ids) {
      var row = sound.get(IndexEntries.key(kind, id)).map(RowCodec::decode);
      if (!TableIndex.agree(states.get(id), row.flatMap(IndexEntries::of))) {
        violations.add("%s: indexed %s, stored %s".formatted(id, states.get(id), row));
      }
    }
  }
}
