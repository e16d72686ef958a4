package social.feed.testkit.fault;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.declaration.IndexDeclaration;
import social.feed.table.kernel.schema.FeedTable;
import social.feed.table.row.Key;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.Select;

/**
 * Reads that return old states. Each item that changed recently is read in one of its recent
 * states, independently of the other items: new items are missing, deleted ones are returned, and
 * others have their old attributes. A query of an index returns entries of the old state under
 * their old index keys.
 */
public record EventualReads(Replica replica, RandomGenerator random) {
  /** Matches the condition on the sort key, in the forms that the stores and the SDK use. */
  private static final Pattern CONDITION =
      Pattern.compile(
          "begins_with\\s*\\(\\s*(?<prefixed>[#\\w]+)\\s*,\\s*(?<prefix>:\\w+)\\s*\\)"
              + "|(?<between>[#\\w]+)\\s+BETWEEN\\s+(?<first>:\\w+)\\s+AND\\s+(?<last>:\\w+)"
              + "|(?<compared>[#\\w]+)\\s*(?<operator>=|<=|>=|<|>)\\s*(?<with>:\\w+)");

  static boolean isEventual(DynamoDbRequest request) {
    return switch (request) {
      case GetItemRequest get -> !isStrong(get.consistentRead());
      case BatchGetItemRequest get ->
          get.requestItems().values().stream().noneMatch(keys -> isStrong(keys.consistentRead()));
      case QueryRequest query -> query.indexName() == null && !isStrong(query.consistentRead());
      default -> false;
    };
  }

  static boolean isOfIndex(DynamoDbRequest request) {
    return request instanceof QueryRequest query && query.indexName() != null;
  }

  private static boolean isStrong(@Nullable Boolean consistentRead) {
    return Boolean.TRUE.equals(consistentRead);
  }

  /** Returns the answer to an eventually consistent read, from old states. */
  @SuppressWarnings("unchecked") // A rebuilt response has the type of the original.
  <Q extends DynamoDbRequest, A> A read(Q request, Function<Q, A> table) {
    A answer = table.apply(request);
    return (A)
        switch (request) {
          case GetItemRequest get -> get(get, (GetItemResponse) answer);
          case BatchGetItemRequest get -> get(get, (BatchGetItemResponse) answer);
          case QueryRequest query -> query(query, (QueryResponse) answer);
          default -> answer;
        };
  }

  /** Chooses a state for each item that changed. */
  private Map<Key, Optional<Map<String, AttributeValue>>> chosen(
      Collection<Map<String, AttributeValue>> keys) {
    var chosen = new LinkedHashMap<Key, Optional<Map<String, AttributeValue>>>();
    var changed = replica.changed();
    keys.stream()
        .map(EventualReads::key)
        .filter(changed::contains)
        .forEach(key -> chosen.put(key, chosen(replica, key)));
    return chosen;
  }

  private Optional<Map<String, AttributeValue>> chosen(Replica read, Key key) {
    var states = read.states(key);
    return states.get(random.nextInt(states.size()));
  }

  private GetItemResponse get(GetItemRequest get, GetItemResponse answer) {
    if (get.projectionExpression() != null) {
      return answer;
    }
    var seen = chosen(List.of(get.key())).values();
    return seen.isEmpty()
        ? answer
        : answer.toBuilder().item(seen.iterator().next().orElse(null)).build();
  }

  private BatchGetItemResponse get(BatchGetItemRequest get, BatchGetItemResponse answer) {
    var name = get.requestItems().keySet().iterator().next();
    KeysAndAttributes keys = requireNonNull(get.requestItems().get(name));
    var chosen = chosen(keys.keys());
    var items = new ArrayList<Map<String, AttributeValue>>();
    answer.responses().getOrDefault(name, List.of()).stream()
        .filter(item -> !chosen.containsKey(key(item)))
        .forEach(items::add);
    chosen.values().forEach(state -> state.ifPresent(items::add));
    return answer.toBuilder().responses(Map.of(name, items)).build();
  }

  private QueryResponse query(QueryRequest query, QueryResponse answer) {
    if (query.select() == Select.COUNT || query.filterExpression() != null) {
      return answer;
    }
    var range = Range.of(query);
    var read = query.indexName() == null ? replica : replica.ofIndexes();
    var changed = read.changed();
    var items =
        answer.items().stream()
            .filter(item -> !item.containsKey(BaseTable.SK) || !changed.contains(key(item)))
            .collect(Collectors.toCollection(ArrayList::new));
    changed.stream()
        .flatMap(key -> chosen(read, key).stream())
        .filter(state -> range.contains(state, answer.lastEvaluatedKey()))
        .map(range::projected)
        .forEach(items::add);
    items.sort(range.order());
    var page = answer.toBuilder();
    if (query.limit() != null && items.size() > query.limit()) {
      items.subList(query.limit(), items.size()).clear();
      page.lastEvaluatedKey(range.position(items.getLast()));
    }
    return page.items(items).count(items.size()).build();
  }

  /** Returns the base key of an item; a part that it lacks is empty. */
  static Key key(Map<String, AttributeValue> item) {
    return new Key(text(item, BaseTable.PK), text(item, BaseTable.SK));
  }

  private static String text(Map<String, AttributeValue> item, String attribute) {
    var value = item.get(attribute);
    return value == null ? "" : value.s();
  }

  /** Returns the partition that a query reads. */
  static String partition(QueryRequest query) {
    var range = Range.of(query);
    return range.conditions.stream()
        .filter(part -> "=".equals(part.group("operator")))
        .filter(
            part ->
                query
                    .expressionAttributeNames()
                    .getOrDefault(part.group("compared"), part.group("compared"))
                    .equals(range.partitionKey))
        .map(part -> requireNonNull(query.expressionAttributeValues().get(part.group("with"))).s())
        .map(value -> partition(query.indexName(), value))
        .findFirst()
        .orElseThrow();
  }

  /**
   * Returns the name of a partition.
   *
   * @param index null for the table
   */
  static String partition(@Nullable String index, String partitionKey) {
    return (index == null ? "table" : index) + "/" + partitionKey;
  }

  /**
   * The range of sort keys of a query.
   *
   * @param conditions the parts of its condition
   */
  private record Range(
      QueryRequest query,
      List<MatchResult> conditions,
      String partitionKey,
      String sortKey,
      Set<String> attributes) {
    static Range of(QueryRequest query) {
      var conditions = CONDITION.matcher(query.keyConditionExpression()).results().toList();
      if (query.indexName() == null) {
        return new Range(query, conditions, BaseTable.PK, BaseTable.SK, Set.of());
      }
      IndexDeclaration index =
          FeedTable.DECLARATION.indexes().stream()
              .filter(declared -> declared.name().equals(query.indexName()))
              .findAny()
              .orElseThrow();
      Set<String> attributes = new HashSet<>(index.projected());
      attributes.addAll(List.of(BaseTable.PK, BaseTable.SK, index.partitionKey(), index.sortKey()));
      return new Range(query, conditions, index.partitionKey(), index.sortKey(), attributes);
    }

    private boolean isForward() {
      return !Boolean.FALSE.equals(query.scanIndexForward());
    }

    Comparator<Map<String, AttributeValue>> order() {
      Comparator<Map<String, AttributeValue>> ascending =
          Comparator.comparing(item -> text(item, sortKey));
      return isForward() ? ascending : ascending.reversed();
    }

    /** Whether a state belongs to the page of the query that ends at a position. */
    boolean contains(Map<String, AttributeValue> state, Map<String, AttributeValue> end) {
      return state.containsKey(partitionKey)
          && state.containsKey(sortKey)
          && conditions.stream().allMatch(part -> isMet(part::group, state))
          && (!query.hasExclusiveStartKey()
              || order().compare(state, query.exclusiveStartKey()) > 0)
          && (end.isEmpty() || order().compare(state, end) < 0);
    }

    private boolean isMet(
        Function<String, @Nullable String> group, Map<String, AttributeValue> state) {
      var prefixed = group.apply("prefixed");
      if (prefixed != null) {
        return of(state, prefixed).startsWith(value(group, "prefix"));
      }
      var between = group.apply("between");
      if (between != null) {
        return of(state, between).compareTo(value(group, "first")) >= 0
            && of(state, between).compareTo(value(group, "last")) <= 0;
      }
      int order =
          of(state, String.valueOf(group.apply("compared"))).compareTo(value(group, "with"));
      return switch (String.valueOf(group.apply("operator"))) {
        case "=" -> order == 0;
        case "<" -> order < 0;
        case "<=" -> order <= 0;
        case ">" -> order > 0;
        default -> order >= 0;
      };
    }

    private String of(Map<String, AttributeValue> state, String name) {
      return text(state, query.expressionAttributeNames().getOrDefault(name, name));
    }

    private String value(Function<String, @Nullable String> group, String name) {
      return requireNonNull(query.expressionAttributeValues().get(group.apply(name))).s();
    }

    Map<String, AttributeValue> projected(Map<String, AttributeValue> state) {
      var item = new HashMap<>(state);
      if (!attributes.isEmpty()) {
        item.keySet().retainAll(attributes);
      }
      if (query.projectionExpression() != null) {
        item.keySet()
            .retainAll(
                List.of(query.projectionExpression().split("\\s*,\\s*")).stream()
                    .map(name -> query.expressionAttributeNames().getOrDefault(name, name))
                    .toList());
      }
      return item;
    }

    Map<String, AttributeValue> position(Map<String, AttributeValue> item) {
      var position = new HashMap<>(item);
      position.keySet().retainAll(Set.of(BaseTable.PK, BaseTable.SK, partitionKey, sortKey));
      return position;
    }
  }
}
