package social.feed.api.notification;

import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.annotation.Status;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Pattern;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.paging.PageBody;
import social.feed.api.edge.paging.PageOf;
import social.feed.api.edge.paging.PageParameters;
import social.feed.api.edge.problem.MayBeMissing;
import social.feed.api.edge.problem.MayRefuseBody;
import social.feed.api.edge.query.Flag;
import social.feed.api.edge.query.ResourceIds;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.Viewer;
import social.feed.table.access.AccessPattern;
import social.feed.table.notification.Notifications;

/** The caller's notifications. */
@RequiresToken
@Controller("/v1/notifications")
@Tag(name = "notifications")
class NotificationController {
  private final NotificationLists lists;
  private final NotificationReadService readService;
  private final Notifications notifications;

  NotificationController(
      NotificationLists lists, NotificationReadService readService, Notifications notifications) {
    this.lists = lists;
    this.readService = readService;
    this.notifications = notifications;
  }

  @Operation(
      summary = "The caller's notifications",
      description =
          "Newest first; with `unread=true` only unread ones. The same action by several accounts"
              + " within a day is one notification, also with other notifications in between.")
  @Get
  PageBody<NotificationBody> listNotifications(
      Viewer viewer,
      @Nullable @QueryValue @Flag.TrueOrFalse Flag unread,
      @PageOf(AccessPattern.FEED_013) PageParameters page) {
    return Flag.isSet(unread) ? lists.unread(viewer, page) : lists.all(viewer, page);
  }

  @Operation(
      summary = "Number of unread notifications",
      description = "Counts each member of a group: the sum of `count` over the unread list.")
  @Get("/unread-count")
  UnreadCountBody countUnreadNotifications(Viewer viewer) {
    return new UnreadCountBody(notifications.unreadCount(viewer.userId()));
  }

  @Operation(summary = "Mark a notification as read", description = "A repeat changes nothing.")
  @MayBeMissing
  @MayRefuseBody
  @Post("/{id}/read")
  @Status(HttpStatus.NO_CONTENT)
  void readNotification(
      Viewer viewer, @PathVariable @Pattern(regexp = ResourceIds.PATTERN) String id) {
    readService.markRead(viewer, id);
  }

  @Operation(
      summary = "Mark all notifications as read",
      description =
          "With `up_to` only those until that time, inclusive. Takes effect at once, whatever their"
              + " number.")
  @MayRefuseBody
  @Post("/read-all")
  @Status(HttpStatus.NO_CONTENT)
  void readAllNotifications(Viewer viewer, @Nullable @Body ReadAllRequest request) {
    readService.markAllRead(viewer, request == null ? null : request.upTo());
  }
}
