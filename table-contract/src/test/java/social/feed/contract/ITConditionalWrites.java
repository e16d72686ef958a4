package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.ConditionalWrites;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.notification.Notifications;
import social.feed.table.row.Counted;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.Key;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.RowKind;
import social.feed.table.row.User;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;

/**
 * A conditional write changes a row only if the row is still the one that was read; a scan
 * continues after unreadable items.
 */
@ExtendWith(EngineExtension.class)
class ITConditionalWrites {
  @Test
  void insert_ofAnExistingRow_changesNothing(TestTable table) {
    var conditionalWrites = new ConditionalWrites(table.table());
    var claim = new HandleClaim(Names.fresh(), "a");

    assertThat(conditionalWrites.insert(claim)).isTrue();
    assertThat(conditionalWrites.insert(new HandleClaim(claim.handle(), "b"))).isFalse();
    assertThat(claim(table, claim.key())).isEqualTo(claim);
  }

  @Test
  void replaceAndRemove_ofAChangedRow_changeNothing(TestTable table) {
    var conditionalWrites = new ConditionalWrites(table.table());
    var read = new HandleClaim(Names.fresh(), "a");
    var now = new HandleClaim(read.handle(), "b");
    var right = new HandleClaim(read.handle(), "c");
    conditionalWrites.insert(now);

    assertThat(conditionalWrites.replace(read, right)).isFalse();
    assertThat(conditionalWrites.remove(read)).isFalse();
    assertThat(claim(table, now.key())).isEqualTo(now);
    assertThat(conditionalWrites.replace(now, right)).isTrue();
    assertThat(conditionalWrites.replace(now, right)).isFalse();
    assertThat(conditionalWrites.remove(right)).isTrue();
    assertThat(conditionalWrites.remove(right)).isFalse();
    assertThat(conditionalWrites.replace(right, now)).as("an old row is not restored").isFalse();
    assertThat(table.table().get(right.key())).isEmpty();
  }

  /** The SDK does not repeat a single write that conflicts with a transaction. */
  @ParameterizedTest
  @ValueSource(ints = {FaultyTable.ATTEMPTS - 1, FaultyTable.ATTEMPTS})
  void write_thatMeetsATransaction_isRepeated(int conflicts, TestTable table) {
    var left = new AtomicInteger(conflicts);
    var conflict =
        new ExecutionInterceptor() {
          @Override
          public void beforeExecution(
              Context.BeforeExecution context, ExecutionAttributes attributes) {
            if (left.getAndDecrement() > 0) {
              throw TransactionConflictException.builder().statusCode(400).build();
            }
          }
        };
    var claim = new HandleClaim(Names.fresh(), "a");
    try (var faulty = FaultyTable.of(table, conflict)) {
      if (conflicts < FaultyTable.ATTEMPTS) {
        assertThat(faulty.table().put(claim, Condition.absent()).isDone()).isTrue();
      } else {
        assertThatThrownBy(() -> faulty.table().delete(claim.key()))
            .isInstanceOf(ThrottledException.class);
      }
    }
    assertThat(table.table().get(claim.key()).isPresent())
        .isEqualTo(conflicts < FaultyTable.ATTEMPTS);
  }

  @Test
  void set_afterAChangeOfTheMark_changesNothing(TestTable table) {
    var conditionalWrites = new ConditionalWrites(table.table());
    var id = Names.fresh();
    var user = User.registered(id, id, id, null, ListContract.FIRST);
    table.table().putAll(List.of(user));
    var none = AttributeValue.fromM(Map.of());
    var other = AttributeValue.fromM(Map.of("shard", AttributeValue.fromS("1")));
    var seven = Map.of(User.FOLLOWERS_COUNT, AttributeValue.fromN("7"));

    assertThat(conditionalWrites.set(user.key(), Map.of(Counted.MARKS, other), seven)).isFalse();
    assertThat(conditionalWrites.set(user.key(), Map.of(Counted.MARKS, none), seven)).isTrue();
    assertThat(item(table, user.key())).containsAllEntriesOf(seven);
    assertThat(conditionalWrites.set(User.key(Names.fresh()), Map.of(), seven))
        .as("no item is created")
        .isFalse();
  }

  @Test
  void reindex_rewritesOnlyTheKeysOfTheRowThatWasRead(TestTable table) {
    var conditionalWrites = new ConditionalWrites(table.table());
    var notifications = new Notifications(table.table(), table.clock());
    var lost = notification(Names.fresh());
    var item = new HashMap<>(RowCodec.encode(lost));
    item.remove(Index.UNREAD.partitionKey());
    item.put(Index.UNREAD.sortKey(), AttributeValue.fromS("elsewhere"));
    put(table, item);
    var stored = stored(table, lost.key());
    assertThat(stored.misplacements())
        .containsExactly(
            Index.UNREAD.partitionKey() + " is absent, not " + expectedIndexKey(lost).partition(),
            Index.UNREAD.sortKey() + " is elsewhere, not " + expectedIndexKey(lost).sort());

    assertThat(conditionalWrites.reindex(stored)).isTrue();

    assertThat(notifications.unreadCount(lost.userId())).isEqualTo(1);
    assertThat(stored(table, lost.key()).misplacements()).isEmpty();
    notifications.markRead(lost.userId(), lost.notificationId());
    assertThat(conditionalWrites.reindex(stored)).as("it was marked read meanwhile").isFalse();
    assertThat(notifications.unread(lost.userId(), PageRequest.first(1)).items()).isEmpty();
  }

  @Test
  void scanner_continuesAfterAnUnknownItem(TestTable table) {
    var known = new HandleClaim(Names.fresh(), "a");
    table.table().putAll(List.of(known));
    var unknown = new Key("unknown" + Names.fresh(), "x");
    var kind = Map.of(RowKind.ATTRIBUTE, AttributeValue.fromS("ALIEN"));
    var elsewhere = new Key("elsewhere" + Names.fresh(), "x");
    put(table, with(KeyAttributes.of(unknown), kind));
    put(table, with(RowCodec.encode(known), KeyAttributes.of(elsewhere)));

    var items = new TableScanner(table.table()).at(List.of(unknown, known.key(), elsewhere));

    assertThat(items).hasSize(3).extracting(TableScanner.Item::key).contains(unknown, elsewhere);
    assertThat(items)
        .filteredOn(TableScanner.Unreadable.class::isInstance)
        .extracting(item -> ((TableScanner.Unreadable) item).problem())
        .anyMatch(problem -> problem.contains("ALIEN"))
        .anyMatch(problem -> problem.contains("belongs at " + known.key()))
        .hasSize(2);
    assertThat(new TableScanner(table.table()).items().flatMap(List::stream)).containsAll(items);
    table.table().deleteAll(List.of(unknown, elsewhere));
  }

  private static Notification notification(String userId) {
    var at = ListContract.FIRST;
    var id = TimeOrderedId.named(at, userId);
    return new Notification(
        userId, id, NotificationType.FOLLOW, "b", null, at, false, 4_000_000_000L);
  }

  private static Key expectedIndexKey(Notification notification) {
    return Objects.requireNonNull(notification.indexKeys().get(Index.UNREAD));
  }

  private static Map<String, AttributeValue> with(
      Map<String, AttributeValue> item, Map<String, AttributeValue> more) {
    var all = new HashMap<>(item);
    all.putAll(more);
    return all;
  }

  private static void put(TestTable table, Map<String, AttributeValue> item) {
    table.client().putItem(p -> p.tableName(table.table().name()).item(item));
  }

  private static Map<String, AttributeValue> item(TestTable table, Key key) {
    return table.table().get(key).orElseThrow();
  }

  private static TableScanner.Stored stored(TestTable table, Key key) {
    return (TableScanner.Stored) new TableScanner(table.table()).at(List.of(key)).getFirst();
  }

  private static HandleClaim claim(TestTable table, Key key) {
    return (HandleClaim) RowCodec.decode(item(table, key));
  }
}
