package social.feed.api.live;

import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import social.feed.api.edge.security.Viewer;
import social.feed.api.notification.NotificationLists;
import social.feed.api.post.HydratedPosts;
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
 * The lists that a stream follows, in the four steps of {@link
 * social.feed.api.edge.paging.ListRoute}. The skeleton is read from a floor on; hydration, rules
 * and bodies are those of the pages, in the same code.
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
   * References from the lists.
   *
   * @param posts of the home feed
   * @param notifications of the reader
   * @param isTooMuch whether there are more than a stream sends; then only the newest were read
   */
  record Stored(
      List<Positioned<FeedRef>> posts,
      List<Positioned<Notification>> notifications,
      boolean isTooMuch) {

    Stream<EventCursor> cursors() {
      return Stream.concat(
          posts.stream().map(slot -> EventCursor.of(slot.item().postId())),
          notifications.stream().map(slot -> EventCursor.of(slot.item().notificationId())));
    }

    /** Returns the items that a client lacks. */
    Stored lackedBy(ClientProgress progress) {
      return only(progress::lacks);
    }

    /** Splits the items into parts of a size, the oldest first. */
    List<Stored> parts(int size) {
      List<EventCursor> ordered = cursors().distinct().sorted().toList();
      return IntStream.iterate(0, from -> from < ordered.size(), from -> from + size)
          .mapToObj(from -> ordered.subList(from, Math.min(from + size, ordered.size())))
          .map(part -> only(Set.copyOf(part)::contains))
          .toList();
    }

    private Stored only(Predicate<EventCursor> wanted) {
      return new Stored(
          posts.stream().filter(slot -> wanted.test(EventCursor.of(slot.item().postId()))).toList(),
          notifications.stream()
              .filter(slot -> wanted.test(EventCursor.of(slot.item().notificationId())))
              .toList(),
          isTooMuch);
    }
  }

  /** A body for the client, with its place in the list. */
  record Presented(EventCursor cursor, String position, String name, Object body) {}

  /**
   * Reads the references above a floor. Half a read unit for each of the two lists and each 4 KB.
   * The same for each celebrity, at most once in a poll interval for all streams of the process.
   */
  Stored skeleton(EventCursor floor, FeedView view) {
    String position = Keys.at(floor.time());
    List<Positioned<FeedRef>> posts =
        new ArrayList<>(
            NewestFirst.from(position, max, request -> feeds.stored(view.readerId(), request)));
    posts.addAll(celebrities.from(view.pulled(), position, max));
    List<Positioned<Notification>> found =
        NewestFirst.from(
            Keys.NOTIFICATIONS + position,
            max,
            request -> notifications.all(view.readerId(), request));
    return new Stored(posts, found, posts.size() + found.size() > max);
  }

  /**
   * Reads the references above a floor that a page shows, whichever process answers it. It may lack
   * the last posts of celebrities, which a process reads once for all pages.
   */
  Stored onPages(EventCursor floor, FeedView view) {
    Instant until = celebrities.onPagesUntil();
    Set<String> pulled =
        view.pulled().stream().map(PulledAuthor::authorId).collect(Collectors.toSet());
    Stored stored = skeleton(floor, view);
    return new Stored(
        stored.posts().stream()
            .filter(
                slot ->
                    slot.item().createdAt().isBefore(until)
                        || !pulled.contains(slot.item().authorId()))
            .toList(),
        stored.notifications(),
        stored.isTooMuch());
  }

  /** Hydrates, filters and presents references, the oldest first. Costs as much as a page. */
  List<Presented> present(Viewer viewer, Stored stored) {
    return Stream.concat(posts(viewer, stored.posts()), notifications(viewer, stored))
        .sorted(Comparator.comparing(Presented::cursor))
        .toList();
  }

  private Stream<Presented> posts(Viewer viewer, List<Positioned<FeedRef>> skeleton) {
    HydratedPosts hydrated =
        hydration.ofFeed(viewer, skeleton.stream().map(Positioned::item).toList());
    return skeleton.stream()
        .filter(slot -> hydrated.isInFeed(slot.item()))
        .map(
            slot ->
                new Presented(
                    EventCursor.of(slot.item().postId()),
                    slot.position(),
                    LiveEvent.FEED_ENTRY,
                    hydrated.body(slot.item())));
  }

  private Stream<Presented> notifications(Viewer viewer, Stored stored) {
    return lists.ungrouped(viewer, stored.notifications()).stream()
        .map(
            slot ->
                new Presented(
                    EventCursor.of(slot.item().id()),
                    slot.position().substring(Keys.NOTIFICATIONS.length()),
                    LiveEvent.NOTIFICATION,
                    slot.item()));
  }
}
