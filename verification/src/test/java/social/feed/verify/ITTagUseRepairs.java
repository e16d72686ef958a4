package social.feed.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.Post;
import social.feed.table.row.PostTag;
import social.feed.table.row.TagTrend;
import social.feed.table.row.TagUses;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.TestTable;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.fault.WiredClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/** Repairs of the uses of a tag whose rows change between the comparison and the repair. */
@ExtendWith(EngineExtension.class)
class ITTagUseRepairs {
  private final TestTable table;
  private final String tag = "late" + System.nanoTime();
  private final Repairs repairs;
  private final Post post;
  private final String hour;
  private final TagTrend counted;
  private final TagUseCheck check;

  ITTagUseRepairs(TestTable table, SeedWorld world) {
    this.table = table;
    this.repairs = new Repairs(table.table(), table.clock());
    this.post = world.user("author").posts("#" + tag);
    this.hour = TagTrend.hour(post.createdAt());
    this.counted =
        TagTrend.empty(TrendingTags.HALF_LIFE.toHours(), tag).plus(Map.of(hour, 1L), Map.of());
    this.check =
        new TagUseCheck(new TableScanner(table.table()), TrendingTags.HALF_LIFE, table.clock());
    table.table().putAll(List.of(counted));
  }

  /** The stream has counted the post, but the index of tags does not show it yet. */
  private Repair repair() {
    var drifts = check.inspect(List.of(counted));
    assertThat(drifts).hasSize(1);
    return drifts.getFirst().repair();
  }

  private TagTrend row() {
    return (TagTrend) RowCodec.decode(table.table().get(counted.key()).orElseThrow());
  }

  private long uses() {
    return row().uses().getOrDefault(hour, 0L);
  }

  private String earlier() {
    return TagTrend.hour(post.createdAt().minus(Duration.ofHours(3)));
  }

  @Test
  void unchanged_isCorrected() {
    assertThat(repair().apply(repairs)).isTrue();

    assertThat(uses()).isZero();
  }

  @Test
  void indexThatShowsThePostMeanwhile_leavesTheCount() {
    var repair = repair();
    table.table().putAll(List.of(PostTag.of(post, tag)));

    assertThat(repair.apply(repairs)).isFalse();

    assertThat(uses()).isEqualTo(1);
  }

  @Test
  void otherHourThatIsCountedMeanwhile_keepsItsUses() {
    var repair = repair();
    table.table().putAll(List.of(counted.plus(Map.of(earlier(), 4L), Map.of("shard", "7"))));

    assertThat(repair.apply(repairs)).isTrue();

    assertThat(row().uses()).isEqualTo(Map.of(earlier(), 4L));
    assertThat(row().marks()).isEqualTo(Map.of("shard", "7"));
  }

  /** As the lane of a busy tag, between the last read of the repair and its write. */
  @Test
  void otherHoursThatAreCountedDuringTheRepair_areKept() {
    var repair = repair();
    var puts = new AtomicInteger();
    var busy =
        new Wire() {
          @Override
          public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> sent) {
            if (request instanceof PutItemRequest && puts.incrementAndGet() <= 3) {
              table.table().putAll(List.of(row().plus(Map.of(earlier(), 1L), Map.of())));
            }
            return sent.apply(request);
          }
        };

    var wired = new Repairs(WiredClient.table(table.table(), busy), table.clock());
    assertThat(repair.apply(wired)).isTrue();

    assertThat(puts).hasValue(4);
    assertThat(row().uses()).isEqualTo(Map.of(earlier(), 3L));
  }

  @Test
  void use_thatIsTakenBackUntilAFurtherLook_isNoDrift() {
    var drift = check.inspect(List.of(counted)).getFirst();
    assertThat(isOver(drift)).isFalse();

    table.table().putAll(List.of(counted.plus(Map.of(hour, -1L), Map.of())));

    assertThat(isOver(drift)).isTrue();
  }

  private boolean isOver(Drift drift) {
    var at = drift.over().at().stream().toList();
    return drift.over().isOver().test(RelatedRows.at(at, new TableScanner(table.table())));
  }

  /** What changes it could not be seen. */
  @Test
  void rowOfAShardThatCannotBeRead_leavesTheCount() {
    var uses = TagUses.empty(TrendingTags.HALF_LIFE.toHours(), tag, hour, "shard");
    var item = KeyAttributes.of(uses.key());
    table.client().putItem(p -> p.tableName(table.table().name()).item(item));

    assertThat(repair().apply(repairs)).isFalse();

    assertThat(uses()).isEqualTo(1);
  }

  @Test
  void useOfTheHour_thatAShardBringsMeanwhile_leavesTheCount() {
    var repair = repair();
    var uses = TagUses.empty(TrendingTags.HALF_LIFE.toHours(), tag, hour, "shard");
    table.table().putAll(List.of(uses.plus(Map.of(TagUses.USES, 1L), Map.of("shard", "7"))));

    assertThat(repair.apply(repairs)).isFalse();

    assertThat(uses()).isEqualTo(1);
  }
}
