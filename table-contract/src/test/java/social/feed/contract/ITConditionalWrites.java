package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.ConditionalWrites;
import social.feed.table.kernel.store.TableScanner;
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
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A correction changes a row that still is what was read, and no other; a census reads on. */
@ExtendWith(EngineExtension.class)
class ITConditionalWrites {
  @Test
  void insert_whereSomethingIs_changesNothing(TestTable table) {
    var corrections = new ConditionalWrites(table.table());
    var claim = new HandleClaim(Names.fresh(), "a");

    assertThat(corrections.insert(claim)).isTrue();
    assertThat(corrections.insert(new HandleClaim(claim.handle(), "b"))).isFalse();
    assertThat(claim(table, claim.key())).isEqualTo(claim);
  }

  @Test
  void replaceAndRemove_ofWhatIsAnotherByNow_changeNothing(TestTable table) {
    var corrections = new ConditionalWrites(table.table());
    var read = new HandleClaim(Names.fresh(), "a");
    var now = new HandleClaim(read.handle(), "b");
    var right = new HandleClaim(read.handle(), "c");
    corrections.insert(now);

    assertThat(corrections.replace(read, right)).isFalse();
    assertThat(corrections.remove(read)).isFalse();
    assertThat(claim(table, now.key())).isEqualTo(now);
    assertThat(corrections.replace(now, right)).isTrue();
    assertThat(corrections.replace(now, right)).isFalse();
    assertThat(corrections.remove(right)).isTrue();
    assertThat(corrections.remove(right)).isFalse();
    assertThat(corrections.replace(right, now)).as("nothing comes back").isFalse();
    assertThat(table.table().get(right.key())).isEmpty();
  }

  @Test
  void set_besideAnotherMark_changesNothing(TestTable table) {
    var corrections = new ConditionalWrites(table.table());
    var id = Names.fresh();
    var user = User.registered(id, id, id, null, ListContract.FIRST);
    table.table().putAll(List.of(user));
    var none = AttributeValue.fromM(Map.of());
    var other = AttributeValue.fromM(Map.of("shard", AttributeValue.fromS("1")));
    var seven = Map.of(User.FOLLOWERS_COUNT, AttributeValue.fromN("7"));

    assertThat(corrections.set(user.key(), Map.of(Counted.MARKS, other), seven)).isFalse();
    assertThat(corrections.set(user.key(), Map.of(Counted.MARKS, none), seven)).isTrue();
    assertThat(item(table, user.key())).containsAllEntriesOf(seven);
    assertThat(corrections.set(User.key(Names.fresh()), Map.of(), seven))
        .as("it never makes an item")
        .isFalse();
  }

  @Test
  void reindex_rewritesTheKeysOfWhatWasReadOnly(TestTable table) {
    var corrections = new ConditionalWrites(table.table());
    var notifications = new Notifications(table.table(), table.clock());
    var lost = told(Names.fresh());
    var item = new HashMap<>(RowCodec.encode(lost));
    item.remove(Index.UNREAD.partitionKey());
    item.put(Index.UNREAD.sortKey(), AttributeValue.fromS("elsewhere"));
    put(table, item);
    var stored = stored(table, lost.key());
    assertThat(stored.misplacements())
        .containsExactly(
            Index.UNREAD.partitionKey() + " is absent, not " + wanted(lost).partition(),
            Index.UNREAD.sortKey() + " is elsewhere, not " + wanted(lost).sort());

    assertThat(corrections.reindex(stored)).isTrue();

    assertThat(notifications.unreadCount(lost.userId())).isEqualTo(1);
    assertThat(stored(table, lost.key()).misplacements()).isEmpty();
    notifications.markRead(lost.userId(), lost.notificationId());
    assertThat(corrections.reindex(stored)).as("it was read meanwhile").isFalse();
    assertThat(notifications.unread(lost.userId(), PageRequest.first(1)).items()).isEmpty();
  }

  @Test
  void census_pastWhatNobodyKnows_readsOn(TestTable table) {
    var known = new HandleClaim(Names.fresh(), "a");
    table.table().putAll(List.of(known));
    var alien = new Key("alien" + Names.fresh(), "x");
    var kind = Map.of(RowKind.ATTRIBUTE, AttributeValue.fromS("ALIEN"));
    var elsewhere = new Key("elsewhere" + Names.fresh(), "x");
    put(table, with(KeyAttributes.of(alien), kind));
    put(table, with(RowCodec.encode(known), KeyAttributes.of(elsewhere)));

    var items = new TableScanner(table.table()).at(List.of(alien, known.key(), elsewhere));

    assertThat(items).hasSize(3).extracting(TableScanner.Item::key).contains(alien, elsewhere);
    assertThat(items)
        .filteredOn(TableScanner.Unreadable.class::isInstance)
        .extracting(item -> ((TableScanner.Unreadable) item).problem())
        .anyMatch(problem -> problem.contains("ALIEN"))
        .anyMatch(problem -> problem.contains("belongs at " + known.key()))
        .hasSize(2);
    assertThat(new TableScanner(table.table()).items().flatMap(List::stream)).containsAll(items);
    table.table().deleteAll(List.of(alien, elsewhere));
  }

  private static Notification told(String userId) {
    var at = ListContract.FIRST;
    var id = TimeOrderedId.named(at, userId);
    return new Notification(
        userId, id, NotificationType.FOLLOW, "b", null, at, false, 4_000_000_000L);
  }

  private static Key wanted(Notification told) {
    return Objects.requireNonNull(told.indexKeys().get(Index.UNREAD));
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
