package social.feed.testkit.fault;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.cost.ItemSize;
import social.feed.table.kernel.schema.FeedTable;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.row.Key;
import social.feed.testkit.cost.Billing;
import social.feed.testkit.cost.Billing.Consistency;
import social.feed.testkit.cost.EvaluatedItems;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * The limits of a table in the cloud, around an engine without limits: latency on a {@link
 * VirtualTime}, throughput by partition, conflicts of concurrent transactions, and eventually
 * consistent reads that lag.
 *
 * <p>A call is admitted while the {@link PartitionThroughput} of all its partitions admits it. A
 * write that a partition of an index cannot take is refused as a whole. The client retries a
 * throttled call as the SDK does. The units are those of {@link Billing}.
 *
 * <p>While a transaction is under way, each other write of its items is refused: another
 * transaction as a whole, a single write with a conflict that the SDK does not retry. A batch
 * leaves such an item unprocessed.
 *
 * <p>A hot partition of the table may be split by sort key, as DynamoDB splits one for heat. Sort
 * keys that begin with a time are not split, since all writes meet at one end: those of the
 * indexes, of notifications and of comments.
 */
public final class CloudTable implements Wire {
  private static final Duration READ = Duration.ofMillis(4);
  private static final Duration BATCH = Duration.ofMillis(8);
  private static final Duration WRITE = Duration.ofMillis(5);
  private static final Duration TRANSACTION = Duration.ofMillis(15);

  /** The longest pause before the first retry; doubles with each. */
  private static final int FIRST_PAUSE_MS = 25;

  /** How long after the end of an invocation its process may still send a call. */
  private static final Duration STOPPING = Duration.ofMillis(50);

  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

  private final DynamoDbClient engine;
  private final Billing billing = new Billing(FeedTable.DECLARATION);
  private final String name;
  private final VirtualTime time;
  private final Limits limits;
  private final RandomGenerator random;
  private final RecentStates recent;
  private final EventualReads eventual;
  private final PartitionThroughput throughput;
  private final Map<Key, Long> locked = new HashMap<>();

  /** The items that were read or written. The engine would be asked twice for each write. */
  private final Map<Key, Optional<Map<String, AttributeValue>>> known = new HashMap<>();

  private final VirtualTime.Signal written;
  private final Map<Limit, Integer> struck = new EnumMap<>(Limit.class);

  /**
   * The limits of a table.
   *
   * @param writeUnits the write units that a partition takes in a second
   * @param readUnits the read units that it takes in a second
   * @param ranges the ranges of sort keys into which each partition of the table is split, each
   *     with these limits; 1 for none
   * @param retries the attempts of the SDK after the first
   * @param lag how long an eventually consistent read of the table may lag behind a write
   * @param indexLag how long a query of an index may lag behind a write
   * @param boost the factor up to which the rate of a partition rises with its refused calls, as
   *     adaptive capacity does; 1 for none
   */
  public record Limits(
      double writeUnits,
      double readUnits,
      int ranges,
      int retries,
      Duration lag,
      Duration indexLag,
      double boost) {
    private static final int WRITES = 1_000;
    private static final int READS = 3_000;
    private static final Duration LAG = Duration.ofMillis(500);

    /** What the SDK does for DynamoDB. */
    private static final int RETRIES = 8;

    /**
     * Returns the limits of DynamoDB, divided by a factor, for a load that is divided by it too.
     */
    public static Limits scaledDown(double factor) {
      return new Limits(WRITES / factor, READS / factor, 1, RETRIES, LAG, LAG, 1);
    }

    /** Returns the same limits with partitions that are split already. */
    public Limits split(int into) {
      return new Limits(writeUnits, readUnits, into, retries, lag, indexLag, boost);
    }
  }

  /** A limit that calls meet. */
  public enum Limit {
    /** A write was refused, or an item of a batch, because a partition had no units left. */
    THROTTLED_WRITE,
    /** A read was refused, or a key of a batch. */
    THROTTLED_READ,
    /** A batch left items or keys unprocessed. */
    UNPROCESSED,
    /** A write met a transaction under way. */
    CONFLICT,
    /** A read returned an old state. */
    STALE_READ,
    /** A query of an index returned an item that was gone or had moved. */
    GHOST,
    /** A call came too late in its invocation. */
    AFTER_LAST_CALL,
    /** A call of an invocation that had ended was still applied. */
    LATE_CALL
  }

  /**
   * The end of an invocation, in virtual time.
   *
   * @param lastCall after which the function refuses its own calls
   * @param timeout after which the platform ends it
   */
  public record InvocationEnd(Duration lastCall, Duration timeout) {
    /** The end of an invocation that begins now: a half is in reserve, at most 20 seconds. */
    public static InvocationEnd of(Duration now, Duration allowed) {
      var half = allowed.dividedBy(2);
      var reserve = half.compareTo(RESERVE) < 0 ? half : RESERVE;
      return new InvocationEnd(now.plus(allowed).minus(reserve), now.plus(allowed));
    }

    private static final Duration RESERVE = Duration.ofSeconds(20);
  }

  /** The end of an invocation that ran for longer than its function may. */
  public static final class FunctionTimeout extends Error {
    private static final long serialVersionUID = 1L;

    private FunctionTimeout() {
      super("Task timed out", null, false, false);
    }
  }

  /**
   * @param engine the client of an engine that nothing else writes to without {@link #forget}
   * @param written is given after each write
   */
  public CloudTable(
      DynamoDbClient engine,
      String name,
      VirtualTime time,
      Limits limits,
      RandomGenerator random,
      VirtualTime.Signal written) {
    this.engine = engine;
    this.name = name;
    this.time = time;
    this.limits = limits;
    this.random = random;
    this.written = written;
    this.recent = new RecentStates(time, limits.lag, limits.indexLag);
    this.throughput = new PartitionThroughput(time, limits);
    this.eventual = new EventualReads(recent, random);
  }

  /** Returns what the partitions have taken, given and refused. */
  public PartitionThroughput throughput() {
    return throughput;
  }

  /** Returns the states that reads which lag may return. */
  Replica replica() {
    return recent;
  }

  /** Returns how often each limit was met. */
  public Map<Limit, Integer> struck() {
    return struck;
  }

  /**
   * Returns this table as an invocation of a function sees it, which ends at a time.
   *
   * @param end returns the end of the invocation that makes a call
   */
  public Wire until(Supplier<InvocationEnd> end) {
    var whole = this;
    return new Wire() {
      @Override
      public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
        if (time.passed().compareTo(end.get().lastCall()) >= 0) {
          struck(Limit.AFTER_LAST_CALL);
          throw SdkClientException.create("The invocation is about to end");
        }
        A answer = whole.send(request, table, end.get().timeout().plus(STOPPING));
        if (time.passed().compareTo(end.get().timeout()) > 0) {
          struck(Limit.LATE_CALL);
          throw new FunctionTimeout();
        }
        return answer;
      }
    };
  }

  @Override
  public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
    return send(request, table, FOREVER);
  }

  /**
   * Sends a request, and again after a refusal. The platform stops the process of an invocation
   * that has ended, so the SDK makes no further attempts.
   *
   * @param processEnd after which nothing is sent
   */
  private <Q extends DynamoDbRequest, A> A send(
      Q request, Function<Q, A> table, Duration processEnd) {
    for (int attempt = 0; ; attempt++) {
      if (time.passed().compareTo(processEnd) > 0) {
        throw new FunctionTimeout();
      }
      time.sleep(latency(request));
      try {
        return attempt(request, table);
      } catch (SdkException e) {
        if (!Failing.isThrottling(e) || attempt == limits.retries) {
          throw e;
        }
      }
      time.sleep(Duration.ofMillis(random.nextInt(1 + (FIRST_PAUSE_MS << attempt))));
    }
  }

  private static Duration latency(DynamoDbRequest request) {
    return switch (request) {
      case TransactWriteItemsRequest _ -> TRANSACTION;
      case BatchWriteItemRequest _ -> BATCH;
      case BatchGetItemRequest _ -> BATCH;
      case ScanRequest _ -> BATCH;
      case QueryRequest _ -> BATCH;
      case GetItemRequest _ -> READ;
      default -> WRITE;
    };
  }

  private synchronized <Q extends DynamoDbRequest, A> A attempt(Q request, Function<Q, A> table) {
    return switch (request) {
      case BatchWriteItemRequest batch -> writeBatch(batch, request, table);
      case BatchGetItemRequest batch -> readBatch(batch, request, table);
      default -> {
        if (Faults.isWrite(request)) {
          yield write(request, table);
        }
        yield read(request, table);
      }
    };
  }

  private <Q extends DynamoDbRequest, A> A write(Q request, Function<Q, A> table) {
    var targets = ItemWrite.of(request);
    boolean isTransaction = request instanceof TransactWriteItemsRequest;
    if (targets.stream().anyMatch(target -> isLocked(target.key()))) {
      struck(Limit.CONFLICT);
      throw isTransaction ? Failing.conflict(targets.size()) : Failing.conflict();
    }
    var before = new ArrayList<Optional<Map<String, AttributeValue>>>();
    for (var target : targets) {
      var old = stored(target.key());
      before.add(old);
      var refusing = refusing(target, old);
      if (refusing.isPresent()) {
        count(refusing.get(), Limit.THROTTLED_WRITE);
        throw isTransaction
            ? Failing.throttledTransaction(targets.size())
            : Failing.throughputExceeded();
      }
    }
    boolean isDone = false;
    try {
      A answer = table.apply(request);
      isDone = true;
      return answer;
    } finally {
      for (int i = 0; i < targets.size(); i++) {
        if (isDone) {
          note(targets.get(i), before.get(i), isTransaction);
        } else {
          noteFailed(targets.get(i), before.get(i), isTransaction);
        }
        if (isTransaction) {
          locked.put(targets.get(i).key(), time.micros() + TRANSACTION.toNanos() / 1_000);
        }
      }
      written.give();
    }
  }

  private boolean isLocked(Key key) {
    return locked.getOrDefault(key, Long.MIN_VALUE) > time.micros();
  }

  /** Charges what a write did. */
  private void note(
      ItemWrite target, Optional<Map<String, AttributeValue>> before, boolean isTransactional) {
    var key = target.key();
    var after =
        switch (target.change()) {
          case PUT -> target.put();
          case UPDATE -> read(key);
          case DELETE -> Optional.<Map<String, AttributeValue>>empty();
          case CHECK -> before;
        };
    known.put(key, after);
    var old = before.orElse(Map.of());
    var now = after.orElse(Map.of());
    throughput.write(throughput.partition(key), Billing.writeOfItem(old, now, isTransactional));
    billing
        .indexWrites(old, now)
        .forEach(
            write ->
                throughput.write(
                    EventualReads.partition(write.index(), write.partition()), write.units()));
    recent.note(key, before, after);
  }

  private void noteFailed(
      ItemWrite target, Optional<Map<String, AttributeValue>> before, boolean isTransactional) {
    var intended = target.put().orElse(Map.of());
    throughput.write(
        throughput.partition(target.key()),
        isTransactional
            ? Billing.failedTransactionalWrite(before.orElse(Map.of()), intended)
            : Billing.failedWrite(before.orElse(Map.of()), intended));
  }

  private Optional<String> refusing(
      ItemWrite target, Optional<Map<String, AttributeValue>> before) {
    return Stream.of(
            Stream.of(throughput.partition(target.key())),
            before.stream().flatMap(this::indexPartitions),
            target.put().stream().flatMap(this::indexPartitions))
        .flatMap(partitions -> partitions)
        .filter(partition -> !throughput.takesWrites(partition))
        .findFirst();
  }

  /** Returns the partitions of the indexes that hold an item. */
  private Stream<String> indexPartitions(Map<String, AttributeValue> item) {
    return billing.indexWrites(Map.of(), item).stream()
        .map(write -> EventualReads.partition(write.index(), write.partition()));
  }

  @SuppressWarnings("unchecked") // A rebuilt request or response has the original type.
  private <Q extends DynamoDbRequest, A> A writeBatch(
      BatchWriteItemRequest batch, Q request, Function<Q, A> table) {
    var admitted = new ArrayList<WriteRequest>();
    var refused = new ArrayList<WriteRequest>();
    var conflicts = new ArrayList<WriteRequest>();
    var before = new ArrayList<Optional<Map<String, AttributeValue>>>();
    for (var write : batch.requestItems().getOrDefault(name, List.of())) {
      var target = ItemWrite.of(write);
      var old = stored(target.key());
      var refusing = refusing(target, old);
      refusing.ifPresent(partition -> count(partition, Limit.THROTTLED_WRITE));
      if (refusing.isPresent()) {
        refused.add(write);
      } else if (isLocked(target.key())) {
        struck(Limit.CONFLICT);
        conflicts.add(write);
      } else {
        admitted.add(write);
        before.add(old);
      }
    }
    if (admitted.isEmpty() && conflicts.isEmpty()) {
      throw Failing.throughputExceeded();
    }
    refused.addAll(conflicts);
    var part = batch.toBuilder().requestItems(Map.of(name, admitted)).build();
    var answer =
        admitted.isEmpty()
            ? BatchWriteItemResponse.builder().build()
            : (BatchWriteItemResponse) table.apply((Q) part);
    for (int i = 0; i < admitted.size(); i++) {
      note(ItemWrite.of(admitted.get(i)), before.get(i), false);
    }
    written.give();
    if (!refused.isEmpty()) {
      struck(Limit.UNPROCESSED);
    }
    return refused.isEmpty()
        ? (A) answer
        : (A) answer.toBuilder().unprocessedItems(Map.of(name, refused)).build();
  }

  @SuppressWarnings("unchecked") // A rebuilt request or response has the original type.
  private <Q extends DynamoDbRequest, A> A readBatch(
      BatchGetItemRequest batch, Q request, Function<Q, A> table) {
    KeysAndAttributes all = requireNonNull(batch.requestItems().get(name));
    boolean isStrong = Boolean.TRUE.equals(all.consistentRead());
    var admitted = new ArrayList<Map<String, AttributeValue>>();
    var refused = new ArrayList<Map<String, AttributeValue>>();
    for (var key : all.keys()) {
      (isReadable(throughput.partition(EventualReads.key(key))) ? admitted : refused).add(key);
    }
    if (admitted.isEmpty()) {
      throw Failing.throughputExceeded();
    }
    var part =
        (Q)
            batch.toBuilder()
                .requestItems(Map.of(name, all.toBuilder().keys(admitted).build()))
                .build();
    A answer = isStrong ? table.apply(part) : readEventually(part, table);
    var found = new HashMap<Key, Map<String, AttributeValue>>();
    ((BatchGetItemResponse) answer)
        .responses()
        .getOrDefault(name, List.of())
        .forEach(item -> found.put(EventualReads.key(item), item));
    var consistency = isStrong ? Consistency.STRONG : Consistency.EVENTUAL;
    boolean isProjected = all.projectionExpression() != null;
    admitted.forEach(
        attributes -> {
          var key = EventualReads.key(attributes);
          var item = isProjected ? stored(key).orElse(Map.of()) : found.getOrDefault(key, Map.of());
          throughput.read(throughput.partition(key), Billing.readOfItem(item, consistency));
        });
    if (!refused.isEmpty()) {
      struck(Limit.UNPROCESSED);
    }
    return refused.isEmpty()
        ? answer
        : (A)
            ((BatchGetItemResponse) answer)
                .toBuilder()
                    .unprocessedKeys(Map.of(name, all.toBuilder().keys(refused).build()))
                    .build();
  }

  private <Q extends DynamoDbRequest, A> A read(Q request, Function<Q, A> table) {
    var partition = partitionRead(request);
    if (partition != null && !isReadable(partition)) {
      throw Failing.throughputExceeded();
    }
    boolean isEventual = EventualReads.isEventual(request) || EventualReads.isOfIndex(request);
    A answer = isEventual ? readEventually(request, table) : table.apply(request);
    var consistency = isEventual ? Consistency.EVENTUAL : Consistency.STRONG;
    double units = Billing.readOfPage(bytes(request, answer), consistency);
    if (partition == null) {
      throughput.scan(units);
    } else {
      throughput.read(partition, units);
    }
    return answer;
  }

  /** Reads old states, and counts those that differ from the present ones. */
  private <Q extends DynamoDbRequest, A> A readEventually(Q request, Function<Q, A> table) {
    var present = new ArrayList<A>();
    A answer =
        eventual.read(
            request,
            sent -> {
              present.add(table.apply(sent));
              return present.getLast();
            });
    if (answer.equals(present.getLast())) {
      return answer;
    }
    var shown = items(answer);
    var stored = items(present.getLast());
    if (!shown.equals(stored)) {
      struck(Limit.STALE_READ);
      if (EventualReads.isOfIndex(request) && !stored.containsAll(shown)) {
        struck(Limit.GHOST);
      }
    }
    return answer;
  }

  private static Set<Map<String, AttributeValue>> items(Object answer) {
    return switch (answer) {
      case GetItemResponse get -> Set.of(get.item());
      case BatchGetItemResponse get ->
          get.responses().values().stream().flatMap(List::stream).collect(Collectors.toSet());
      case QueryResponse query -> Set.copyOf(query.items());
      default -> Set.of();
    };
  }

  private long bytes(DynamoDbRequest request, Object answer) {
    return switch (request) {
      case GetItemRequest get when get.projectionExpression() != null ->
          ItemSize.of(stored(EventualReads.key(get.key())).orElse(Map.of()));
      case GetItemRequest _ -> ItemSize.of(((GetItemResponse) answer).item());
      case QueryRequest query -> EvaluatedItems.bytes(engine, query, (QueryResponse) answer);
      case ScanRequest scan -> EvaluatedItems.bytes(engine, scan, (ScanResponse) answer);
      default -> 0;
    };
  }

  /** Returns the partition that a read concerns; null for a scan, which reads all of them. */
  private @Nullable String partitionRead(DynamoDbRequest request) {
    return switch (request) {
      case GetItemRequest get -> throughput.partition(EventualReads.key(get.key()));
      case QueryRequest query -> EventualReads.partition(query);
      default -> null;
    };
  }

  private boolean isReadable(String partition) {
    boolean isReadable = throughput.givesReads(partition);
    if (!isReadable) {
      count(partition, Limit.THROTTLED_READ);
    }
    return isReadable;
  }

  private void count(String partition, Limit limit) {
    throughput.refuse(partition);
    struck(limit);
  }

  private void struck(Limit limit) {
    struck.merge(limit, 1, Integer::sum);
  }

  /** Forgets the items, because something else has written to the engine. */
  public synchronized void forget() {
    known.clear();
  }

  private Optional<Map<String, AttributeValue>> stored(Key key) {
    return known.computeIfAbsent(key, this::read);
  }

  private Optional<Map<String, AttributeValue>> read(Key key) {
    var response =
        engine.getItem(g -> g.tableName(name).key(KeyAttributes.of(key)).consistentRead(true));
    return response.hasItem() ? Optional.of(response.item()) : Optional.empty();
  }
}
