package social.feed.api.notification;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.Paged;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.testkit.SeedWorld;

class ITNotificationRoutes extends NotificationScenario {
  ITNotificationRoutes(FeedServer server, SeedWorld world) {
    super(server, world);
  }

  @Test
  void list_showsNotifications() {
    String like = notified(1);
    String follow = notified(2, NotificationType.FOLLOW, bob.id(), Duration.ofDays(1));
    String actor =
        "[{\"id\":\""
            + bob.id()
            + "\",\"handle\":\""
            + bob.account().handle()
            + "\",\"display_name\":\"bob\"}]";
    String time = Timestamps.format(start.plus(Duration.ofMinutes(1)));

    String second =
        "{\"id\":\""
            + like
            + "\",\"type\":\"like\",\"actors\":"
            + actor
            + ",\"count\":1,\"post_id\":\""
            + POST
            + "\",\"created_at\":\""
            + time
            + "\",\"read\":false}]}";
    for (String list : List.of(LIST, LIST + "?unread=true", LIST + "?unread=false")) {
      assertThat(caller.get(list).text())
          .startsWith("{\"items\":[{\"id\":\"" + follow + "\",\"type\":\"follow\"")
          .endsWith(second);
    }
  }

  @Test
  void lists_areNewestFirstInPagesOfAnySize() {
    List<String> ids = new ArrayList<>();
    for (int minute = 0; minute < 6; minute++) {
      ids.addFirst(notified(minute));
    }
    Expect.status(204, caller.post(LIST + "/" + ids.get(2) + "/read"));
    List<String> unread = new ArrayList<>(ids);
    unread.remove(2);

    Paged.holds(caller, LIST, ids);
    Paged.holds(caller, LIST + "?unread=true", unread);
  }

  @Test
  void list_omitsExpiredOnesAndMissingActors() {
    notified(1, NotificationType.LIKE, "gone", Duration.ofDays(1));
    notified(2, NotificationType.LIKE, bob.id(), Duration.ofSeconds(-5));
    String shown = notified(0);

    Paged.holds(caller, LIST, List.of(shown));
    Paged.holds(caller, LIST + "?unread=true", List.of(shown));
  }

  @Test
  void read_expired_isMissing() {
    String expired = notified(1, NotificationType.LIKE, bob.id(), Duration.ofSeconds(-5));

    Expect.problem(404, "not_found", caller.post(LIST + "/" + expired + "/read"));
    assertUnread(0);
  }

  @Test
  void read_repeated_succeeds() {
    String id = notified(1);
    notified(2);
    assertUnread(2);

    Expect.status(204, caller.post(LIST + "/" + id + "/read"));
    Expect.status(204, caller.post(LIST + "/" + id + "/read"));

    assertUnread(1);
    assertThat(caller.get(LIST).json().get("items").get(1).get("read").getBooleanValue()).isTrue();
  }

  @Test
  void read_ofAnotherAccountOrUnknown_isMissing() {
    String id = notified(1);

    Expect.problem(404, "not_found", server.as(bob).post(LIST + "/" + id + "/read"));
    Expect.problem(404, "not_found", caller.post(LIST + "/" + POST + "/read"));
    assertUnread(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "ZZZZZZZZZZZZZZZZZZZZZZZZZZ",
        "1",
        "-",
        "01KJMMA2GD59DRAZVEMY8633DG-01KJMMA2GD59DRAZVEMY8633DF",
        "01KJMMA2GD59DRAZVEMY8633DG-01KJMMA2GD59DRAZVEMY8633DF-00000000",
        "01KJMMA2GD59DRAZVEMY8633DG-01KJMMA2GD59DRAZVEMY8633DF-",
        "01KJMMA2GD59DRAZVEMY8633DG-",
        "-01KJMMA2GD59DRAZVEMY8633DG"
      })
  void read_idOfNoNotification_isMissing(String id) {
    Expect.problem(404, "not_found", caller.post(LIST + "/" + id + "/read"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a%23b", "a.b", "%00"})
  void read_malformedId_isMalformed(String id) {
    Expect.blames(400, "id", caller.post(LIST + "/" + id + "/read"));
  }

  /** A hidden account with very many actions must not make the list unbounded to read. */
  @Test
  void pageThatSkipsThousands_isShortAndHasACursor() {
    String oldest = notified(0, NotificationType.LIKE, world.user("cid"));
    List<Notification> hidden = new ArrayList<>();
    for (int i = 1; i <= 2_100; i++) {
      Instant at = start.plusSeconds(60).plusMillis(i);
      hidden.add(
          new Notification(
              ann.id(),
              TimeOrderedId.named(at, ann.id(), "comment"),
              NotificationType.COMMENT,
              bob.id(),
              POST,
              at,
              false,
              Instant.now().plus(Duration.ofDays(1)).getEpochSecond()));
    }
    server.table().table().putAll(hidden);
    Expect.status(204, caller.put("/v1/users/" + bob.id() + "/block"));

    for (String list : List.of(LIST, LIST + "?unread=true")) {
      var first = caller.get(Paged.path(list, 5, null));
      assertThat(Paged.ids(first)).isEmpty();
      var second = caller.get(Paged.path(list, 5, Paged.next(first)));
      assertThat(Paged.ids(second)).containsExactly(oldest);
      assertThat(Paged.next(second)).isNull();
    }
  }

  @Test
  void readAll_withoutBody_marksEverything() {
    notified(1);
    notified(2);

    Expect.status(204, caller.post(LIST + "/read-all"));
    Expect.status(204, caller.post(LIST + "/read-all", "{}"));

    assertUnread(0);
    assertThat(Paged.ids(caller, LIST, 50)).hasSize(2);
  }

  @Test
  void readAll_upToATime_includesIt() {
    notified(1);
    notified(2);
    notified(3);
    Instant second = start.plus(Duration.ofMinutes(2));

    Expect.status(
        204, caller.post(LIST + "/read-all", "{\"up_to\":\"" + second.minusMillis(1) + "\"}"));
    assertUnread(2);
    Expect.status(204, caller.post(LIST + "/read-all", "{\"up_to\":\"" + second + "\"}"));
    assertUnread(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9999-12-31T23:59:59.999Z",
        "9999-12-31T23:59:59-23:59",
        "0000-01-01T00:00:00+23:59"
      })
  void readAll_upToADistantTime_succeeds(String time) {
    notified(1);

    Expect.status(204, caller.post(LIST + "/read-all", "{\"up_to\":\"" + time + "\"}"));

    assertUnread(time.startsWith("0") ? 1 : 0);
  }

  /** A client whose clock is fast must not lose what comes next. */
  @Test
  void readAll_upToAFutureTime_leavesWhatComesLater() {
    notified(1);
    Instant future = Instant.now().plus(Duration.ofHours(5));

    Expect.status(204, caller.post(LIST + "/read-all", "{\"up_to\":\"" + future + "\"}"));
    notified(121);

    assertUnread(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"today\"", "5", "{}", "\"\"", "\"2026-11-20\""})
  void readAll_upToInvalidTime_isMalformed(String time) {
    Expect.blames(400, "up_to", caller.post(LIST + "/read-all", "{\"up_to\":" + time + "}"));
  }

  @Test
  void list_invalidParameters_areRejected() {
    notified(1);
    notified(2);

    Paged.rejectsInvalidParameters(caller, server.as(bob), LIST, LIST + "?unread=true", 50);
    Paged.rejectsInvalidParameters(caller, server.as(bob), LIST + "?unread=true", LIST, 50);
    Expect.blames(400, "unread", caller.get(LIST + "?unread=maybe"));
    for (String path : List.of(LIST, LIST + "/unread-count")) {
      Expect.problem(401, "unauthenticated", server.anonymous().get(path));
    }
    Expect.problem(401, "unauthenticated", server.anonymous().post(LIST + "/read-all"));
  }

  @Test
  void lists_withoutProfile_areEmpty() {
    Api stranger = server.as("stranger");

    assertThat(stranger.get(LIST).text()).isEqualTo("{\"items\":[]}");
    assertThat(stranger.get(LIST + "/unread-count").text()).isEqualTo("{\"count\":0}");
    Expect.status(204, stranger.post(LIST + "/read-all"));
  }
}
