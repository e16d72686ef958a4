package social.feed.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;
import social.feed.search.EntryKind;
import social.feed.search.IndexEntry;
import social.feed.search.IndexState;
import social.feed.search.IndexedAccount;
import social.feed.search.IndexedPost;
import social.feed.search.SearchIndex;
import social.feed.search.lucene.LuceneIndex;
import social.feed.search.opensearch.OpenSearchIndex;
import social.feed.search.opensearch.ServerAddress;
import social.feed.simulation.UnsteadyServer.Answer;
import social.feed.streams.Multiplexer;
import social.feed.streams.sink.ConfiguredSinks;
import social.feed.streams.sink.Publisher;
import social.feed.streams.sink.SearchSink;
import social.feed.streams.sink.SinkConsumer;
import social.feed.table.erasure.Erasures;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;
import social.feed.table.user.ProfileChange;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.simulation.StreamedTable;

/**
 * A random history whose events go to the sink of a search index that fails, loses answers, and
 * writes late what it seemed to have lost. In every second history the index is on a server, and
 * the faults are those of its requests. In the end the index must have what the table has: public
 * posts and accounts by their present names, and nothing that was deleted, hidden or erased.
 */
final class SearchHistory extends SinkHistory {
  private static final int ACTIONS = 120;
  private static final int PEOPLE = 4;
  private static final int TOO_MANY = 429;

  /** Far longer than the retries of a message. One that fails each time would wait for a day. */
  private static final Duration LONGEST = Duration.ofHours(6);

  private static final Answer DONE = new Answer(200, "{}");
  private static final Pattern VERSION = Pattern.compile("\"version\":\"[^\"]*\"");
  private static final Instant START = Instant.parse("2028-03-01T12:00:00Z");

  /** What is planted, none for the sound system. */
  enum Bug {
    NONE,
    /** The last message wins, whatever its version. */
    VERSIONS_IGNORED,
    /** A deletion leaves nothing that a late message could be compared with. */
    TOMBSTONES_FORGOTTEN,
    /** The consumer deletes what the index refused. */
    REFUSALS_IGNORED,
    /** The queue loses messages and confirms them. */
    MESSAGES_LOST,
    /** The sink does not want changes of profiles. */
    PROFILES_UNWANTED,
    /** An account that is erased stays in the index. */
    ERASURES_IGNORED,
    /** Only deletions remove a post, and not a change of who may see it. */
    HIDDEN_POSTS_KEPT,
    /** A deletion comes in the order of the clock of the stream, which steps back. */
    DELETIONS_BY_THE_CLOCK,
    /** On a server, a request that is refused counts as done. */
    STATUSES_IGNORED(true),
    /** On a server, the version of a document is not read before it is written. */
    VERSIONS_NOT_READ(true);

    /** Whether an index in the process cannot have it. */
    private final boolean isOfServer;

    Bug() {
      this(false);
    }

    Bug(boolean isOfServer) {
      this.isOfServer = isOfServer;
    }
  }

  private final Bug bug;
  private final boolean isOnServer;
  private final UnsteadyDocuments server;
  private final SearchIndex index;
  private final SearchSink sink;
  private final UnsteadySink unsteady;
  private final Publisher reached;
  private final Multiplexer multiplexer;
  private final SinkConsumer consumer;
  private final Map<String, Person> people = new LinkedHashMap<>();
  private final Set<String> everyone = new LinkedHashSet<>();
  private final Map<String, Post> posts = new LinkedHashMap<>();
  private final Set<String> allPosts = new LinkedHashSet<>();
  private int arrived;
  private int names;

  SearchHistory(StreamedTable table, long seed, Bug bug) {
    super(table, seed, START);
    this.bug = bug;
    this.isOnServer = seed % 2 == 0 || bug.isOfServer;
    this.server = new UnsteadyDocuments(this::chance, this::received);
    this.index = opened();
    this.sink = new SearchSink(index);
    this.unsteady = new UnsteadySink(this::write, this::chance);
    this.multiplexer =
        multiplexer(
            sound,
            PLAN.withEvents(),
            outbox(new ConfiguredSinks(List.of(SearchSink.NAME), Set.of())::wanting));
    this.reached = isOnServer ? this::write : unsteady;
    this.consumer = consumer(_ -> Optional.of(this::publish), _ -> List.of());
  }

  private SearchIndex opened() {
    if (isOnServer) {
      return OpenSearchIndex.later(
          ServerAddress.of(server.address()),
          OpenSearchIndex.NAME,
          clock,
          OpenSearchIndex.LONGEST_SEARCH);
    }
    try {
      return LuceneIndex.inMemory(clock);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Answer received(Answer answer) {
    return switch (bug) {
      case STATUSES_IGNORED -> answer.status() >= TOO_MANY ? DONE : answer;
      case VERSIONS_NOT_READ ->
          new Answer(
              answer.status(), VERSION.matcher(answer.body()).replaceAll("\"version\":\"\""));
      default -> answer;
    };
  }

  private void publish(DomainEvent event) {
    try {
      reached.publish(event);
    } catch (IllegalStateException | UncheckedIOException e) {
      if (bug != Bug.REFUSALS_IGNORED) {
        throw e;
      }
    }
  }

  @Override
  boolean losesMessage() {
    return bug == Bug.MESSAGES_LOST && chance(5);
  }

  private void write(DomainEvent event) {
    if ((bug == Bug.PROFILES_UNWANTED && event.type() == EventType.ACCOUNT_CHANGED)
        || (bug == Bug.ERASURES_IGNORED && event.type() == EventType.ACCOUNT_ERASED)
        || (bug == Bug.HIDDEN_POSTS_KEPT && event.type() == EventType.POST_VISIBILITY_CHANGED)) {
      return;
    }
    sink.publish(
        switch (bug) {
          case VERSIONS_IGNORED -> versioned(event, "%050d".formatted(arrived++));
          case DELETIONS_BY_THE_CLOCK -> versioned(event, byTheClock(event));
          default -> event;
        });
    if (bug == Bug.TOMBSTONES_FORGOTTEN) {
      try {
        index.forgetDeletions(clock.instant());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** The time of the record, and its sequence number. */
  private static String byTheClock(DomainEvent event) {
    var second = "%010d".formatted(event.at().getEpochSecond());
    return second + event.version().substring(second.length());
  }

  @Override
  List<String> run() {
    try (server;
        index) {
      for (int i = 0; i < ACTIONS; i++) {
        act();
        if (chance(4)) {
          deliver(multiplexer);
        }
        if (chance(4)) {
          consume(consumer);
        }
        if (chance(60)) {
          goOn();
        }
        clock.advance(Duration.ofSeconds(random.nextInt(3)));
      }
      deliverAll(multiplexer);
      var latest = clock.instant().plus(LONGEST);
      while (areWaiting(_ -> true) && clock.instant().isBefore(latest)) {
        clock.advance(Duration.ofSeconds(5));
        consume(consumer);
      }
      goOn();
      server.becomeSteady();
      return violations();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void goOn() {
    unsteady.goesOn();
    server.goOn();
  }

  private void act() {
    if (people.size() < PEOPLE) {
      var person = world.user("person" + everyone.size());
      people.put(person.id(), person);
      everyone.add(person.id());
      return;
    }
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> any(people.values()).ifPresent(this::post);
      case 3, 4 -> any(posts.values()).ifPresent(this::changeVisibility);
      case 5 -> any(posts.values()).filter(_ -> chance(2)).ifPresent(this::delete);
      case 6 -> any(people.values()).ifPresent(this::rename);
      default -> any(people.values()).filter(_ -> chance(4)).ifPresent(this::erase);
    }
  }

  private void post(Person author) {
    var visibility = chance(3) ? Visibility.FOLLOWERS : Visibility.PUBLIC;
    var post = author.posts("post number %d #tea".formatted(allPosts.size()), visibility);
    posts.put(post.postId(), post);
    allPosts.add(post.postId());
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
    var handle = chance(2) ? person.account().handle() + "x" : null;
    world.users.change(person.id(), new ProfileChange(handle, "name " + names++, null));
  }

  private void erase(Person person) {
    new Erasures(sound, world.users).begin(person.id(), Timestamps.now(clock));
    people.remove(person.id());
    posts.values().removeIf(post -> post.authorId().equals(person.id()));
  }

  private List<String> violations() {
    var violations = new ArrayList<>(givenUp());
    if (areWaiting(_ -> true)) {
      violations.add("Messages wait for more than " + LONGEST);
    }
    try {
      compare(EntryKind.POST, storedPosts(), violations);
      compare(EntryKind.ACCOUNT, storedAccounts(), violations);
    } catch (IOException e) {
      violations.add("The index cannot be read: " + e);
    }
    return violations;
  }

  /** Worlds share a table, but each has an index of its own. */
  private void compare(EntryKind kind, List<? extends IndexEntry> stored, List<String> violations)
      throws IOException {
    Map<String, String> expected =
        stored.stream().collect(Collectors.toMap(IndexEntry::id, IndexEntry::fingerprint));
    var indexed =
        index.statesAfter(kind, "", SearchIndex.MAX_STATES).stream()
            .collect(Collectors.toMap(IndexState::id, IndexState::fingerprint));
    if (!indexed.equals(expected)) {
      violations.add(
          "%s: indexed %s, stored %s"
              .formatted(kind, new TreeMap<>(indexed), new TreeMap<>(expected)));
    }
  }

  private List<IndexedPost> storedPosts() {
    return allPosts.stream()
        .flatMap(id -> world.posts.get(id).stream())
        .filter(post -> post.visibility() == Visibility.PUBLIC)
        .map(
            post ->
                new IndexedPost(
                    post.postId(),
                    post.authorId(),
                    post.text(),
                    Set.copyOf(post.tags()),
                    TimeOrderedId.timeOf(post.postId())))
        .toList();
  }

  private List<IndexedAccount> storedAccounts() {
    return everyone.stream()
        .flatMap(id -> world.users.get(id).stream())
        .map(user -> new IndexedAccount(user.userId(), user.handle(), user.displayName()))
        .toList();
  }
}
