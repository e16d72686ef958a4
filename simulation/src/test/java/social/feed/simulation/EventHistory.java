package social.feed.simulation;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.fasterxml.jackson.databind.JsonNode;
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
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import social.feed.event.DomainEvent;
import social.feed.event.EventJson;
import social.feed.event.EventType;
import social.feed.simulation.UnsteadyServer.Answer;
import social.feed.streams.Multiplexer;
import social.feed.streams.sink.EventBridgeEvents;
import social.feed.streams.sink.Publisher;
import social.feed.streams.sink.SinkConsumer;
import social.feed.streams.sink.SinkMessage;
import social.feed.table.erasure.Erasures;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Block;
import social.feed.table.row.Comment;
import social.feed.table.row.Like;
import social.feed.table.row.Mute;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;
import social.feed.table.row.RowKind;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.simulation.StreamedTable;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;

/**
 * A random history whose events go through a queue that loses answers, repeats and reorders, to a
 * broker that fails, loses answers, and writes late what it seemed to have lost. What consumers of
 * its log see must say what happened, however it comes: each event at least once, copies with one
 * id, and in order of its versions. A consumer of one partition ends with the last event of each of
 * its entities, and no other partition has events of them.
 *
 * <p>In two histories of four, the events go through a bus of EventBridge to that log, and the
 * faults are those of its requests, their entries, and its deliveries.
 *
 * <p>Whatever is published must be what everyone may know at that moment. Accounts are erased,
 * block and mute each other, and take likes and comments back, while messages wait. In every second
 * history the broker is down for more than a day: what becomes a dead letter meanwhile is redriven
 * later, behind newer events of the same entities.
 */
final class EventHistory extends SinkHistory {
  private static final String SINK = "broker";
  private static final int ACTIONS = 140;
  private static final int PEOPLE = 4;
  private static final int DOWN_FROM = 40;
  private static final int DOWN_TO = 80;
  private static final int HOURS_AT_ONCE = 4;
  private static final int NOTIFICATIONS = 50;

  /** Further events have no higher version. */
  private static final String HIGHEST = "9999999999-";

  private static final Pattern FAILED_ENTRIES = Pattern.compile("(\"FailedEntryCount\"):\\d+");

  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

  /** A history with a time without the broker takes more than a day. */
  private static final Duration APART = Duration.ofDays(10);

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
    VERSIONS_IGNORED,
    /** Text is that of the record, and its row is not read. */
    TEXT_OF_THE_RECORD,
    /** The accounts of an event are those of their records, and may be erased. */
    ACCOUNTS_OF_THE_RECORD,
    /** A notification is published because it was written, and its row is not read. */
    NOTIFICATION_OF_THE_RECORD,
    /** Blocks that came after a notification are ignored. */
    BLOCKS_IGNORED,
    /** Mutes that came after a notification are ignored. */
    MUTES_IGNORED,
    /** A redrive gives a message a version of its own. */
    REDRIVEN_WITH_A_NEW_VERSION,
    /** A redrive loses the version of a message. */
    REDRIVEN_WITHOUT_ITS_VERSION,
    /** A redrive deletes the messages and puts none on the queue. */
    DEAD_LETTERS_DROPPED,
    /** A request to a bus that succeeds counts for all of its entries. */
    FAILED_ENTRIES_IGNORED,
    /** A consumer knows copies by the id that the bus gave them. */
    ID_OF_THE_BUS,
    /** A consumer takes the time of an entry for its version. */
    TIME_OF_THE_BUS;

    /** The rows that are not read again. */
    Set<RowKind> ofRecords() {
      return switch (this) {
        case TEXT_OF_THE_RECORD -> Set.of(RowKind.POST, RowKind.COMMENT);
        case ACCOUNTS_OF_THE_RECORD -> Set.of(RowKind.USER);
        case NOTIFICATION_OF_THE_RECORD -> Set.of(RowKind.NOTIFICATION);
        default -> Set.of();
      };
    }

    /** The rows that are not read at all. */
    Set<RowKind> unread() {
      return switch (this) {
        case BLOCKS_IGNORED -> Set.of(RowKind.BLOCK, RowKind.BLOCKED_BY);
        case MUTES_IGNORED -> Set.of(RowKind.MUTE);
        default -> Set.of();
      };
    }
  }

  private final Bug bug;
  private final KeyedLog log;
  private final UnsteadySink broker;
  private final UnsteadyBus bus;
  private final EventBridgeClient client;
  private final Publisher reached;

  /** The types of the events of each entity, in the order of what was done. */
  private final Map<String, List<EventType>> done = new TreeMap<>();

  private final Map<String, Person> people = new LinkedHashMap<>();
  private final Set<String> erased = new LinkedHashSet<>();
  private final Map<String, Post> posts = new LinkedHashMap<>();
  private final Map<String, Comment> comments = new LinkedHashMap<>();

  /** Likes and comments of these depend on when their events are published. */
  private final Set<String> changedPosts = new LinkedHashSet<>();

  /** Notifications of one of these by the other depend on that as well. */
  private final Set<Set<String>> silenced = new LinkedHashSet<>();

  private final PublicNow publicNow;
  private final Set<String> leaks = new LinkedHashSet<>();
  private final RowsOfRecords images;
  private final boolean isDownForDays;
  private final Multiplexer multiplexer;
  private final SinkConsumer consumer;
  private int published;
  private int redriven;
  private int registered;

  EventHistory(StreamedTable table, long seed, Bug bug) {
    super(table, seed, START.plus(APART.multipliedBy(seed)));
    this.bug = bug;
    this.publicNow = new PublicNow(sound);
    this.images = new RowsOfRecords(bug.ofRecords());
    this.isDownForDays = seed % 2 == 1;
    this.log = new KeyedLog(new Random(-seed), bug != Bug.VERSIONS_IGNORED);
    this.broker = new UnsteadySink(this::write, this::chance);
    this.bus = new UnsteadyBus(this::chance, this::received, this::delivered);
    this.client = bus.client();
    this.reached = seed % 4 > 1 ? new EventBridgeEvents(client, SINK) : broker;
    this.multiplexer = multiplexer(sound, PLAN.withEvents(), outbox(_ -> List.of(SINK)));
    var content = table.over(images.over(new PlantedWires.Blind(bug.unread())));
    this.consumer = consumer(_ -> Optional.of(this::publish), _ -> List.of(), content);
  }

  @Override
  boolean losesMessage() {
    return bug == Bug.MESSAGES_LOST && chance(5);
  }

  @Override
  void receives(DynamodbStreamRecord received) {
    images.keep(received);
  }

  @Override
  List<String> run() {
    try (bus;
        client) {
      return ran();
    }
  }

  private List<String> ran() {
    for (int i = 0; i < ACTIONS; i++) {
      boolean isDown = isDownForDays && i >= DOWN_FROM && i < DOWN_TO;
      broker.setDown(isDown);
      bus.setDown(_ -> isDown);
      act();
      if (isDown) {
        clock.advance(Duration.ofHours(random.nextInt(HOURS_AT_ONCE)));
      }
      if (chance(4)) {
        deliver(multiplexer);
      }
      if (isDown || chance(4)) {
        consume(consumer);
      }
      if (chance(4)) {
        goOn();
        log.read();
      }
      if (chance(30)) {
        table.rollShards();
      }
      if (i > DOWN_TO && chance(10)) {
        redrive();
      }
    }
    deliverAll(multiplexer);
    drain();
    while (!givenUp().isEmpty()) {
      redrive();
      drain();
    }
    goOn();
    log.readAll();
    return violations();
  }

  private void goOn() {
    broker.goesOn();
    bus.goOn();
  }

  private void drain() {
    while (areWaiting(_ -> true)) {
      clock.advance(Duration.ofSeconds(5));
      consume(consumer);
      log.read();
    }
  }

  private void redrive() {
    redriven += redrive(this::redriven);
  }

  private List<SinkMessage> redriven(SinkMessage message) {
    var event = message.event();
    return switch (bug) {
      case REDRIVEN_WITH_A_NEW_VERSION ->
          List.of(with(message, versioned(event, HIGHEST + "%040d".formatted(redriven))));
      case REDRIVEN_WITHOUT_ITS_VERSION -> List.of(with(message, versioned(event, "")));
      case DEAD_LETTERS_DROPPED -> List.of();
      default -> List.of(message);
    };
  }

  private static SinkMessage with(SinkMessage message, DomainEvent event) {
    return new SinkMessage(message.sink(), message.failures(), message.since(), event);
  }

  private void act() {
    if (people.size() < PEOPLE) {
      register();
      return;
    }
    var one = any(people.values()).orElseThrow();
    var other = any(people.values()).orElseThrow();
    switch (random.nextInt(10)) {
      case 0 -> follow(one, other);
      case 1, 2 -> post(one, other);
      case 3, 4 -> like(one);
      case 5 -> changeVisibility();
      case 6 -> {
        switch (random.nextInt(6)) {
          case 0, 1 -> delete();
          case 2, 3 -> deleteComment();
          default -> silence(one, other);
        }
      }
      case 7 -> {
        if (chance(4)) {
          erase(one);
        }
      }
      default -> comment(one);
    }
  }

  private void register() {
    var person = world.user("person" + registered++);
    people.put(person.id(), person);
    did("account:" + person.id(), EventType.ACCOUNT_REGISTERED);
  }

  private void follow(Person one, Person other) {
    if (one.equals(other) || areSeparated(one.id(), other.id())) {
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

  private void post(Person author, Person mentioned) {
    var visibility = chance(3) ? Visibility.FOLLOWERS : Visibility.PUBLIC;
    var mention = chance(2) ? " for @" + mentioned.account().handle() : "";
    var post = author.posts("post number " + posts.size() + mention, visibility);
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
              var comment = person.comments(post, "comment number " + comments.size());
              comments.put("comment:" + comment.commentId(), comment);
              did("comment:" + comment.commentId(), EventType.COMMENT_CREATED);
            });
  }

  private void deleteComment() {
    any(comments.values())
        .filter(comment -> world.comments.get(comment.postId(), comment.commentId()).isPresent())
        .ifPresent(
            comment -> {
              world.comments.delete(comment.postId(), comment.commentId());
              did("comment:" + comment.commentId(), EventType.COMMENT_DELETED);
            });
  }

  /** Blocks or mutes an account, or no longer does. */
  private void silence(Person one, Person other) {
    if (one.equals(other)) {
      return;
    }
    silenced.add(Set.of(one.id(), other.id()));
    if (sound.get(Block.key(one.id(), other.id())).isPresent()) {
      one.unblocks(other);
    } else if (sound.get(Mute.key(one.id(), other.id())).isPresent()) {
      one.unmutes(other);
    } else if (chance(2)) {
      one.mutes(other);
    } else {
      one.blocks(other);
      endFollow(one.id(), other.id());
      endFollow(other.id(), one.id());
    }
  }

  private boolean areSeparated(String one, String other) {
    return sound.get(Block.key(one, other)).isPresent()
        || sound.get(Block.key(other, one)).isPresent();
  }

  private void endFollow(String follower, String followee) {
    var entity = "follow:" + follower + ":" + followee;
    if (last(entity) == EventType.FOLLOW_CREATED) {
      did(entity, EventType.FOLLOW_DELETED);
    }
  }

  /** The lane removes what is left of the account. */
  private void erase(Person person) {
    var id = person.id();
    new Erasures(sound, world.users).begin(id, Timestamps.now(clock));
    erased.add(id);
    people.remove(id);
    did("account:" + id, EventType.ACCOUNT_ERASED);
    for (var other : people.keySet()) {
      endFollow(id, other);
      endFollow(other, id);
    }
    for (var post : List.copyOf(posts.values())) {
      if (post.authorId().equals(id)) {
        gone(post);
      }
    }
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
              gone(post);
              world.posts.delete(post.postId(), post.authorId(), clock.instant());
            });
  }

  /** Expects that a post goes, while its row is still there. */
  private void gone(Post post) {
    var visibility = world.posts.get(post.postId()).orElseThrow().visibility();
    posts.remove(post.postId());
    changedPosts.add(post.postId());
    if (visibility == Visibility.PUBLIC) {
      did("post:" + post.postId(), EventType.POST_DELETED);
    }
  }

  private void did(String entity, EventType type) {
    done.computeIfAbsent(entity, _ -> new ArrayList<>()).add(type);
  }

  private EventType last(String entity) {
    var all = done.get(entity);
    return all == null ? EventType.FOLLOW_DELETED : all.getLast();
  }

  private void publish(DomainEvent event) {
    publicNow.leak(event).ifPresent(leaks::add);
    try {
      reached.publish(
          switch (bug) {
            case VERSION_OF_PUBLICATION -> versioned(event, "%050d".formatted(published++));
            case NEW_ID_FOR_EACH_TRY -> versioned(event, event.version() + "-" + published++);
            case VERSION_OF_THE_ROW_KEY -> versioned(event, "0");
            default -> event;
          });
    } catch (IllegalStateException e) {
      if (bug != Bug.REFUSALS_IGNORED) {
        throw e;
      }
    }
  }

  private Answer received(Answer answer) {
    return bug == Bug.FAILED_ENTRIES_IGNORED
        ? new Answer(answer.status(), FAILED_ENTRIES.matcher(answer.body()).replaceAll("$1:0"))
        : answer;
  }

  private void delivered(JsonNode entry) {
    var event = EventJson.read(entry.path("Detail").asText());
    write(
        switch (bug) {
          case ID_OF_THE_BUS ->
              versioned(event, event.version() + "-" + entry.path(UnsteadyBus.ID).asText());
          case TIME_OF_THE_BUS -> versioned(event, "%d".formatted(entry.path("Time").asLong()));
          default -> event;
        });
  }

  private void write(DomainEvent record) {
    log.append(bug == Bug.KEY_OF_THE_EVENT ? record.id() : record.entity(), record);
  }

  private List<String> violations() {
    var violations = new ArrayList<>(leaks);
    if (isDownForDays && redriven == 0) {
      violations.add("No message was redriven");
    }
    var seen = seen();
    violations.addAll(notNotified(seen));
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

  /**
   * Events of likes and comments are left out while their post is not public, and once an account
   * is erased.
   */
  private boolean isCertain(String entity) {
    if (entity.startsWith("comment:")) {
      var comment = comments.get(entity);
      return comment == null
          || isCertain(comment.postId(), comment.authorId(), comment.postAuthorId());
    }
    var parts = entity.split(":", -1);
    return !entity.startsWith("like:") || isCertain(parts[1], parts[2], parts[2]);
  }

  private boolean isCertain(String postId, String one, String other) {
    return !changedPosts.contains(postId) && !erased.contains(one) && !erased.contains(other);
  }

  /** Notifications that their recipients could see all the time, and that were not published. */
  private List<String> notNotified(Map<String, List<DomainEvent>> seen) {
    return people.keySet().stream()
        .flatMap(
            id -> world.notifications.all(id, PageRequest.first(NOTIFICATIONS)).slots().stream())
        .map(slot -> slot.item())
        .filter(one -> one.type() != NotificationType.POST && isCertain(one))
        .map(one -> "notification:" + one.userId() + ":" + one.notificationId())
        .filter(entity -> !seen.containsKey(entity))
        .map(entity -> entity + " is in the table and was not published")
        .toList();
  }

  private boolean isCertain(Notification notification) {
    var actor = notification.actorId();
    var post = notification.postId();
    return !erased.contains(actor)
        && !silenced.contains(Set.of(notification.userId(), actor))
        && (post == null || !changedPosts.contains(post));
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
