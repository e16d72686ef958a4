package social.feed.bounds;

import static social.feed.bounds.Population.SUBJECT;

import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import social.feed.bounds.Work.Measure;
import social.feed.table.counter.CountChange;
import social.feed.table.counter.Counters;
import social.feed.table.engagement.Likes;
import social.feed.table.home.FeedView;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.notification.Notifications;
import social.feed.table.row.Block;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Key;
import social.feed.table.row.Mute;
import social.feed.table.row.Post;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.TagUses;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.fault.WiredClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/**
 * Planted bugs: work that grows with what no request touches. They are no operations of the
 * platform, and a matrix that does not find them proves nothing.
 */
enum PlantedGrowth {
  /** An erasure or an export reads the whole table. */
  WHOLE_TABLE(Knob.OTHERS, Measure.READ) {
    @Override
    Runnable in(MeasuredWorld world) {
      return () -> new TableScanner(world.table().table()).items().forEach(_ -> {});
    }
  },
  /** A page of the home feed asks every celebrity of the platform. */
  EVERY_CELEBRITY(Knob.CELEBRITIES, Measure.READ) {
    @Override
    Runnable in(MeasuredWorld world) {
      var celebrities =
          world.population().celebrityIds().stream()
              .map(id -> PulledAuthor.from(id, Instant.EPOCH))
              .toList();
      var view = new FeedView(SUBJECT, celebrities, Instant.EPOCH);
      var feeds = new HomeFeeds(world.table().table());
      return () -> feeds.of(view, PageRequest.first(PAGE));
    }
  },
  /** A row of a tag has a checkpoint of each stream shard. */
  CHECKPOINT_OF_EACH_SHARD(Knob.SHARDS, Measure.WRITE) {
    @Override
    Runnable in(MeasuredWorld world) {
      var population = world.population();
      Map<String, String> marks = new HashMap<>();
      for (int i = 0; i < population.size(Knob.SHARDS); i++) {
        marks.put(population.shard(i), Population.sequence(i));
      }
      var shard = population.shard(0);
      var uses = population.uses("planted", shard, 1, marks);
      population.putForOne(List.of(uses));
      var change = new CountChange(Population.sequence(LATE), TagUses.USES, 1);
      var counters = new Counters(world.table().table(), MeasuredWorld.RULE);
      var counted = new Key(uses.key().partition(), uses.hour());
      return () -> counters.apply(shard, Map.of(counted, List.of(change)));
    }
  },
  /** An unfollow reads the whole feed of the follower. */
  WHOLE_FEED(Knob.FEED, Measure.READ) {
    @Override
    Runnable in(MeasuredWorld world) {
      var feeds = new HomeFeeds(world.table().table());
      return () -> feeds.entries(SUBJECT, Instant.EPOCH).forEach(_ -> {});
    }
  },
  /** Each request for the number of unread notifications counts them. */
  COUNTED_UNREAD(Knob.UNREAD, Measure.READ) {
    @Override
    Runnable in(MeasuredWorld world) {
      var notifications = new Notifications(world.table().table(), Clock.systemUTC());
      return () ->
          Page.all(PAGE, request -> notifications.unread(SUBJECT, request)).forEach(_ -> {});
    }
  },
  /**
   * The inbox is compared with the blocks of one read unit only, so next to more of them each
   * request for the number of unread notifications reads them all.
   */
  BLOCKS_OF_ONE_UNIT(Knob.UNREAD, Measure.READ) {
    @Override
    Runnable in(MeasuredWorld world) {
      world.population().blockByMany();
      var table = world.table().table();
      var first = WiredClient.of(table.client(), new FirstPageBackwards());
      var notifications =
          new Notifications(new Table(first, table.name(), table.retry()), Clock.systemUTC());
      notifications.unreadCount(SUBJECT);
      return () -> notifications.unreadCount(SUBJECT);
    }
  },
  /** A caller who marks all as read waits until each notification is marked. */
  EACH_MARKED_AS_READ(Knob.UNREAD, Measure.WRITE) {
    @Override
    Runnable in(MeasuredWorld world) {
      var population = world.population();
      var notifications = new Notifications(world.table().table(), Clock.systemUTC());
      return () -> {
        for (int i = 0; i < population.size(Knob.UNREAD); i++) {
          notifications.markRead(SUBJECT, population.unread(i).notificationId());
        }
      };
    }
  },
  /** A page of the home feed reads each like by its key, and quota, blocks and mutes as well. */
  EACH_LIKE(Knob.PAGE, Measure.READ) {
    @Override
    Runnable in(MeasuredWorld world) {
      var population = world.population();
      var table = world.table().table();
      var shown =
          IntStream.range(0, population.size(Knob.PAGE))
              .mapToObj(population::feedPost)
              .map(Post::postId)
              .toList();
      return () -> {
        table.get(FollowQuota.key(SUBJECT));
        table.get(Block.key(SUBJECT, Population.TARGET));
        table.get(Mute.key(SUBJECT, Population.TARGET));
        new Likes(table).likedBy(SUBJECT, shown);
      };
    }
  },
  /** One record retracts the notifications of a hidden post from all special followers. */
  RETRACTION_IN_ONE_RECORD(Knob.SPECIALS, Measure.WRITE) {
    @Override
    Runnable in(MeasuredWorld world) {
      return FurtherEffects.inOneRecord(world);
    }
  },
  /** One part of an erasure ends all follow edges to the account. */
  FOLLOWERS_IN_ONE_PART(Knob.FOLLOWERS, Measure.WRITE) {
    @Override
    Runnable in(MeasuredWorld world) {
      return ErasureParts.ofAllFollowers(world);
    }
  },
  /**
   * Reads that find nothing. The engine of the tests reports no units for them, and AWS bills them.
   */
  ABSENT_ITEMS(Knob.CELEBRITIES, Measure.READ) {
    @Override
    Runnable in(MeasuredWorld world) {
      var absent =
          world.population().celebrityIds().stream().map(id -> Mute.key(SUBJECT, id)).toList();
      return () -> world.table().table().itemsAt(absent, true);
    }
  };

  /** Ends each query from the end of a partition after its first page, as if there were more. */
  private static final class FirstPageBackwards implements Wire {
    @Override
    @SuppressWarnings("unchecked") // The answer of a query.
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      return request instanceof QueryRequest query
              && query.hasExclusiveStartKey()
              && Boolean.FALSE.equals(query.scanIndexForward())
          ? (A) QueryResponse.builder().lastEvaluatedKey(query.exclusiveStartKey()).build()
          : table.apply(request);
    }
  }

  private static final int PAGE = 10;

  /** The number of a record after all checkpoints. */
  private static final int LATE = 2_000_000;

  private final Knob knob;
  private final Measure measure;

  /**
   * @param measure what grows with the knob
   */
  PlantedGrowth(Knob knob, Measure measure) {
    this.knob = knob;
    this.measure = measure;
  }

  /** Prepares a world, as an {@link Operation.Preparation}. */
  abstract Runnable in(MeasuredWorld world);

  Operation operation() {
    return new Operation("planted " + name(), this::in);
  }

  Knob knob() {
    return knob;
  }

  Measure measure() {
    return measure;
  }
}
