package social.feed.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import social.feed.streams.EffectHandlers;
import social.feed.streams.change.Change;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.effect.Effect;
import social.feed.streams.effect.EffectSettings;
import social.feed.streams.plan.Plan;
import social.feed.streams.simulated.MultiplexerSubject;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.graph.FollowWriter;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Table;
import social.feed.table.post.Posts;
import social.feed.table.row.Follow;
import social.feed.table.row.Mention;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;
import social.feed.table.user.Users;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.SteppingClock;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.simulation.StreamedTable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A table with users and posts, to whose changes effects are applied one kind at a time. */
abstract class HandlerRaces {
  static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  static final int CAP = 100;
  private static final int CHUNK = 2;

  final StreamedTable engine = StreamedTable.start();
  final Table table = engine.over(Wire.SOUND);
  final SteppingClock clock = new SteppingClock(START);
  private final Plan plan = new Plan(MultiplexerSubject.NOTIFICATIONS_LIVE);
  private final SplittableRandom random = new SplittableRandom(1);
  private int worlds;

  @AfterEach
  void stop() {
    engine.close();
  }

  /** Applies the effects of one kind that a new post has. */
  void apply(Wire bug, Wire hook, Class<? extends Effect> kind, Post post) {
    apply(bug, hook, kind, new Change.Inserted(post));
  }

  /** Applies the effects of one kind that a change has, over some wires. */
  void apply(Wire bug, Wire hook, Class<? extends Effect> kind, Change change) {
    var handlers =
        new EffectHandlers(
            engine.over(bug.over(hook)),
            clock,
            EffectSettings.of(CHUNK, BatchSizes.oneByOne(CHUNK), ErasureSweeps.Settings.unpaced()));
    var effects = plan.effects(change).stream().filter(kind::isInstance).toList();
    assertThat(effects).isNotEmpty();
    handlers.apply(effects);
  }

  String user(String name) {
    worlds += name.equals("ann") ? 1 : 0;
    var id = "w" + worlds + "-" + name;
    new Users(table)
        .register(User.registered(id, id.replace('-', '_'), name, null, clock.instant()));
    return id;
  }

  void follow(String follower, String followee) {
    new FollowWriter(table, CAP).follow(Follow.of(follower, followee, clock.instant()));
  }

  Post post(String author, Visibility visibility, String mentioned) {
    var now = clock.instant();
    var post =
        SamplePosts.by(author, now)
            .randomId(random)
            .tags("tag")
            .mentions(new Mention("handle", mentioned))
            .visibility(visibility)
            .feedShards(1)
            .build();
    new Posts(table).create(post);
    return post;
  }

  static boolean isA(Class<? extends Row> kind, Map<String, AttributeValue> item) {
    return kind.isInstance(RowCodec.decode(item));
  }

  <R extends Row> List<R> rows(Class<R> kind, Predicate<R> which) {
    engine.read();
    return engine.items().stream()
        .map(RowCodec::decode)
        .filter(kind::isInstance)
        .map(kind::cast)
        .filter(which)
        .toList();
  }
}
