package social.feed.table.notification;

import static social.feed.table.kernel.store.Condition.absent;
import static social.feed.table.kernel.store.Condition.before;
import static social.feed.table.kernel.store.Condition.equal;
import static social.feed.table.kernel.store.Condition.lacks;
import static social.feed.table.kernel.store.Condition.present;
import static social.feed.table.kernel.store.Condition.same;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.id.Sha256;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.MalformedItemException;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.BlockOrMute;
import social.feed.table.row.Inbox;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Notification;
import social.feed.table.row.User;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * Keeps the number of unread notifications in step with their rows. The stream counts notifications
 * that come and go. Here they are marked as read, and their number changes in the same transaction,
 * so a caller sees the result at once in any process.
 */
public final class Inboxes {
  private static final RecordSchema<Notification> NOTIFICATIONS =
      RecordSchema.of(Notification.class);

  /** Notifications of one part, which fit into a transaction with the inbox. */
  static final int PART = 90;

  /** Blocks that one read unit holds next to the inbox. */
  private static final int BLOCKS = 12;

  /** The most rows before the inbox that are read. */
  private static final int MOST_BLOCKS = 500;

  /** The most notifications that blocks hide and that the inbox names. */
  static final int HIDDEN = 10;

  private static final int AT_ONCE = 16;

  private static final RecordSchema<Inbox> SCHEMA = RecordSchema.of(Inbox.class);

  private final Table table;
  private final PartitionQueries partitions;

  public Inboxes(Table table) {
    this.table = table;
    this.partitions = new PartitionQueries(table);
  }

  /** Returns the inbox of an account, strongly consistent. One read unit. */
  public Optional<Inbox> get(String userId) {
    return table.get(Inbox.key(userId)).map(SCHEMA::mapToItem);
  }

  /**
   * The inbox of an account and the blocks in front of it, of either side.
   *
   * @param inbox empty where there is none
   * @param blocks the last ones in the order of their keys
   * @param areAll whether these are all blocks
   */
  record Standing(Optional<Inbox> inbox, List<BlockOrMute> blocks, boolean areAll) {
    /** Returns whether the inbox names all notifications that it counts and a block hides. */
    boolean isSettled(Inbox stored) {
      var hidden = stored.hiddenPlaces();
      return areAll
          && ((blocks.isEmpty() && hidden.isEmpty()) || hash(hidden).equals(stored.settledFor()));
    }

    /** Returns whether these are all blocks and all of them were written before a time. */
    boolean areFromBefore(Instant time) {
      return areAll && blocks.stream().allMatch(block -> block.createdAt().isBefore(time));
    }

    /** Returns the other accounts of the blocks. */
    Set<String> separated() {
      return blocks.stream().map(BlockOrMute::otherId).collect(Collectors.toSet());
    }

    /**
     * Returns a hash of the blocks with their times, so one that ends and begins again differs, and
     * of the notifications that they hide.
     */
    String hash(List<String> hidden) {
      var digest = Sha256.begin();
      Stream.concat(
              blocks.stream().map(block -> block.key().sort() + Keys.at(block.createdAt())),
              hidden.stream())
          .forEach(text -> digest.update(text.getBytes(StandardCharsets.UTF_8)));
      return HexFormat.of().formatHex(digest.digest(), 0, Long.BYTES * 2);
    }
  }

  /**
   * Returns the inbox and up to {@value #MOST_BLOCKS} blocks. One read unit for {@value #BLOCKS}
   * blocks, and one for each 4 KB of the others, some 38 of them.
   */
  Standing standing(String userId) {
    var query = towardsBlocks(Inbox.key(userId)).limit(BLOCKS + 2);
    var first = table.client().query(query.build());
    var items = new ArrayList<>(first.items());
    var rest = first.lastEvaluatedKey();
    if (!rest.isEmpty()) {
      var more =
          table.client().query(query.exclusiveStartKey(rest).limit(MOST_BLOCKS - BLOCKS).build());
      items.addAll(more.items());
      rest = more.lastEvaluatedKey();
    }
    // A row of another kind may lie between them, as an earlier version wrote it.
    var rows = items.stream().filter(Inboxes::isBlockOrInbox).map(RowCodec::decode).toList();
    var blocks =
        rows.stream().filter(BlockOrMute.class::isInstance).map(BlockOrMute.class::cast).toList();
    var stored = rows.stream().filter(Inbox.class::isInstance).map(Inbox.class::cast).findFirst();
    return new Standing(stored, blocks, rest.isEmpty());
  }

  private static boolean isBlockOrInbox(Map<String, AttributeValue> item) {
    var key = KeyAttributes.key(item);
    return Inbox.isAt(key) || key.sort().startsWith(Keys.BLOCKS_BOTH_WAYS);
  }

  /** A strong query from an inbox back to the first block, so that the inbox comes first. */
  private QueryRequest.Builder towardsBlocks(Key inbox) {
    return QueryRequest.builder()
        .tableName(table.name())
        .consistentRead(true)
        .scanIndexForward(false)
        .keyConditionExpression("#pk = :pk AND #sk BETWEEN :first AND :last")
        .expressionAttributeNames(Map.of("#pk", BaseTable.PK, "#sk", BaseTable.SK))
        .expressionAttributeValues(
            Map.of(
                ":pk", AttributeValue.fromS(inbox.partition()),
                ":first", AttributeValue.fromS(Keys.BLOCKS_BOTH_WAYS),
                ":last", AttributeValue.fromS(inbox.sort())));
  }

  /**
   * Returns whether all notifications that an inbox names as hidden are still part of its number,
   * strongly consistent. One read unit each. None of them becomes unread again, so they were part
   * of it also when the inbox was read.
   *
   * @param now epoch second
   */
  boolean areHiddenUnread(Inbox inbox, long now) {
    var keys = inbox.hiddenKeys();
    return table.itemsAt(keys, true).stream()
            .flatMap(Inboxes::readable)
            .filter(stored -> stored.isCountedUnread() && stored.expiresAt() > now)
            .count()
        == keys.size();
  }

  /**
   * Writes the first inbox of an account, unless there is one, or no account. The stream then looks
   * for notifications from before it. Four write units.
   *
   * @return whether it was written
   */
  boolean create(Inbox inbox) {
    return table
        .transaction()
        .check(User.key(inbox.userId()), present())
        .put(inbox, absent())
        .commit()
        .isDone();
  }

  /**
   * Lets all notifications up to a time count as read. Their rows follow behind the stream, some at
   * a time. One write unit, whatever their number; four for the first of an account.
   */
  void markAllRead(String userId, Instant upTo) {
    var key = Inbox.key(userId);
    var update = new Update().set(Inbox.READ_UP_TO, upTo).increment(Inbox.STEP);
    var later = present().and(lacks(Inbox.READ_UP_TO).or(before(Inbox.READ_UP_TO, upTo)));
    table
        .retry()
        .until(
            "The inbox at " + key,
            () -> {
              var outcome = table.update(key, update, later.returningItem());
              if (outcome.isDone() || outcome.existing(key).isPresent()) {
                return Optional.of(key);
              }
              // Without an account there is nothing to mark.
              return create(Inbox.empty(userId).readUpTo(upTo))
                      || table.get(User.key(userId)).isEmpty()
                  ? Optional.of(key)
                  : Optional.empty();
            });
  }

  /**
   * What an exact count has found.
   *
   * @param currentUntil epoch second before which no unread notification expires
   * @param isUnmuted whether no mute hides an unread notification, nor one that comes late
   * @param settledFor the blocks and the notifications that they hide, as a hash; absent where they
   *     may hide others
   * @param hidden these notifications, as sort keys in the index of unread ones
   */
  record Found(
      long currentUntil, boolean isUnmuted, @Nullable String settledFor, List<String> hidden) {}

  /**
   * Notes what an exact count has found. One write unit.
   *
   * @param read the inbox as it was read before the count
   */
  void settle(Inbox read, Found found) {
    var update = new Update().set(Inbox.CURRENT_UNTIL, found.currentUntil);
    if (found.isUnmuted) {
      // A mute after the read has raised the number, so an old value only costs another count.
      update.set(Inbox.UNMUTED, read.mutes());
    }
    if (found.settledFor != null) {
      update.set(Inbox.SETTLED_FOR, found.settledFor);
      if (found.hidden.isEmpty()) {
        update.remove(Inbox.HIDDEN);
      } else {
        update.set(
            Inbox.HIDDEN,
            AttributeValue.fromL(found.hidden.stream().map(AttributeValue::fromS).toList()));
      }
    }
    table.update(read.key(), update, present());
  }

  /**
   * Does the next part of the work on the rows of an account: it counts notifications from before
   * the inbox, and marks those as read that count as read. A part is at most {@value #PART}
   * notifications. Notes the progress, which orders the next part through the stream. One read
   * unit, one for each 4 KB of the part, three write units a notification and three for the inbox.
   */
  public void advance(String userId) {
    get(userId)
        .ifPresent(
            inbox -> {
              if (!inbox.complete()) {
                adopt(inbox);
              } else if (inbox.readUpTo() != null) {
                clear(inbox, inbox.readUpTo());
              }
            });
  }

  private static Stream<Notification> readable(Map<String, AttributeValue> item) {
    try {
      return Stream.of(NOTIFICATIONS.mapToItem(item));
    } catch (MalformedItemException | IllegalArgumentException | ArithmeticException e) {
      return Stream.empty();
    }
  }

  /** Skips notifications that cannot be read, which {@code verify} reports. */
  private void adopt(Inbox inbox) {
    var items =
        partitions.after(Keys.user(inbox.userId()), Keys.NOTIFICATIONS, inbox.adoptedTo(), PART);
    var uncounted =
        items.stream().flatMap(Inboxes::readable).filter(Notification::isUncounted).toList();
    markUncounted(
        uncounted.stream()
            .filter(notification -> inbox.isReadAt(notification.createdAt()))
            .map(Notification::key)
            .toList());
    var counted = new Update().set(Notification.COUNTED, AttributeValue.fromBool(true));
    together(
        inbox.userId(),
        uncounted.stream()
            .filter(notification -> !inbox.isReadAt(notification.createdAt()))
            .map(Notification::key)
            .toList(),
        counted,
        present().and(unread()).and(lacks(Notification.COUNTED)),
        1);
    if (items.size() < PART) {
      var done =
          new Update().set(Inbox.COMPLETE, AttributeValue.fromBool(true)).remove(Inbox.ADOPTED_TO);
      advance(
          inbox, inbox.readUpTo() == null ? done.remove(Inbox.STEP) : done.increment(Inbox.STEP));
    } else {
      var last = KeyAttributes.key(items.getLast()).sort();
      advance(inbox, new Update().set(Inbox.ADOPTED_TO, last).increment(Inbox.STEP));
    }
  }

  private void clear(Inbox inbox, Instant upTo) {
    var query =
        QueryRequest.builder()
            .tableName(table.name())
            .indexName(Index.UNREAD.indexName())
            .limit(PART)
            .keyConditionExpression("#unread = :user AND #time < :end")
            .expressionAttributeNames(
                Map.of("#unread", Index.UNREAD.partitionKey(), "#time", Index.UNREAD.sortKey()))
            .expressionAttributeValues(
                Map.of(
                    ":user", AttributeValue.fromS(Keys.unread(inbox.userId())),
                    ":end", AttributeValue.fromS(Keys.endOf(upTo))))
            .build();
    var keys = table.client().query(query).items().stream().map(KeyAttributes::key).toList();
    markRead(inbox.userId(), keys);
    advance(
        inbox,
        keys.size() < PART
            ? new Update().remove(Inbox.READ_UP_TO).remove(Inbox.STEP)
            : new Update().increment(Inbox.STEP));
  }

  /**
   * Orders the work on the rows of an account again, from the beginning: all notifications that the
   * inbox does not count are looked at. One write unit.
   *
   * @param read the inbox as it was read
   * @return whether it was ordered; false when another part was noted or ordered meanwhile
   */
  public boolean countAgain(Inbox read) {
    return advance(
        read,
        new Update().set(Inbox.COMPLETE, AttributeValue.fromBool(false)).increment(Inbox.STEP));
  }

  /**
   * Orders the next part of the work on the rows of an account again, where its record was lost.
   * Another order does no harm. One write unit.
   *
   * @param read the inbox as it was read
   * @return whether it was ordered; false when another part was noted or ordered meanwhile
   */
  public boolean resume(Inbox read) {
    return advance(read, new Update().increment(Inbox.STEP));
  }

  /** Another process that notes progress, or a later mark of all, orders the next part itself. */
  private boolean advance(Inbox read, Update progress) {
    var item = RowCodec.encode(read);
    var unchanged =
        Stream.of(Inbox.STEP, Inbox.READ_UP_TO, Inbox.COMPLETE)
            .map(attribute -> same(attribute, item.get(attribute)))
            .reduce(present(), Condition::and);
    return table.update(read.key(), progress, unchanged).isDone();
  }

  /**
   * Marks notifications as read, at most {@value #PART}; absent and read ones stay as they are. Two
   * write units and one for the index each, and two for the inbox.
   *
   * @throws ThrottledException when concurrent writes keep changing the same rows
   */
  void markRead(String userId, Collection<Key> keys) {
    var rest =
        together(
            userId,
            List.copyOf(keys),
            read().remove(Notification.COUNTED),
            present().and(unread()).and(equal(Notification.COUNTED, AttributeValue.fromBool(true))),
            -1);
    markUncounted(rest);
  }

  /**
   * Marks rows as read whose number the inbox does not have, or the stream takes from it: the
   * stream counts rows that still say that they are counted.
   */
  private void markUncounted(Collection<Key> keys) {
    ParallelCalls.map(
        List.copyOf(keys), AT_ONCE, key -> table.update(key, read(), present()).isDone());
  }

  private static Update read() {
    return new Update()
        .set(Notification.READ, AttributeValue.fromBool(true))
        .remove(Index.UNREAD.partitionKey())
        .remove(Index.UNREAD.sortKey());
  }

  private static Condition unread() {
    return equal(Notification.READ, AttributeValue.fromBool(false));
  }

  /**
   * Updates rows and adds their number to the inbox, all together. A row whose condition fails is
   * left out.
   *
   * @return the keys of rows that were left out and are in the index of unread ones, and all keys
   *     where there is no inbox
   */
  private List<Key> together(
      String userId, List<Key> keys, Update update, Condition condition, long each) {
    if (keys.isEmpty()) {
      return List.of();
    }
    var inbox = Inbox.key(userId);
    var leftOut = new ArrayList<Key>();
    table
        .retry()
        .onRest(
            "Notifications of " + User.key(userId),
            keys,
            left -> {
              var transaction = table.transaction();
              left.forEach(key -> transaction.update(key, update, condition.returningItem()));
              var outcome =
                  transaction
                      .update(inbox, new Update().add(Inbox.UNREAD, each * left.size()), present())
                      .commit();
              if (outcome.isDone()) {
                return Optional.empty();
              }
              if (outcome.failedAt(inbox)) {
                leftOut.addAll(left);
                return Optional.empty();
              }
              left.stream().filter(key -> isInIndex(outcome.existing(key))).forEach(leftOut::add);
              var rest = left.stream().filter(key -> !outcome.failedAt(key)).toList();
              return Optional.of(rest).filter(some -> !some.isEmpty());
            });
    return leftOut;
  }

  private static boolean isInIndex(Optional<Map<String, AttributeValue>> item) {
    return item.filter(it -> it.containsKey(Index.UNREAD.partitionKey())).isPresent();
  }
}
