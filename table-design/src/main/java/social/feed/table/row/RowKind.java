package social.feed.table.row;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The entity types: the names by which the table distinguishes its items. The names are stored, so
 * they never change. Each record that {@link Row} permits declares its own with {@link StoredAs};
 * this class does not load unless records and names match one to one.
 */
public enum RowKind {
  USER,
  HANDLE_CLAIM,
  POST,
  POST_TAG,
  COMMENT,
  LIKE,
  FOLLOW,
  SPECIAL_FOLLOWER,
  FOLLOW_QUOTA,
  KEPT_HISTORY,
  BLOCK,
  BLOCKED_BY,
  MUTE,
  ACTIVITY,
  FEED_ENTRY,
  RECENT_DELIVERY,
  PULLED_AUTHOR,
  PULL_REVISION,
  TOP_AUTHOR,
  TAG_TREND,
  TAG_USES,
  FAN_OUT_PLAN,
  FAN_OUT_CHUNK,
  NOTIFICATION,
  INBOX,
  ANNOUNCEMENT,
  ANNOUNCEMENT_PART,
  EFFECT_MARK,
  IDEMPOTENCY_RECORD,
  ERASURE,
  ERASURE_ALARM,
  ERASURE_SWEEP,
  PENDING_ERASURE,
  ERASURE_PACE,
  WAITING_ERASURE,
  FENCE,
  MEDIA,
  WEBHOOK,
  WEBHOOK_DELIVERIES,
  WEBHOOK_REGISTRY,
  SUSPECT,
  FOLLOW_OPENING,
  POST_CLEAN_UP,
  MEDIA_REMOVAL;

  /** Name of the attribute that holds the entity type of an item. */
  public static final String ATTRIBUTE = "entity";

  private static final Map<String, RowKind> BY_NAME =
      Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(RowKind::name, kind -> kind));
  private static final Map<RowKind, Class<?>> TYPES = types(Row.class.getPermittedSubclasses());
  private static final Map<Class<?>, RowKind> BY_TYPE =
      Arrays.stream(values())
          .collect(Collectors.toUnmodifiableMap(RowKind::type, Function.identity()));

  /** Returns the record that an item of this kind decodes to. */
  public Class<? extends Row> type() {
    return Objects.requireNonNull(TYPES.get(this)).asSubclass(Row.class);
  }

  /**
   * Returns the names of the attributes that updates write in addition to the record's own. Each is
   * absent until it is first written.
   */
  public List<String> extraAttributes() {
    return List.of(type().getAnnotation(StoredAs.class).extraAttributes());
  }

  /** Returns the kind with this entity type, empty for an unknown one. */
  public static Optional<RowKind> named(String entity) {
    return Optional.ofNullable(BY_NAME.get(entity));
  }

  /** Returns the kind of a record, empty for a projection of a row. */
  public static Optional<RowKind> of(Class<?> type) {
    return Optional.ofNullable(BY_TYPE.get(type));
  }

  /**
   * Returns the record of each kind.
   *
   * @param records those that {@link Row} permits
   * @throws IllegalStateException when a record has no kind, or a kind has no record or two
   */
  static Map<RowKind, Class<?>> types(Class<?>... records) {
    var types = new EnumMap<RowKind, Class<?>>(RowKind.class);
    for (var type : records) {
      var declared = type.getAnnotation(StoredAs.class);
      if (declared == null) {
        throw new IllegalStateException(
            type.getSimpleName()
                + " has no entity type: add a constant to RowKind, and @StoredAs with it to the"
                + " record");
      }
      var other = types.put(declared.value(), type);
      if (other != null) {
        throw new IllegalStateException(
            "%s and %s are both stored as %s: add a constant to RowKind for one of them"
                .formatted(other.getSimpleName(), type.getSimpleName(), declared.value()));
      }
    }
    var unused = EnumSet.allOf(RowKind.class);
    unused.removeAll(types.keySet());
    if (!unused.isEmpty()) {
      throw new IllegalStateException(
          "No row is stored as "
              + unused
              + ": add @StoredAs with it to a record that Row permits, or remove the constant");
    }
    return types;
  }
}
