package social.feed.bounds;

import static social.feed.bounds.Population.SUBJECT;
import static social.feed.bounds.Population.TARGET;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import social.feed.bounds.Operation.Preparation;
import social.feed.streams.effect.AssessFollowsHandler.AssessFollows;
import social.feed.streams.effect.CompareOpeningHandler.CompareOpening;
import social.feed.streams.effect.Count;
import social.feed.streams.effect.Effect;
import social.feed.streams.effect.EraseHandler.Erase;
import social.feed.streams.effect.GrantErasuresHandler.GrantErasures;
import social.feed.streams.effect.SweepErasuresHandler.SweepErasures;
import social.feed.streams.plan.EffectRule;
import social.feed.streams.plan.EffectRule.ChangedAttribute;
import social.feed.streams.plan.Lane;
import social.feed.streams.plan.Plan;
import social.feed.table.counter.CountChange;
import social.feed.table.counter.Counters;
import social.feed.table.erasure.ErasureQueue;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.erasure.Erasures;
import social.feed.table.row.Comment;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasurePace;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.ErasureSweep;
import social.feed.table.row.ErasureTimer;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Fence;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowOpening;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Inbox;
import social.feed.table.row.Like;
import social.feed.table.row.Media;
import social.feed.table.row.MediaRemoval;
import social.feed.table.row.Notification;
import social.feed.table.row.PendingErasure;
import social.feed.table.row.Post;
import social.feed.table.row.PostCleanUp;
import social.feed.table.row.PostNotificationChunk;
import social.feed.table.row.Row;
import social.feed.table.row.RowKind;
import social.feed.table.row.Suspect;
import social.feed.table.row.Suspect.Evidence;
import social.feed.table.row.SuspicionFinding;
import social.feed.table.row.SuspicionReason;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;
import social.feed.table.row.WaitingErasure;
import social.feed.table.suspicion.OpeningSketch;
import social.feed.table.suspicion.SuspicionRules;
import social.feed.table.user.Users;
import social.feed.testkit.SamplePosts;

/** Each line of the plan of stream effects, applied to one record alone. */
final class Effects {
  private static final int CHUNK = 500;
  private static final long LATER = 4_000_000_000L;

  /** Larger than the sequence numbers of all checkpoints. */
  private static final AtomicInteger RECORDS = new AtomicInteger(1_000_000);

  /**
   * A change of a row.
   *
   * @param before the row as it was; the same as {@code after} unless it was modified
   */
  record Sample(Row before, Row after) {
    static Sample of(Row row) {
      return new Sample(row, row);
    }
  }

  /** Reads all rows of the world, so it is measured before other operations write more of them. */
  static final Operation SWEEP =
      new Operation("sweep of the table, for a pending erasure", Effects::sweep);

  private Effects() {}

  /** Returns an operation for each line of the plan, and some for work of many records. */
  static List<Operation> operations() {
    var operations = new ArrayList<>(ofPlan());
    operations.add(new Operation("erasure of an account, until it rests", Effects::erasure));
    operations.addAll(ErasureParts.operations());
    operations.addAll(FurtherEffects.operations());
    return operations;
  }

  /** Returns an operation for each line of the plan. */
  static List<Operation> ofPlan() {
    return Arrays.stream(RowKind.values())
        .flatMap(
            kind ->
                Plan.rules(kind).stream()
                    .map(rule -> new Operation(name(kind, rule), of(kind, rule))))
        .toList();
  }

  private static String name(RowKind kind, EffectRule rule) {
    return "%s %s%s: %s"
        .formatted(
            kind,
            rule.event(),
            rule.attribute().map(ChangedAttribute::name).map(" "::concat).orElse(""),
            rule.effect().effect().getSimpleName());
  }

  private static Preparation of(RowKind kind, EffectRule rule) {
    return world -> {
      var sample = sample(world.population(), kind, rule);
      var effects = rule.effects().of(MeasuredWorld.PLAN, sample.before(), sample.after());
      if (effects.isEmpty()) {
        throw new AssertionError("The sample has no such effect");
      }
      return () -> apply(world, rule.lane(), effects);
    };
  }

  private static void apply(MeasuredWorld world, Lane lane, List<? extends Effect> effects) {
    switch (lane) {
      case COUNTS ->
          new Counters(world.laneTable(), MeasuredWorld.RULE)
              .apply(
                  world.population().shard(0),
                  effects.stream()
                      .map(Count.class::cast)
                      .collect(Collectors.groupingBy(Count::item, changes())));
      case EFFECTS -> world.handlers().apply(List.copyOf(effects));
    }
  }

  private static Collector<Count, ?, List<CountChange>> changes() {
    return Collectors.mapping(
        count -> new CountChange(sequence(), count.attribute(), count.delta()),
        Collectors.toList());
  }

  private static String sequence() {
    return Population.sequence(RECORDS.incrementAndGet());
  }

  /** Writes what the effect reads, and returns the change that causes the effect. */
  private static Sample sample(Population population, RowKind kind, EffectRule rule) {
    return switch (kind) {
      case POST -> post(population, rule);
      case LIKE -> like(population, rule);
      case COMMENT -> comment(population, rule);
      case FOLLOW -> follow(population, rule);
      case FOLLOW_QUOTA -> quota(population, rule);
      case USER -> celebrity(population);
      case ACTIVITY -> activity(population, rule);
      case FAN_OUT_CHUNK -> chunk(population);
      case ANNOUNCEMENT_PART -> notificationChunk(population);
      case ERASURE -> erasure(population, rule);
      case ERASURE_ALARM -> timer(population);
      case ERASURE_PACE -> pace(population, rule);
      case ERASURE_SWEEP -> sweep(population, rule);
      case TAG_USES -> tagUses(population, rule);
      case FENCE -> fence(population, rule);
      case NOTIFICATION -> notification(population, rule);
      case INBOX -> inbox(population, rule);
      case MEDIA -> Sample.of(media(population));
      case POST_CLEAN_UP -> cleanUp(population, rule);
      case MEDIA_REMOVAL -> Sample.of(removal(population));
      // Only a kind with effects needs a sample.
      default -> throw new AssertionError("Add a sample of " + kind);
    };
  }

  /** A file of an account that counts it. */
  private static Media media(Population population) {
    var media = population.media(null);
    population.put(media);
    return media;
  }

  /** The timer of a removal that the store refused. */
  private static MediaRemoval removal(Population population) {
    var media = media(population);
    var note = MediaRemoval.of(media.mediaId(), media.ownerId(), 1);
    population.put(note);
    return note.timer(population.now);
  }

  private static Sample tagUses(Population population, EffectRule rule) {
    var shard = population.shard(0);
    var before = population.uses(Population.TAG, shard, 1, Map.of());
    var after = population.uses(Population.TAG, shard, 2, Map.of());
    return rule.event() == EffectRule.Event.MODIFY ? new Sample(before, after) : Sample.of(after);
  }

  private static Sample fence(Population population, EffectRule rule) {
    var partition = population.subjectsPost().key().partition();
    var fence =
        new Fence(
            partition,
            population.account(),
            false,
            rule.lane() == Lane.EFFECTS,
            0,
            Map.of(),
            Population.LATER);
    population.put(fence);
    return Sample.of(fence);
  }

  private static Sample notification(Population population, EffectRule rule) {
    var unread = population.unread(0);
    var read =
        new Notification(
            unread.userId(),
            unread.notificationId(),
            unread.type(),
            unread.actorId(),
            unread.postId(),
            unread.createdAt(),
            true,
            unread.expiresAt(),
            true);
    return rule.event() == EffectRule.Event.MODIFY ? new Sample(unread, read) : Sample.of(unread);
  }

  /** A first inbox looks for earlier notifications; a changed one marks all as read. */
  private static Sample inbox(Population population, EffectRule rule) {
    var account = population.account();
    boolean isFirst = rule.event() == EffectRule.Event.INSERT;
    population.put(
        IntStream.range(0, population.size(Knob.UNREAD))
            .mapToObj(number -> population.unread(account, number, !isFirst))
            .toArray(Row[]::new));
    var before = isFirst ? Inbox.empty(account) : population.inbox(account);
    var after = isFirst ? before : before.readUpTo(population.now);
    population.put(after);
    return new Sample(before, after);
  }

  private static boolean is(EffectRule rule, String effect) {
    return rule.effect().effect().getSimpleName().equals(effect);
  }

  private static Sample post(Population population, EffectRule rule) {
    boolean isSpecial = is(rule, "NotifySpecialFollowers");
    var author = isSpecial ? Population.LOVED : SUBJECT;
    return switch (rule.event()) {
      case INSERT -> {
        var post = population.freshPost(author, Visibility.PUBLIC);
        population.put(post);
        yield Sample.of(post);
      }
      case MODIFY -> {
        var before = population.freshPost(author, Visibility.PUBLIC);
        var hidden = is(rule, "WriteTags") ? Visibility.FOLLOWERS : Visibility.PRIVATE;
        var after = changed(before, hidden);
        population.put(after);
        if (is(rule, "ChangeVisibility")) {
          population.put(population.audience(before));
        }
        if (isSpecial) {
          population.put(population.notified(before));
        }
        yield new Sample(before, after);
      }
      case REMOVE, EXPIRE -> {
        var post = population.freshPost(Visibility.PUBLIC);
        if (is(rule, "CleanUpPost")) {
          population.put(population.audience(post));
        }
        yield Sample.of(post);
      }
    };
  }

  static Post changed(Post post, Visibility visibility) {
    return SamplePosts.like(post).visibility(visibility).build();
  }

  /** What is left of a deleted post, or of a hidden one. */
  private static Sample cleanUp(Population population, EffectRule rule) {
    boolean isDeleted = rule.event() == EffectRule.Event.INSERT;
    var post = population.freshPost(isDeleted ? Visibility.PUBLIC : Visibility.PRIVATE);
    if (isDeleted) {
      population.put(population.audience(post));
    } else {
      population.put(post);
      population.put(
          population.followersOfSubject().stream()
              .map(reader -> FeedEntry.of(post.ref(), reader))
              .toArray(Row[]::new));
    }
    var order =
        PostCleanUp.of(
            post.postId(),
            post.feedShards(),
            isDeleted ? PostCleanUp.Cause.DELETED : PostCleanUp.Cause.HIDDEN,
            FeedEntry.key(post.postId(), 1, "0"),
            population.now);
    population.put(order);
    return Sample.of(order);
  }

  private static Sample like(Population population, EffectRule rule) {
    var like =
        new Like(population.subjectsPost().postId(), population.account(), SUBJECT, population.now);
    if (rule.event() == EffectRule.Event.INSERT) {
      population.put(like);
    }
    return Sample.of(like);
  }

  private static Sample comment(Population population, EffectRule rule) {
    Comment comment =
        population.comment(population.subjectsPost(), population.account(), population.now);
    if (rule.event() == EffectRule.Event.INSERT) {
      population.put(comment);
    }
    return Sample.of(comment);
  }

  /** The subject, whose feed may be large, follows the target, who may have many followers. */
  private static Sample follow(Population population, EffectRule rule) {
    var edge = Follow.of(SUBJECT, TARGET, population.later());
    var noted = new Follow(SUBJECT, TARGET, edge.createdAt(), edge.createdAt(), null, false, null);
    var retried =
        new Follow(
            SUBJECT, TARGET, edge.createdAt(), edge.createdAt(), population.now, false, null);
    return switch (rule.event()) {
      case INSERT -> {
        population.put(edge);
        yield Sample.of(edge);
      }
      case MODIFY -> {
        population.put(retried);
        yield new Sample(noted, retried);
      }
      case REMOVE, EXPIRE -> Sample.of(edge);
    };
  }

  /** Of the two kinds for suspicious follows, the most expensive case. */
  private static Sample quota(Population population, EffectRule rule) {
    var effect = rule.effect().effect();
    if (effect.equals(AssessFollows.class)) {
      return new Sample(counted(SUBJECT, population, 399), counted(SUBJECT, population, 400));
    }
    if (effect.equals(CompareOpening.class)) {
      return opening(population);
    }
    int followed = population.size(Knob.FOLLOWED);
    return Sample.of(new FollowQuota(SUBJECT, followed, followed + RECORDS.incrementAndGet()));
  }

  /** A new account that follows the same accounts as others, in the same order. */
  private static Sample opening(Population population) {
    var targets = IntStream.range(0, OpeningSketch.LENGTH).mapToObj("opened%d"::formatted).toList();
    var ring =
        IntStream.rangeClosed(0, 2 * SuspicionRules.STANDARD.sameOrder())
            .mapToObj("bot%d"::formatted)
            .toList();
    String last = ring.getLast();
    for (var bot : ring) {
      population.putForOne(List.of(User.registered(bot, bot, bot, null, population.now)));
      var openings = openings(population, bot, targets);
      if (bot.equals(last)) {
        population.removeAfterOne(openings);
      } else {
        population.putForOne(openings);
      }
      var burst = SuspicionFinding.of(SuspicionReason.FOLLOW_BURST, 400, 200);
      population.removeAfterOne(
          List.of(Suspect.of(new Evidence(bot, 1, population.now, List.of(burst)))));
    }
    population.putForOne(
        IntStream.range(0, targets.size())
            .mapToObj(i -> Follow.of(last, targets.get(i), population.now.plusMillis(i)))
            .toList());
    return new Sample(counted(last, population, 29), counted(last, population, 30));
  }

  private static List<FollowOpening> openings(
      Population population, String follower, List<String> targets) {
    return OpeningSketch.of(targets).stream()
        .map(hash -> new FollowOpening(hash, follower, 30, population.now, Population.LATER))
        .toList();
  }

  private static FollowQuota counted(String follower, Population population, long follows) {
    var day = population.now.truncatedTo(ChronoUnit.DAYS);
    return new FollowQuota(follower, follows, follows, day, follows, 0, null, null, null);
  }

  static Sample celebrity(Population population) {
    var before = User.registered(population.account(), "crowned", "A name", null, population.now);
    var after =
        new User(
            before.userId(),
            before.handle(),
            before.displayName(),
            null,
            before.createdAt(),
            population.size(Knob.FOLLOWERS),
            0,
            0,
            0,
            true,
            1,
            Map.of());
    population.put(after);
    return new Sample(before, after);
  }

  private static Sample activity(Population population, EffectRule rule) {
    var absent = FeedActivity.at(SUBJECT, population.now.minus(Duration.ofDays(40)));
    var awoken = absent.awoken(population.now);
    if (is(rule, "ReconcileFeed")) {
      return new Sample(awoken, new FeedActivity(SUBJECT, population.now, population.now, null));
    }
    population.put(awoken);
    return new Sample(absent, awoken);
  }

  private static Sample chunk(Population population) {
    var post = population.freshPost(Visibility.PUBLIC);
    var readers = population.followersOfSubject();
    int followers = Math.min(readers.size(), CHUNK);
    var plan = FanOutPlan.begun(post.postId(), "f00d0001", population.now, LATER);
    var chunk =
        FanOutChunk.of(plan, post, 0, readers.getFirst(), readers.get(followers - 1), followers)
            .asUntried();
    population.put(post, chunk, plan.planned(1, population.now));
    return Sample.of(chunk);
  }

  private static Sample notificationChunk(Population population) {
    var post = population.freshPost(Population.LOVED, Visibility.PUBLIC);
    population.put(post);
    int last = Math.max(0, Math.min(population.size(Knob.SPECIALS), CHUNK) - 1);
    return Sample.of(
        new PostNotificationChunk(
            post.postId(), 0, population.devotee(0), population.devotee(last), LATER));
  }

  /** An erasure that begins to wait, and the walk through its own partitions. */
  private static Sample erasure(Population population, EffectRule rule) {
    var begun = Erasure.of(population.account(), population.now);
    var stored =
        rule.event() == EffectRule.Event.INSERT
            ? begun
            : at(ErasureStep.WALK, begun.granted(ErasureQueue.LEAST));
    population.put(stored, ErasurePace.NONE.stopped());
    return new Sample(begun, stored);
  }

  /** The clock of one erasure that waits, and of more than get units at a time. */
  private static Sample pace(Population population, EffectRule rule) {
    population.removeWaitingErasures();
    int waiting = rule.event() == EffectRule.Event.INSERT ? 1 : 40;
    for (int i = 0; i < waiting; i++) {
      var erasure = Erasure.of(population.unregistered(), population.now);
      population.put(erasure, WaitingErasure.of(erasure, ErasureQueue.LEAST));
    }
    var pace = ErasurePace.NONE.started(population.now);
    population.put(pace);
    return Sample.of(pace);
  }

  /** Returns an erasure at the begin of a step. */
  static Erasure at(ErasureStep step, Erasure begun) {
    var erasure = begun;
    while (erasure.step() != step) {
      erasure = erasure.done();
    }
    return erasure;
  }

  /** A sweep is due for one erasure. */
  private static Sample timer(Population population) {
    pending(population);
    population.put(ErasureSweep.NONE.ended(population.now));
    return Sample.of(ErasureTimer.ofSweep(1, population.now));
  }

  /** A part of a sweep that is not due yet, or the conclusion of a sweep for one erasure. */
  private static Sample sweep(Population population, EffectRule rule) {
    var pending = pending(population).key();
    var begun = ErasureSweep.NONE.begun(pending.sort(), population.now);
    var stored =
        rule.event() == EffectRule.Event.INSERT
            ? begun.after(pending, population.now.plus(ErasureSweeps.MAX_PERIOD))
            : begun.scanned();
    population.put(stored);
    return new Sample(begun, stored);
  }

  /** Earlier operations leave erasures that wait, and the hash says which a sweep includes. */
  private static PendingErasure pending(Population population) {
    population.removePendingErasures();
    var erasure = at(ErasureStep.RESTING, Erasure.of(population.account(), population.now));
    var pending =
        new PendingErasure(
            0, erasure.hash(), Objects.requireNonNull(erasure.userId()), population.now);
    population.put(erasure, pending);
    return pending;
  }

  /** All steps of the erasure of a new account, until it waits for a sweep. */
  private static Runnable erasure(MeasuredWorld world) {
    var id = world.population().account();
    var erasures = new Erasures(world.table().table(), new Users(world.table().table()));
    var queue = new ErasureQueue(world.table().table());
    world.population().removeWaitingErasures();
    world.population().put(ErasurePace.NONE.stopped());
    return () -> {
      erasures.begin(id, Instant.now());
      for (var at = erasures.of(id).orElseThrow();
          at.step().isUnderWay();
          at = erasures.of(id).orElseThrow()) {
        world.handlers().apply(List.of(new Erase(at.hash(), at.revision())));
        if (erasures.of(id).orElseThrow().equals(at)) {
          world.handlers().apply(List.of(new GrantErasures(queue.current().revision())));
        }
      }
    };
  }

  /** All parts of a sweep. */
  private static Runnable sweep(MeasuredWorld world) {
    var population = world.population();
    pending(population);
    var sweeps = new ErasureSweeps(world.table().table(), ErasureSweeps.Settings.unpaced());
    population.put(sweeps.current().ended(population.now));
    return () -> {
      sweeps.wake(population.now.plus(ErasureSweeps.MAX_PERIOD));
      for (var sweep = sweeps.current(); sweep.isUnderWay(); sweep = sweeps.current()) {
        world.handlers().apply(List.of(new SweepErasures(sweep.revision())));
      }
    };
  }
}
