package social.feed.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;
import social.feed.streams.Multiplexer;
import social.feed.streams.sink.SinkConsumer;
import social.feed.table.row.Like;
import social.feed.table.row.Post;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.simulation.StreamedTable;

/**
 * A random history whose events go through a queue that loses answers, repeats and reorders, to a
 * broker that fails, loses answers, and writes late what it seemed to have lost. What consumers of
 * its log see must say what happened, however it comes: each event at least once, copies with one
 * id, and in order of its versions. A consumer of one partition ends with the last event of each of
 * its entities, and no other partition has events of them.
 */
final class EventHistory extends SinkHistory {
  private static final String SINK = "broker";
  private static final int ACTIONS = 120;
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

  /** What is planted, none for the sound system. */
  enum Bug {
    NONE,
    /** The consumer deletes what the broker refused. */
    REFUSALS_IGNORED,
    /** The queue loses messages and confirms them. */
    MESSAGES_LOST,
    /** The version is the order in which events are published. */
    VERSION_OF_PUBLICATION,
    /** Each try has an identity of its own. */
    NEW_ID_FOR_EACH_TRY,
    /** Two changes of one row look like one. */
    VERSION_OF_THE_ROW_KEY,
    /** The key of a record is the event, so an entity is in several partitions. */
    KEY_OF_THE_EVENT,
    /** A consumer takes the order of its partition for that of the changes. */
    VERSIONS_IGNORED
  }

  private final Bug bug;
  private final KeyedLog log;
  private final UnsteadySink broker;

  /** The types of the events of each entity, in the order of what was done. */
  private final Map<String, List<EventType>> done = new TreeMap<>();

  private final Map<String, Post> posts = new LinkedHashMap<>();
  private final Map<String, String> postOfComment = new LinkedHashMap<>();

  /** Likes and comments of these depend on when their events are published. */
  private final Set<String> changedPosts = new LinkedHashSet<>();

  private final Multiplexer multiplexer;
  private final SinkConsumer consumer;
  private int published;

  EventHistory(StreamedTable table, long seed, Bug bug) {
    super(table, seed, START);
    this.bug = bug;
    this.log = new KeyedLog(new Random(-seed), bug != Bug.VERSIONS_IGNORED);
    this.broker = new UnsteadySink(this::write, this::chance, bug == Bug.REFUSALS_IGNORED);
    this.multiplexer = multiplexer(sound, PLAN.withEvents(), outbox(_ -> List.of(SINK)));
    this.consumer = consumer(_ -> Optional.of(this::publish), _ -> List.of());
  }

  @Override
  boolean losesMessage() {
    return bug == Bug.MESSAGES_LOST && chance(5);
  }

  @Override
  List<String> run() {
    var people = new ArrayList<Person>();
    for (int i = 0; i < 3; i++) {
      people.add(register("person" + i));
    }
    for (int i = 0; i < ACTIONS; i++) {
      act(people);
      if (chance(4)) {
        deliver(multiplexer);
      }
      if (chance(4)) {
        consume(consumer);
      }
      if (chance(4)) {
        broker.goesOn();
        log.read();
      }
      if (chance(30)) {
        table.rollShards();
      }
    }
    deliverAll(multiplexer);
    while (areWaiting(_ -> true)) {
      clock.advance(Duration.ofSeconds(5));
      consume(consumer);
      log.read();
    }
    broker.goesOn();
    log.readAll();
    return violations();
  }

  private Person register(String name) {
    var person = world.user(name);
    did("account:" + person.id(), EventType.ACCOUNT_REGISTERED);
    return person;
  }

  private void act(List<Person> people) {
    var one = people.get(random.nextInt(people.size()));
    var other = people.get(random.nextInt(people.size()));
    switch (random.nextInt(6)) {
      case 0 -> follow(one, other);
      case 1 -> post(one);
      case 2 -> like(one);
      case 3 -> changeVisibility();
      case 4 -> {
        if (chance(3)) {
          delete();
        }
      }
      default -> comment(one);
    }
  }

  private void follow(Person one, Person other) {
    if (one.equals(other)) {
      return;
    }
    var entity = "follow:" + one.id() + ":" + other.id();
    if (last(entity) == EventType.FOLLOW_CREATED) {
      one.unfollows(other);
      did(entity, EventType.FOLLOW_DELETED);
    } else {
      one.follows(other);
      did(entity, EventType.FOLLOW_CREATED);
    }
  }

  private void post(Person author) {
    var visibility = chance(3) ? Visibility.FOLLOWERS : Visibility.PUBLIC;
    var post = author.posts("post number " + posts.size(), visibility);
    posts.put(post.postId(), post);
    if (visibility == Visibility.PUBLIC) {
      did("post:" + post.postId(), EventType.POST_CREATED);
    } else {
      changedPosts.add(post.postId());
    }
  }

  private void like(Person person) {
    any(posts.values())
        .ifPresent(
            post -> {
              var entity = "like:" + post.postId() + ":" + person.id();
              if (sound.get(Like.key(post.postId(), person.id())).isPresent()) {
                person.unlikes(post);
                did(entity, EventType.LIKE_DELETED);
              } else {
                person.likes(post);
                did(entity, EventType.LIKE_CREATED);
              }
            });
  }

  private void comment(Person person) {
    any(posts.values())
        .ifPresent(
            post -> {
              var comment = person.comments(post, "a comment");
              postOfComment.put("comment:" + comment.commentId(), post.postId());
              did("comment:" + comment.commentId(), EventType.COMMENT_CREATED);
            });
  }

  private void changeVisibility() {
    any(posts.values())
        .ifPresent(
            post -> {
              var now = world.posts.get(post.postId()).orElseThrow().visibility();
              var next = Visibility.values()[random.nextInt(Visibility.values().length)];
              world.posts.changeVisibility(post.postId(), post.authorId(), next);
              changedPosts.add(post.postId());
              if ((now == Visibility.PUBLIC) != (next == Visibility.PUBLIC)) {
                did("post:" + post.postId(), EventType.POST_VISIBILITY_CHANGED);
              }
            });
  }

  private void delete() {
    any(posts.values())
        .ifPresent(
            post -> {
              var visibility = world.posts.get(post.postId()).orElseThrow().visibility();
              world.posts.delete(post.postId(), post.authorId(), clock.instant());
              posts.remove(post.postId());
              changedPosts.add(post.postId());
              if (visibility == Visibility.PUBLIC) {
                did("post:" + post.postId(), EventType.POST_DELETED);
              }
            });
  }

  private void did(String entity, EventType type) {
    done.computeIfAbsent(entity, _ -> new ArrayList<>()).add(type);
  }

  private EventType last(String entity) {
    var all = done.get(entity);
    return all == null ? EventType.FOLLOW_DELETED : all.getLast();
  }

  private void publish(DomainEvent event) {
    broker.publish(
        switch (bug) {
          case VERSION_OF_PUBLICATION -> versioned(event, "%050d".formatted(published++));
          case NEW_ID_FOR_EACH_TRY -> versioned(event, event.version() + "-" + published++);
          case VERSION_OF_THE_ROW_KEY -> versioned(event, "0");
          default -> event;
        });
  }

  private void write(DomainEvent record) {
    log.append(bug == Bug.KEY_OF_THE_EVENT ? record.id() : record.entity(), record);
  }

  private List<String> violations() {
    var violations = new ArrayList<>(givenUp);
    var seen = seen();
    done.forEach(
        (entity, types) -> {
          if (isCertain(entity)) {
            var events = seen.getOrDefault(entity, List.of());
            var seenTypes = events.stream().map(DomainEvent::type).toList();
            if (!seenTypes.equals(types)) {
              violations.add("%s: seen %s, done %s".formatted(entity, seenTypes, types));
            }
            violations.addAll(state(entity, events));
            violations.addAll(consumed(entity, events));
          }
        });
    seen.keySet().stream()
        .filter(entity -> !entity.startsWith("notification:"))
        .filter(entity -> !done.containsKey(entity) && isCertain(entity))
        .forEach(entity -> violations.add(entity + " was never done"));
    return violations;
  }

  /** What a consumer knows that forgets copies and sorts by version. */
  private Map<String, List<DomainEvent>> seen() {
    var byId = new LinkedHashMap<String, DomainEvent>();
    log.all().forEach(event -> byId.put(event.id(), event));
    return byId.values().stream()
        .sorted(DomainEvent.BY_VERSION)
        .collect(Collectors.groupingBy(DomainEvent::entity));
  }

  /** The consumer of a partition has the last event, and is the only one that has any. */
  private List<String> consumed(String entity, List<DomainEvent> events) {
    var states = log.statesOf(entity);
    if (states.size() > 1) {
      return List.of("%s is in %d partitions".formatted(entity, states.size()));
    }
    return events.isEmpty() || states.getFirst().id().equals(events.getLast().id())
        ? List.of()
        : List.of(
            "%s: consumed %s, published %s".formatted(entity, states, events.getLast().type()));
  }

  /** Events of likes and comments are left out while their post is not public. */
  private boolean isCertain(String entity) {
    if (entity.startsWith("comment:")) {
      return !changedPosts.contains(postOfComment.get(entity));
    }
    return !entity.startsWith("like:") || !changedPosts.contains(entity.split(":", -1)[1]);
  }

  /** The last event of an entity says what the table holds. */
  private List<String> state(String entity, List<DomainEvent> events) {
    if (events.isEmpty()) {
      return List.of();
    }
    var last = events.getLast();
    var id = entity.substring(entity.indexOf(':') + 1);
    if (entity.startsWith("post:")) {
      var stored = world.posts.get(id).filter(post -> post.visibility() == Visibility.PUBLIC);
      var text = stored.map(Post::text).orElse(null);
      return Objects.equals(last.data().get("text"), text)
          ? List.of()
          : List.of("%s: published %s, stored %s".formatted(entity, last.data(), text));
    }
    if (entity.startsWith("account:")) {
      var handle = world.users.get(id).map(User::handle).orElse(null);
      return Objects.equals(last.data().get("handle"), handle)
          ? List.of()
          : List.of("%s: published %s, stored %s".formatted(entity, last.data(), handle));
    }
    return List.of();
  }
}
