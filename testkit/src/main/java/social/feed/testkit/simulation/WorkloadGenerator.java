package social.feed.testkit.simulation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.row.Comment;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Post;
import social.feed.table.row.PostNotification;
import social.feed.table.row.Row;
import social.feed.table.row.Visibility;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/** What people do next, by a generator: in each history some things more than others. */
final class WorkloadGenerator {
  private static final int[] TIMES = {0, 1, 1, 4};
  private static final int HOT = 20;
  private static final int FEW = 3;
  private final SimulatedUsers people;
  private final RandomGenerator random;
  private final HistoryLog story;

  /** Whether all talk is of the newest post, so that a batch changes one counter many times. */
  private final boolean oneIsHot;

  private final HistoryFocus trouble;

  private final List<Whim> all = new ArrayList<>();
  private final List<Post> posts = new ArrayList<>();
  private final List<Comment> comments = new ArrayList<>();

  /** Erasures that are being asked for, one beside the other. */
  private int leaving;

  private enum Whim {
    POST(4),
    FOLLOW(5),
    UNFOLLOW(2),
    UNFOLLOW_KEEPING(1),
    DELETE(1),
    COMMENT(2),
    UNCOMMENT(1),
    LIKE(3),
    UNLIKE(1),
    SHOW(2),
    BLOCK(1),
    UNBLOCK(1),
    MUTE(1),
    UNMUTE(1),
    MARK(4),
    UNMARK(1),
    READ(1);

    private final int often;

    Whim(int often) {
      this.often = often;
    }
  }

  /** In which people follow each other from the beginning. */
  private static final Set<HistoryFocus> ACQUAINTED =
      EnumSet.of(HistoryFocus.UNDOING, HistoryFocus.REDOING, HistoryFocus.FAME);

  /** What writes a quota, or lies beside one that does. */
  private static final List<Whim> MEETING =
      List.of(
          Whim.FOLLOW, Whim.FOLLOW, Whim.UNFOLLOW, Whim.UNFOLLOW_KEEPING, Whim.BLOCK, Whim.UNBLOCK);

  WorkloadGenerator(
      SimulatedUsers people, RandomGenerator random, HistoryLog story, FaultProfile temper) {
    this.story = story;
    this.people = people;
    this.random = random;
    this.trouble = temper.trouble();
    this.oneIsHot = temper.oneIsHot();
    for (var whim : Whim.values()) {
      int times = whim.often * TIMES[random.nextInt(TIMES.length)];
      all.addAll(Collections.nCopies(Math.max(1, times), whim));
    }
    switch (trouble) {
      case UNDOING -> all.addAll(Collections.nCopies(HOT, Whim.POST));
      case REDOING -> {
        all.addAll(Collections.nCopies(HOT, Whim.POST));
        all.addAll(Collections.nCopies(HOT / 2, Whim.UNFOLLOW));
        all.addAll(Collections.nCopies(HOT / 2, Whim.SHOW));
        all.addAll(Collections.nCopies(HOT / 2, Whim.FOLLOW));
      }
      case FAME -> {
        all.addAll(Collections.nCopies(HOT, Whim.POST));
        all.addAll(Collections.nCopies(HOT / 2, Whim.FOLLOW));
        all.addAll(Collections.nCopies(HOT / 2, Whim.UNFOLLOW));
      }
      default -> {}
    }
    if (oneIsHot) {
      all.addAll(Collections.nCopies(HOT, Whim.COMMENT));
      all.addAll(Collections.nCopies(HOT, Whim.LIKE));
    }
  }

  /** Where it is about readers who leave, or how many there are, some are from the beginning. */
  void acquaint() {
    if (ACQUAINTED.contains(trouble)) {
      for (var who : people.ids()) {
        people.ids().stream()
            .filter(other -> !other.equals(who) && random.nextBoolean())
            .forEach(other -> followSpecially(who, other));
      }
    }
  }

  void act() {
    var who = any(people.ids());
    var whim = any(all);
    story.tell(() -> who + ": " + whim);
    story.within(() -> act(who, whim));
  }

  /** Somebody is erased, and who that is; nobody where there are few others. */
  Optional<String> farewell() {
    if (people.ids().size() - leaving <= FEW) {
      return Optional.empty();
    }
    var who = any(people.ids());
    story.tell(() -> who + ": ERASE");
    leaving++;
    try {
      return story.within(
          () -> {
            people.erases(who);
            return Optional.of(who);
          });
    } finally {
      leaving--;
    }
  }

  /** Somebody whom a call is about does something to the graph as well, as from another device. */
  String meet(DynamoDbRequest request) {
    var keys = String.join(" ", HistoryLog.keys(request).toList());
    var met = people.ids().stream().filter(keys::contains).toList();
    var who = any(met.isEmpty() ? people.ids() : met);
    var whim = any(MEETING);
    story.tell(() -> who + ": " + whim);
    story.within(() -> act(who, whim));
    return who;
  }

  private Whim act(String who, Whim whim) {
    switch (whim) {
      case POST -> posts.add(people.posts(who, visibility(), any(people.ids())));
      case FOLLOW -> other(who, people::follows);
      case UNFOLLOW -> people.unfollows(who, star());
      case UNFOLLOW_KEEPING -> people.unfollowsKeeping(who, star());
      case DELETE -> delete();
      case COMMENT -> comment(who);
      case UNCOMMENT -> uncomment();
      case LIKE -> like(who);
      case UNLIKE -> unlike(who);
      case SHOW -> show();
      case BLOCK -> other(who, people::blocks);
      case UNBLOCK -> people.unblocks(who, star());
      case MUTE -> other(who, people::mutes);
      case UNMUTE -> people.unmutes(who, star());
      case MARK -> other(who, this::followSpecially);
      case UNMARK -> people.unmarks(who, star());
      case READ -> people.reads(who);
    }
    return whim;
  }

  /**
   * Somebody takes back what a call is about: whoever follows leaves, or the post is deleted or
   * hidden.
   *
   * @return whether the call is about something that can be taken back
   */
  boolean undoCauseOf(DynamoDbRequest request) {
    var written =
        request instanceof BatchWriteItemRequest batch
            ? batch.requestItems().values().stream()
                .flatMap(List::stream)
                .filter(write -> write.putRequest() != null)
                .map(write -> RowCodec.decode(write.putRequest().item()))
                .flatMap(WorkloadGenerator::delivery)
                .toList()
            : List.<Delivered>of();
    if (written.isEmpty()) {
      return false;
    }
    undo(any(written));
    return true;
  }

  /** A post that is on its way to somebody else. */
  private record Delivered(String postId, String readerId, String authorId) {}

  private static Stream<Delivered> delivery(Row row) {
    return switch (row) {
      case FeedEntry entry when !entry.readerId().equals(entry.authorId()) ->
          Stream.of(new Delivered(entry.postId(), entry.readerId(), entry.authorId()));
      case PostNotification told ->
          Stream.of(new Delivered(told.postId(), told.readerId(), told.authorId()));
      default -> Stream.empty();
    };
  }

  private void undo(Delivered delivered) {
    if (random.nextInt(4) > 0) {
      people.unfollows(delivered.readerId(), delivered.authorId());
    } else {
      posts.stream()
          .filter(post -> post.postId().equals(delivered.postId()))
          .findFirst()
          .ifPresent(random.nextBoolean() ? people::deletes : this::hide);
    }
  }

  /**
   * Somebody brings back what a call takes out of a feed: whoever had left follows again, or the
   * post is shown again.
   *
   * @return whether the call is about something that can be brought back
   */
  boolean redoCauseOf(DynamoDbRequest request) {
    var withdrawn =
        request instanceof BatchWriteItemRequest batch
            ? batch.requestItems().values().stream()
                .flatMap(List::stream)
                .filter(write -> write.deleteRequest() != null)
                .map(write -> KeyAttributes.key(write.deleteRequest().key()))
                .flatMap(this::withdrawal)
                .toList()
            : List.<Delivered>of();
    if (withdrawn.isEmpty()) {
      return false;
    }
    redo(any(withdrawn));
    return true;
  }

  private Stream<Delivered> withdrawal(Key entry) {
    return posts.stream()
        .filter(post -> ReferenceModel.isEntryOf(post, entry))
        .flatMap(
            post ->
                people.ids().stream()
                    .filter(id -> Keys.feed(id).equals(entry.sort()))
                    .filter(id -> !id.equals(post.authorId()))
                    .map(id -> new Delivered(post.postId(), id, post.authorId())));
  }

  private void redo(Delivered withdrawn) {
    people.follows(withdrawn.readerId(), withdrawn.authorId());
    if (random.nextBoolean()) {
      posts.stream()
          .filter(post -> post.postId().equals(withdrawn.postId()))
          .findFirst()
          .ifPresent(post -> people.shows(post, Visibility.PUBLIC));
    }
  }

  private void hide(Post post) {
    people.shows(post, Visibility.PRIVATE);
  }

  private Visibility visibility() {
    return switch (random.nextInt(5)) {
      case 0 -> Visibility.PRIVATE;
      case 1 -> Visibility.FOLLOWERS;
      default -> Visibility.PUBLIC;
    };
  }

  private Visibility hiddenOrNot() {
    return random.nextBoolean() ? Visibility.PRIVATE : Visibility.PUBLIC;
  }

  private void other(String who, BiConsumer<String, String> does) {
    var other = star();
    if (!other.equals(who)) {
      does.accept(who, other);
    }
  }

  private void followSpecially(String who, String other) {
    people.follows(who, other);
    people.marks(who, other);
  }

  private void show() {
    if (!posts.isEmpty()) {
      people.shows(recent(), trouble == HistoryFocus.REDOING ? hiddenOrNot() : visibility());
    }
  }

  /** Half the time one of two, so that things happen to the same people. */
  private String star() {
    return random.nextBoolean() ? people.ids().get(random.nextInt(2)) : any(people.ids());
  }

  /** The post is remembered: somebody may still look at it, and like it too late. */
  private void delete() {
    if (!posts.isEmpty()) {
      people.deletes(any(posts));
    }
  }

  private void like(String who) {
    if (!posts.isEmpty()) {
      people.likes(who, recent());
    }
  }

  private void unlike(String who) {
    if (!posts.isEmpty()) {
      people.unlikes(who, recent());
    }
  }

  private void comment(String who) {
    if (!posts.isEmpty()) {
      comments.add(people.comments(who, recent()));
    }
  }

  private void uncomment() {
    if (!comments.isEmpty()) {
      people.uncomments(any(comments));
    }
  }

  private Post recent() {
    if (oneIsHot) {
      return posts.getLast();
    }
    int from = Math.max(0, posts.size() - 3);
    return random.nextBoolean() ? any(posts) : any(posts.subList(from, posts.size()));
  }

  private <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }
}
