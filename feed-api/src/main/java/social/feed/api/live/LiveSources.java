package social.feed.api.live;

import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import social.feed.api.edge.security.Viewer;
import social.feed.api.notification.NotificationLists;
import social.feed.api.post.PostHydration;
import social.feed.table.home.FeedView;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.page.Positioned;
import social.feed.table.notification.Notifications;
import social.feed.table.row.FeedRef;
import social.feed.table.row.Keys;
import social.feed.table.row.Notification;
import social.feed.table.row.PulledAuthor;

/**
 * The lists that a stream follows. What is stored is read from an end on, and shown as pages show
 * it: with the same rules, by the same code.
 */
@Singleton
final class LiveSources {
  private final HomeFeeds feeds;
  private final CelebrityPosts celebrities;
  private final Notifications notifications;
  private final PostHydration hydration;
  private final NotificationLists lists;
  private final int max;

  LiveSources(
      HomeFeeds feeds,
      CelebrityPosts celebrities,
      Notifications notifications,
      PostHydration hydration,
      NotificationLists lists,
      LiveConfiguration configuration) {
    this.feeds = feeds;
    this.celebrities = celebrities;
    this.notifications = notifications;
    this.hydration = hydration;
    this.lists = lists;
    this.max = configuration.catchUpEvents();
  }

  /**
   * What is stored.
   *
   * @param posts of the home feed
   * @param told notifications
   * @param isTooMuch whether it is more than is sent at once; then only the newest were read
   */
  record Stored(
      List<Positioned<FeedRef>> posts, List<Positioned<Notification>> told, boolean isTooMuch) {

    Stream<EventCursor> marks() {
      return Stream.concat(
          posts.stream().map(slot -> EventCursor.of(slot.item().postId())),
          told.stream().map(slot -> EventCursor.of(slot.item().notificationId())));
    }

    /** What a client lacks. */
    Stored lackedBy(ClientProgress progress) {
      return only(progress::lacks);
    }

    /** In parts of so many, the oldest first. */
    List<Stored> parts(int many) {
      List<EventCursor> ordered = marks().distinct().sorted().toList();
      return IntStream.iterate(0, from -> from < ordered.size(), from -> from + many)
          .mapToObj(from -> ordered.subList(from, Math.min(from + many, ordered.size())))
          .map(part -> only(Set.copyOf(part)::contains))
          .toList();
    }

    private Stored only(Predicate<EventCursor> wanted) {
      return new Stored(
          posts.stream().filter(s -> wanted.test(EventCursor.of(s.item().postId()))).toList(),
          told.stream()
              .filter(s -> wanted.test(EventCursor.of(s.item().notificationId())))
              .toList(),
          isTooMuch);
    }
  }

  /** Something that the caller is shown. */
  record Shown(EventCursor mark, String position, String name, Object body) {}

  /**
   * What is stored above a floor: half a read unit for each of the two lists and each 4 KB, and for
   * a celebrity at most that.
   *
   * @param isFirst whether nothing may be older than now
   */
  Stored above(EventCursor floor, FeedView view, boolean isFirst) {
    String position = Keys.at(floor.time());
    List<Positioned<FeedRef>> posts =
        new ArrayList<>(
            NewestFirst.from(position, max, request -> feeds.stored(view.readerId(), request)));
    for (PulledAuthor author : view.pulled()) {
      posts.addAll(
          isFirst
              ? celebrities.now(author, position, max)
              : celebrities.from(author, position, max));
    }
    List<Positioned<Notification>> told =
        NewestFirst.from(
            Keys.NOTIFICATIONS + position,
            max,
            request -> notifications.all(view.readerId(), request));
    return new Stored(posts, told, posts.size() + told.size() > max);
  }

  /** Those that the caller is shown, the oldest first. What a page of them would cost. */
  List<Shown> shown(Viewer viewer, Stored stored) {
    return Stream.of(posts(viewer, stored.posts()), told(viewer, stored.told()))
        .flatMap(Collection::stream)
        .sorted(Comparator.comparing(Shown::mark))
        .toList();
  }

  private List<Shown> posts(Viewer viewer, List<Positioned<FeedRef>> slots) {
    return hydration.ofFeed(viewer, slots, Optional.empty()).stream()
        .map(
            slot ->
                new Shown(
                    EventCursor.of(slot.item().id()),
                    slot.position(),
                    LiveEvent.FEED_ENTRY,
                    slot.item()))
        .toList();
  }

  private List<Shown> told(Viewer viewer, List<Positioned<Notification>> slots) {
    return lists.alone(viewer, slots).stream()
        .map(
            slot ->
                new Shown(
                    EventCursor.of(slot.item().id()),
                    slot.position().substring(Keys.NOTIFICATIONS.length()),
                    LiveEvent.NOTIFICATION,
                    slot.item()))
        .toList();
  }
}
