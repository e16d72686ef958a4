package social.feed.api.notification;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.json.tree.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.api.http.Paged;
import social.feed.table.id.TimeOrderedId;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.time.Timestamps;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

@ExtendWith(FeedServerExtension.class)
class ITNotifications {
  private static final String LIST = "/v1/notifications";
  private static final String POST = "01890a5d-ac96-774b-bcce-b302099a8057";
  private static final String OTHER_POST = "01890a5d-ac96-774b-bcce-b302099a8058";

  private final FeedServer server;
  private final SeedWorld world;
  private final Person ann;
  private final Person bob;
  private final Api caller;
  private final Instant start =
      Instant.now().minus(Duration.ofHours(1)).truncatedTo(ChronoUnit.MILLIS);

  ITNotifications(FeedServer server, SeedWorld world) {
    this.server = server;
    this.world = world;
    this.ann = world.user("ann");
    this.bob = world.user("bob");
    this.caller = server.as(ann);
  }

  /** What the stream would write. */
  private String told(int minute, NotificationType type, String actorId, Duration lives) {
    @Nullable String post = type == NotificationType.FOLLOW ? null : POST;
    return told(minute, type, post, actorId, lives);
  }

  private String told(
      int minute, NotificationType type, @Nullable String post, String actorId, Duration lives) {
    Instant at = start.plus(Duration.ofMinutes(minute));
    Notification notification =
        new Notification(
            ann.id(),
            TimeOrderedId.named(at, ann.id(), type.name(), actorId),
            type,
            actorId,
            post,
            at,
            false,
            Instant.now().plus(lives).getEpochSecond());
    world.notifications.add(notification);
    return notification.notificationId();
  }

  private String told(int minute) {
    return told(minute, NotificationType.LIKE, bob.id(), Duration.ofDays(1));
  }

  private String told(int minute, NotificationType type, Person actor) {
    return told(minute, type, actor.id(), Duration.ofDays(1));
  }

  private void assertUnread(int count) {
    assertThat(caller.get(LIST + "/unread-count").text()).isEqualTo("{\"count\":" + count + "}");
    assertThat(Paged.ids(caller, LIST + "?unread=true", 50)).hasSize(count);
  }

  @Test
  void list_showsWhatHappened() {
    String like = told(1);
    String follow = told(2, NotificationType.FOLLOW, bob.id(), Duration.ofDays(1));
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
      ids.addFirst(told(minute));
    }
    Expect.status(204, caller.post(LIST + "/" + ids.get(2) + "/read"));
    List<String> unread = new ArrayList<>(ids);
    unread.remove(2);

    Paged.holds(caller, LIST, ids);
    Paged.holds(caller, LIST + "?unread=true", unread);
  }

  @Test
  void list_leavesOutWhatExpiredOrWhoseActorIsGone() {
    told(1, NotificationType.LIKE, "gone", Duration.ofDays(1));
    told(2, NotificationType.LIKE, bob.id(), Duration.ofSeconds(-5));
    String shown = told(0);

    Paged.holds(caller, LIST, List.of(shown));
    Paged.holds(caller, LIST + "?unread=true", List.of(shown));
  }

  @Test
  void read_expired_isMissing() {
    String expired = told(1, NotificationType.LIKE, bob.id(), Duration.ofSeconds(-5));

    Expect.problem(404, "not_found", caller.post(LIST + "/" + expired + "/read"));
    assertUnread(0);
  }

  @Test
  void read_oneAndItsRepeat_succeed() {
    String id = told(1);
    told(2);
    assertUnread(2);

    Expect.status(204, caller.post(LIST + "/" + id + "/read"));
    Expect.status(204, caller.post(LIST + "/" + id + "/read"));

    assertUnread(1);
    assertThat(caller.get(LIST).json().get("items").get(1).get("read").getBooleanValue()).isTrue();
  }

  @Test
  void read_ofAnotherOrUnknown_isMissing() {
    String id = told(1);

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
        "01KJMMA2GD59DRAZVEMY8633DG-",
        "-01KJMMA2GD59DRAZVEMY8633DG"
      })
  void read_idThatNoNotificationHas_isMissing(String id) {
    Expect.problem(404, "not_found", caller.post(LIST + "/" + id + "/read"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a%23b", "a.b", "%00"})
  void read_malformedId_isMalformed(String id) {
    Expect.blames(400, "id", caller.post(LIST + "/" + id + "/read"));
  }

  @Test
  void whatSeveralDidAlike_isOneNotification() {
    Person cid = world.user("cid");
    Person dot = world.user("dot");
    Person eve = world.user("eve");
    String oldest = told(1, NotificationType.LIKE, bob);
    told(2, NotificationType.LIKE, cid);
    told(3, NotificationType.LIKE, dot);
    String newest = told(4, NotificationType.LIKE, eve);

    for (String list : List.of(LIST, LIST + "?unread=true")) {
      JsonNode items = caller.get(list).json().get("items");
      assertThat(items.size()).isEqualTo(1);
      JsonNode group = items.get(0);
      assertThat(group.get("id").getStringValue()).isEqualTo(newest + "-" + oldest);
      assertThat(group.get("count").getIntValue()).isEqualTo(4);
      assertThat(ids(group.get("actors"))).containsExactly(eve.id(), dot.id(), cid.id());
      assertThat(group.get("created_at").getStringValue())
          .isEqualTo(Timestamps.format(start.plus(Duration.ofMinutes(4))));
    }
    assertThat(caller.get(LIST + "/unread-count").text()).isEqualTo("{\"count\":4}");
  }

  /** Whoever was erased leaves the place to another, until the stream has taken back the rest. */
  @Test
  void groupWhoseNewestActorsAreGone_namesTheNextWhoAreThere() {
    told(1, NotificationType.LIKE, bob);
    Person cid = world.user("cid");
    told(2, NotificationType.LIKE, cid);
    for (int minute = 3; minute < 8; minute++) {
      told(minute, NotificationType.LIKE, "gone" + minute, Duration.ofDays(1));
    }

    for (String list : List.of(LIST, LIST + "?unread=true")) {
      JsonNode items = caller.get(list).json().get("items");
      assertThat(items.size()).isEqualTo(1);
      assertThat(ids(items.get(0).get("actors"))).containsExactly(cid.id(), bob.id());
      assertThat(items.get(0).get("count").getIntValue()).isEqualTo(2);
    }
  }

  private static List<String> ids(JsonNode items) {
    List<String> ids = new ArrayList<>();
    items.values().forEach(item -> ids.add(item.get("id").getStringValue()));
    return ids;
  }

  private List<Integer> counts(String list) {
    List<Integer> counts = new ArrayList<>();
    caller
        .get(list)
        .json()
        .get("items")
        .values()
        .forEach(item -> counts.add(item.get("count").getIntValue()));
    return counts;
  }

  @Test
  void groups_endAtAnotherKind_theSamePerson_andADayBefore() {
    Person cid = world.user("cid");
    Person dot = world.user("dot");
    told(-1440 + 9, NotificationType.FOLLOW, dot);
    told(5, NotificationType.FOLLOW, cid);
    told(6, NotificationType.FOLLOW, bob);
    told(7, NotificationType.MENTION, bob);
    told(8, NotificationType.MENTION, cid);
    told(9, NotificationType.COMMENT, bob);
    told(10, NotificationType.COMMENT, bob);
    told(11, NotificationType.COMMENT, cid);

    assertThat(counts(LIST)).containsExactly(2, 1, 1, 1, 3);
    told(-1440 + 5, NotificationType.FOLLOW, "gone", Duration.ofDays(1));
    assertThat(counts(LIST)).containsExactly(2, 1, 1, 1, 3);
  }

  @Test
  void groups_areTheSameInPagesOfAnySize_andNoneIsLargerThanFifty() {
    for (int i = 0; i < 53; i++) {
      told(i, NotificationType.LIKE, world.user("fan" + i));
    }
    told(60, NotificationType.FOLLOW, bob);
    told(61, NotificationType.FOLLOW, world.user("cid"));

    assertThat(counts(LIST)).containsExactly(2, 50, 3);
    Paged.holds(caller, LIST, Paged.ids(caller, LIST, 50));
    Paged.holds(caller, LIST + "?unread=true", Paged.ids(caller, LIST + "?unread=true", 50));
  }

  /** Somebody likes a post, and then somebody else another one. */
  private List<String> likesInTurns() {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      String post = i % 2 == 0 ? POST : OTHER_POST;
      String fan = world.user("fan" + i).id();
      ids.addFirst(told(2 * i, NotificationType.LIKE, post, fan, Duration.ofDays(1)));
    }
    return ids;
  }

  @Test
  void likesOfTwoPostsInTurns_areTwoNotifications_inPagesOfAnySize() {
    List<String> likes = likesInTurns();
    told(-1, NotificationType.FOLLOW, bob);

    for (String list : List.of(LIST, LIST + "?unread=true")) {
      assertThat(counts(list)).containsExactly(3, 3, 1);
      List<String> groups = Paged.ids(caller, list, 50);
      assertThat(groups)
          .startsWith(likes.get(0) + "-" + likes.get(4), likes.get(1) + "-" + likes.get(5));
      Paged.holds(caller, list, groups);
    }
    assertThat(caller.get(LIST + "/unread-count").text()).isEqualTo("{\"count\":7}");
  }

  /** What was shown is not shown again, and what was not is not left out. */
  @ParameterizedTest
  @ValueSource(strings = {LIST, LIST + "?unread=true"})
  void secondPage_showsWhatTheFirstDidNot_whateverHappenedInBetween(String list) {
    List<String> likes = likesInTurns();
    told(-1, NotificationType.FOLLOW, bob);
    var first = caller.get(Paged.path(list, 1, null));
    String shown = likes.get(0) + "-" + likes.get(4);
    assertThat(Paged.ids(first)).containsExactly(shown);

    world.notifications.retract(
        Notification.key(ann.id(), start.plus(Duration.ofMinutes(10)), likes.get(0)));
    Expect.status(204, caller.post(LIST + "/" + shown + "/read"));
    Person late = world.user("late");
    told(11, NotificationType.LIKE, OTHER_POST, late.id(), Duration.ofDays(1));
    told(12, NotificationType.LIKE, late);

    var second = caller.get(Paged.path(list, 1, Paged.next(first)));
    assertThat(Paged.ids(second)).containsExactly(likes.get(1) + "-" + likes.get(5));
    assertThat(second.json().get("items").get(0).get("count").getIntValue()).isEqualTo(3);
    var third = caller.get(Paged.path(list, 1, Paged.next(second)));
    assertThat(third.json().get("items").get(0).get("type").getStringValue()).isEqualTo("follow");
    assertThat(Paged.next(third)).isNull();
    // Two likes of the first post were read, and one was taken back; two came.
    assertThat(caller.get(LIST + "/unread-count").text()).isEqualTo("{\"count\":6}");
    assertThat(counts(LIST + "?unread=true").stream().mapToInt(Integer::intValue).sum())
        .isEqualTo(6);
  }

  /** A position names what was shown of a stretch, so a stretch has no more than eight. */
  @ParameterizedTest
  @CsvSource({"8, 8", "9, 18"})
  void likesOfManyPostsInTurns_areTheSameGroupsInPagesOfAnySize(int posts, int groups) {
    for (int i = 0; i < (posts == groups ? 3 : 2) * posts; i++) {
      String post = POST.replace("8057", "800" + i % posts);
      String fan = world.user("fan" + i).id();
      told(i, NotificationType.LIKE, post, fan, Duration.ofDays(1));
    }

    assertThat(counts(LIST)).hasSize(groups).containsOnly(posts == groups ? 3 : 1);
    Paged.holds(caller, LIST, Paged.ids(caller, LIST, 50));
  }

  @Test
  void groups_ofWhomTheCallerBlocks_areSmaller_andGoneWithTheLast() {
    Person cid = world.user("cid");
    told(1, NotificationType.LIKE, bob);
    told(2, NotificationType.LIKE, cid);

    Expect.status(204, caller.put("/v1/users/" + cid.id() + "/block"));
    assertThat(counts(LIST)).containsExactly(1);
    Expect.status(204, caller.put("/v1/users/" + bob.id() + "/block"));
    assertThat(counts(LIST)).isEmpty();
  }

  @Test
  void read_aGroup_readsThatAndNothingBeside() {
    Person cid = world.user("cid");
    Person dot = world.user("dot");
    told(1, NotificationType.LIKE, bob);
    told(2, NotificationType.LIKE, cid);
    String group = Paged.ids(caller, LIST, 50).getFirst();
    told(3, NotificationType.LIKE, dot);
    told(0, NotificationType.LIKE, world.user("eve"));

    Expect.status(204, caller.post(LIST + "/" + group + "/read"));
    Expect.status(204, caller.post(LIST + "/" + group + "/read"));

    assertThat(counts(LIST)).containsExactly(1, 2, 1);
    assertThat(caller.get(LIST + "/unread-count").text()).isEqualTo("{\"count\":2}");
    assertThat(counts(LIST + "?unread=true")).containsExactly(2);
    Expect.problem(404, "not_found", server.as(bob).post(LIST + "/" + group + "/read"));
  }

  @Test
  void read_aGroupOfUnreadOnes_leavesWhatCameBetweenLater() {
    told(1, NotificationType.LIKE, bob);
    told(5, NotificationType.LIKE, world.user("cid"));
    String group = Paged.ids(caller, LIST, 50).getFirst();
    String late = told(3, NotificationType.FOLLOW, world.user("dot"));

    Expect.status(204, caller.post(LIST + "/" + group + "/read"));

    assertThat(Paged.ids(caller, LIST + "?unread=true", 50)).containsExactly(late);
  }

  @Test
  void read_aGroupOfWhichOneEndWasTakenBack_readsTheRest() {
    told(1, NotificationType.LIKE, bob);
    told(2, NotificationType.LIKE, world.user("cid"));
    String newest = told(3, NotificationType.LIKE, world.user("dot"));
    String group = Paged.ids(caller, LIST, 50).getFirst();
    world.notifications.retract(
        Notification.key(ann.id(), start.plus(Duration.ofMinutes(3)), newest));

    Expect.status(204, caller.post(LIST + "/" + group + "/read"));

    assertThat(caller.get(LIST + "/unread-count").text()).isEqualTo("{\"count\":0}");
  }

  /** Somebody who did very much and is kept away must not make the list endless to read. */
  @Test
  void pageThatWouldSkipThousands_isShortAndGoesOn() {
    String oldest = told(0, NotificationType.LIKE, world.user("cid"));
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
  void readAll_withoutBody_readsEverything() {
    told(1);
    told(2);

    Expect.status(204, caller.post(LIST + "/read-all"));
    Expect.status(204, caller.post(LIST + "/read-all", "{}"));

    assertUnread(0);
    assertThat(Paged.ids(caller, LIST, 50)).hasSize(2);
  }

  @Test
  void readAll_upToATime_includesIt() {
    told(1);
    told(2);
    told(3);
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
  void readAll_upToAFarTime_succeeds(String time) {
    told(1);

    Expect.status(204, caller.post(LIST + "/read-all", "{\"up_to\":\"" + time + "\"}"));

    assertUnread(time.startsWith("0") ? 1 : 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"today\"", "5", "{}", "\"\"", "\"2026-11-20\""})
  void readAll_upToNonsense_isMalformed(String time) {
    Expect.blames(400, "up_to", caller.post(LIST + "/read-all", "{\"up_to\":" + time + "}"));
  }

  @Test
  void list_refusesNonsense() {
    told(1);
    told(2);

    Paged.refusesNonsense(caller, server.as(bob), LIST, LIST + "?unread=true", 50);
    Paged.refusesNonsense(caller, server.as(bob), LIST + "?unread=true", LIST, 50);
    Expect.blames(400, "unread", caller.get(LIST + "?unread=maybe"));
    for (String path : List.of(LIST, LIST + "/unread-count")) {
      Expect.problem(401, "unauthenticated", server.anonymous().get(path));
    }
    Expect.problem(401, "unauthenticated", server.anonymous().post(LIST + "/read-all"));
  }

  @Test
  void lists_ofNobody_areEmpty() {
    Api stranger = server.as("stranger");

    assertThat(stranger.get(LIST).text()).isEqualTo("{\"items\":[]}");
    assertThat(stranger.get(LIST + "/unread-count").text()).isEqualTo("{\"count\":0}");
    Expect.status(204, stranger.post(LIST + "/read-all"));
  }
}
