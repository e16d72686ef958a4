package social.feed.event;

import static social.feed.event.EventField.count;
import static social.feed.event.EventField.flag;
import static social.feed.event.EventField.text;
import static social.feed.event.EventField.texts;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The types of events. Most say what has happened in public: nothing is published of a post that
 * not everyone may see, except that it is no longer public. Those that are {@linkplain #isPublic()
 * not public} go only to sinks that name them.
 */
public enum EventType {
  /** A public post was written. */
  POST_CREATED(
      "post.created",
      text(EventType.POST_ID),
      text(EventType.AUTHOR_ID),
      texts("tags").optional(),
      text(EventType.TEXT).optional()),
  /** A post became public, or no longer is. */
  POST_VISIBILITY_CHANGED(
      "post.visibility_changed",
      text(EventType.POST_ID),
      text(EventType.AUTHOR_ID),
      flag(EventType.IS_PUBLIC),
      texts("tags").optional(),
      text(EventType.TEXT).optional()),
  /** A public post was deleted. No events of its likes and comments follow. */
  POST_DELETED("post.deleted", text(EventType.POST_ID), text(EventType.AUTHOR_ID)),
  /** A comment was written under a public post. */
  COMMENT_CREATED(
      "comment.created",
      text(EventType.POST_ID),
      text(EventType.COMMENT_ID),
      text(EventType.AUTHOR_ID),
      text(EventType.POST_AUTHOR_ID),
      text(EventType.TEXT).optional()),
  /** A comment under a public post was deleted. */
  COMMENT_DELETED(
      "comment.deleted",
      text(EventType.POST_ID),
      text(EventType.COMMENT_ID),
      text(EventType.AUTHOR_ID),
      text(EventType.POST_AUTHOR_ID)),
  /** A public post was liked. */
  LIKE_CREATED(
      "like.created",
      text(EventType.POST_ID),
      text(EventType.USER_ID),
      text(EventType.POST_AUTHOR_ID)),
  /** A like of a public post was taken back. */
  LIKE_DELETED(
      "like.deleted",
      text(EventType.POST_ID),
      text(EventType.USER_ID),
      text(EventType.POST_AUTHOR_ID)),
  /** An account follows another one. */
  FOLLOW_CREATED("follow.created", text("follower_id"), text("followee_id")),
  /** An account no longer follows another one. */
  FOLLOW_DELETED("follow.deleted", text("follower_id"), text("followee_id")),
  /** An account was registered. */
  ACCOUNT_REGISTERED(
      "account.registered",
      text(EventType.USER_ID),
      text("handle").optional(),
      text("display_name").optional(),
      text("bio").optional(),
      flag(EventType.IS_CELEBRITY).optional()),
  /** The handle, display name, bio or a picture of an account was changed. */
  ACCOUNT_CHANGED(
      "account.changed",
      text(EventType.USER_ID),
      text("handle").optional(),
      text("display_name").optional(),
      text("bio").optional(),
      flag(EventType.IS_CELEBRITY).optional()),
  /** The profile of an account was erased. */
  ACCOUNT_ERASED("account.erased", text(EventType.USER_ID)),
  /** The follows of an account look abnormal. For operators only. */
  ACCOUNT_SUSPICIOUS(
      "account.suspicious", text(EventType.USER_ID), count("score"), texts("reasons")),
  /**
   * An account became a celebrity, or no longer is one. As the other events of an account it has
   * the profile, because receivers keep the last event of each entity only.
   */
  CELEBRITY_CHANGED(
      "celebrity.changed",
      text(EventType.USER_ID),
      flag(EventType.IS_CELEBRITY),
      count("followers_count"),
      count("change"),
      text("handle").optional(),
      text("display_name").optional(),
      text("bio").optional()),
  /** An account has a notification of something public. For what sends messages to this account. */
  NOTIFICATION_CREATED(
      "notification.created",
      text(EventType.USER_ID),
      text(EventType.NOTIFICATION_ID),
      text("kind"),
      text(EventType.POST_ID).optional()),
  /** A test that an operator asked for. Nothing has happened. */
  WEBHOOK_TEST("webhook.test", text("webhook_id"));

  public static final String POST_ID = "post_id";
  public static final String COMMENT_ID = "comment_id";
  public static final String AUTHOR_ID = "author_id";
  public static final String POST_AUTHOR_ID = "post_author_id";
  public static final String NOTIFICATION_ID = "notification_id";
  public static final String USER_ID = "user_id";
  public static final String TEXT = "text";
  public static final String IS_PUBLIC = "is_public";
  public static final String IS_CELEBRITY = "is_celebrity";

  private static final Map<String, EventType> BY_NAME =
      Arrays.stream(values())
          .collect(Collectors.toUnmodifiableMap(EventType::eventName, Function.identity()));

  private final String eventName;
  private final List<EventField> fields;

  EventType(String eventName, EventField... fields) {
    this.eventName = eventName;
    this.fields = List.of(fields);
  }

  /** Returns the name, such as {@code post.created}. */
  public String eventName() {
    return eventName;
  }

  /**
   * Returns whether an event of this type says only what everyone may know. What does not is never
   * given to a sink that just wants events.
   */
  public boolean isPublic() {
    return switch (this) {
      case ACCOUNT_SUSPICIOUS, NOTIFICATION_CREATED -> false;
      case POST_CREATED,
          POST_VISIBILITY_CHANGED,
          POST_DELETED,
          COMMENT_CREATED,
          COMMENT_DELETED,
          LIKE_CREATED,
          LIKE_DELETED,
          FOLLOW_CREATED,
          FOLLOW_DELETED,
          ACCOUNT_REGISTERED,
          ACCOUNT_CHANGED,
          ACCOUNT_ERASED,
          CELEBRITY_CHANGED,
          WEBHOOK_TEST ->
          true;
    };
  }

  /**
   * Returns whether a sink that names some types gets events of this one.
   *
   * @param named the names of types; empty for all public ones
   */
  public boolean isWantedBy(Collection<String> named) {
    return named.isEmpty() ? isPublic() : named.contains(eventName);
  }

  /**
   * Returns the types that are not public by their names.
   *
   * @throws IllegalArgumentException for any other name
   */
  public static Set<EventType> notPublic(Collection<String> names) {
    var all = Arrays.stream(values()).filter(type -> !type.isPublic()).toList();
    var found = EnumSet.noneOf(EventType.class);
    for (var name : names) {
      found.add(
          named(name)
              .filter(all::contains)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "The types of events that are not public are %s, not %s"
                              .formatted(
                                  all.stream()
                                      .map(EventType::eventName)
                                      .collect(Collectors.joining(", ")),
                                  name))));
    }
    return found;
  }

  /** Returns the fields of the data. */
  List<EventField> fields() {
    return fields;
  }

  /** Returns the type of a name; empty for an unknown one. */
  public static Optional<EventType> named(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  /**
   * Checks the data of an event.
   *
   * @throws IllegalArgumentException for a field that the type has not, a value of another type, or
   *     a required field that is absent
   */
  void require(Map<String, Object> data) {
    var known = fields.stream().map(EventField::name).toList();
    for (var name : data.keySet()) {
      if (!known.contains(name)) {
        throw new LaterEventException("The field %s of an event %s".formatted(name, eventName));
      }
    }
    for (var field : fields) {
      var value = data.get(field.name());
      if (value == null ? field.isRequired() : !field.kind().holds(value)) {
        throw new IllegalArgumentException(
            "%s requires a %s as %s, not %s"
                .formatted(eventName, field.kind().schema(), field.name(), value));
      }
    }
  }
}
