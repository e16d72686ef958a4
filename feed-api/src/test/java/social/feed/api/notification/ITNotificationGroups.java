package social.feed.api.notification;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.json.tree.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.Paged;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

/** Groups of notifications about the same action by several accounts. */
class ITNotificationGroups extends NotificationScenario {
  private static final String OTHER_POST = "01890a5d-ac96-774b-bcce-b302099a8058";

  ITNotificationGroups(FeedServer server, SeedWorld world) {
    super(server, world);
  }

  @Test
  void sameActionBySeveralAccounts_isOneNotification() {
    Person cid = world.user("cid");
    Person dot = world.user("dot");
    Person eve = world.user("eve");
    String oldest = notified(1, NotificationType.LIKE, bob);
    notified(2, NotificationType.LIKE, cid);
    notified(3, NotificationType.LIKE, dot);
    String newest = notified(4, NotificationType.LIKE, eve);

    for (String list : List.of(LIST, LIST + "?unread=true")) {
      JsonNode items = caller.get(list).json().get("items");
      assertThat(items.size()).isEqualTo(1);
      JsonNode group = items.get(0);
      assertThat(group.get("id").getStringValue()).isEqualTo(likes(POST, newest, oldest));
      assertThat(group.get("count").getIntValue()).isEqualTo(4);
      assertThat(ids(group.get("actors"))).containsExactly(eve.id(), dot.id(), cid.id());
      assertThat(group.get("created_at").getStringValue())
          .isEqualTo(Timestamps.format(start.plus(Duration.ofMinutes(4))));
    }
    assertThat(caller.get(LIST + "/unread-count").text()).isEqualTo("{\"count\":4}");
  }

  /** The next actor replaces an erased one until the stream has removed its notifications. */
  @Test
  void groupWithMissingNewestActors_namesTheNextOnes() {
    notified(1, NotificationType.LIKE, bob);
    Person cid = world.user("cid");
    notified(2, NotificationType.LIKE, cid);
    for (int minute = 3; minute < 8; minute++) {
      notified(minute, NotificationType.LIKE, "gone" + minute, Duration.ofDays(1));
    }

    for (String list : List.of(LIST, LIST + "?unread=true")) {
      JsonNode items = caller.get(list).json().get("items");
      assertThat(items.size()).isEqualTo(1);
      assertThat(ids(items.get(0).get("actors"))).containsExactly(cid.id(), bob.id());
      assertThat(items.get(0).get("count").getIntValue()).isEqualTo(2);
    }
  }

  /** Returns the id of a group of likes, by its ends. */
  private static String likes(String post, String newest, String oldest) {
    return GroupId.of(
            Stream.of(newest, oldest)
                .map(
                    id ->
                        new StoredNotification(
                            id, NotificationType.LIKE, "", post, Instant.EPOCH, false, 0))
                .toList())
        .toString();
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
  void groups_endAtAnotherKind_theSameActor_andADayBefore() {
    Person cid = world.user("cid");
    Person dot = world.user("dot");
    notified(-1440 + 9, NotificationType.FOLLOW, dot);
    notified(5, NotificationType.FOLLOW, cid);
    notified(6, NotificationType.FOLLOW, bob);
    notified(7, NotificationType.MENTION, bob);
    notified(8, NotificationType.MENTION, cid);
    notified(9, NotificationType.COMMENT, bob);
    notified(10, NotificationType.COMMENT, bob);
    notified(11, NotificationType.COMMENT, cid);

    assertThat(counts(LIST)).containsExactly(2, 1, 1, 1, 3);
    notified(-1440 + 5, NotificationType.FOLLOW, "gone", Duration.ofDays(1));
    assertThat(counts(LIST)).containsExactly(2, 1, 1, 1, 3);
  }

  @Test
  void groups_areTheSameInPagesOfAnySize_andNoneIsLargerThanFifty() {
    for (int i = 0; i < 53; i++) {
      notified(i, NotificationType.LIKE, world.user("fan" + i));
    }
    notified(60, NotificationType.FOLLOW, bob);
    notified(61, NotificationType.FOLLOW, world.user("cid"));

    assertThat(counts(LIST)).containsExactly(2, 50, 3);
    Paged.holds(caller, LIST, Paged.ids(caller, LIST, 50));
    Paged.holds(caller, LIST + "?unread=true", Paged.ids(caller, LIST + "?unread=true", 50));
  }

  /** Interleaves likes of several posts. */
  private List<String> likesInTurns() {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      String post = i % 2 == 0 ? POST : OTHER_POST;
      String fan = world.user("fan" + i).id();
      ids.addFirst(notified(2 * i, NotificationType.LIKE, post, fan, Duration.ofDays(1)));
    }
    return ids;
  }

  @Test
  void interleavedLikesOfTwoPosts_areTwoNotifications_inPagesOfAnySize() {
    List<String> likes = likesInTurns();
    notified(-1, NotificationType.FOLLOW, bob);

    for (String list : List.of(LIST, LIST + "?unread=true")) {
      assertThat(counts(list)).containsExactly(3, 3, 1);
      List<String> groups = Paged.ids(caller, list, 50);
      assertThat(groups)
          .startsWith(
              likes(OTHER_POST, likes.get(0), likes.get(4)),
              likes(POST, likes.get(1), likes.get(5)));
      Paged.holds(caller, list, groups);
    }
    assertThat(caller.get(LIST + "/unread-count").text()).isEqualTo("{\"count\":7}");
  }

  /** No notification is repeated or skipped. */
  @ParameterizedTest
  @ValueSource(strings = {LIST, LIST + "?unread=true"})
  void secondPage_continuesTheFirst_afterChangesInBetween(String list) {
    List<String> likes = likesInTurns();
    notified(-1, NotificationType.FOLLOW, bob);
    var first = caller.get(Paged.path(list, 1, null));
    String shown = likes(OTHER_POST, likes.get(0), likes.get(4));
    assertThat(Paged.ids(first)).containsExactly(shown);

    world.notifications.retract(
        Notification.key(ann.id(), start.plus(Duration.ofMinutes(10)), likes.get(0)));
    Expect.status(204, caller.post(LIST + "/" + shown + "/read"));
    Person late = world.user("late");
    notified(11, NotificationType.LIKE, OTHER_POST, late.id(), Duration.ofDays(1));
    notified(12, NotificationType.LIKE, late);

    var second = caller.get(Paged.path(list, 1, Paged.next(first)));
    assertThat(Paged.ids(second)).containsExactly(likes(POST, likes.get(1), likes.get(5)));
    assertThat(second.json().get("items").get(0).get("count").getIntValue()).isEqualTo(3);
    var third = caller.get(Paged.path(list, 1, Paged.next(second)));
    assertThat(third.json().get("items").get(0).get("type").getStringValue()).isEqualTo("follow");
    assertThat(Paged.next(third)).isNull();
    // Two likes of the first post were read, and one was removed; two new ones arrived.
    assertThat(caller.get(LIST + "/unread-count").text()).isEqualTo("{\"count\":6}");
    assertThat(counts(LIST + "?unread=true").stream().mapToInt(Integer::intValue).sum())
        .isEqualTo(6);
  }

  /** A position names the groups shown of a stretch, so a stretch has at most eight. */
  @ParameterizedTest
  @CsvSource({"8, 8", "9, 18"})
  void interleavedLikesOfManyPosts_areTheSameGroupsInPagesOfAnySize(int posts, int groups) {
    for (int i = 0; i < (posts == groups ? 3 : 2) * posts; i++) {
      String post = POST.replace("8057", "800" + i % posts);
      String fan = world.user("fan" + i).id();
      notified(i, NotificationType.LIKE, post, fan, Duration.ofDays(1));
    }

    assertThat(counts(LIST)).hasSize(groups).containsOnly(posts == groups ? 3 : 1);
    Paged.holds(caller, LIST, Paged.ids(caller, LIST, 50));
  }

  @Test
  void groups_withBlockedActors_shrink_andDisappearWithTheLast() {
    Person cid = world.user("cid");
    notified(1, NotificationType.LIKE, bob);
    notified(2, NotificationType.LIKE, cid);

    Expect.status(204, caller.put("/v1/users/" + cid.id() + "/block"));
    assertThat(counts(LIST)).containsExactly(1);
    Expect.status(204, caller.put("/v1/users/" + bob.id() + "/block"));
    assertThat(counts(LIST)).isEmpty();
  }

  @Test
  void read_group_marksOnlyThatGroup() {
    Person cid = world.user("cid");
    Person dot = world.user("dot");
    notified(1, NotificationType.LIKE, bob);
    notified(2, NotificationType.LIKE, cid);
    String group = Paged.ids(caller, LIST, 50).getFirst();
    notified(3, NotificationType.LIKE, dot);
    notified(0, NotificationType.LIKE, world.user("eve"));

    Expect.status(204, caller.post(LIST + "/" + group + "/read"));
    Expect.status(204, caller.post(LIST + "/" + group + "/read"));

    assertThat(counts(LIST)).containsExactly(1, 2, 1);
    assertThat(caller.get(LIST + "/unread-count").text()).isEqualTo("{\"count\":2}");
    assertThat(counts(LIST + "?unread=true")).containsExactly(2);
    Expect.problem(404, "not_found", server.as(bob).post(LIST + "/" + group + "/read"));
  }

  @Test
  void read_groupOfUnreadList_leavesLaterInterleavedOnes() {
    notified(1, NotificationType.LIKE, bob);
    notified(5, NotificationType.LIKE, world.user("cid"));
    String group = Paged.ids(caller, LIST, 50).getFirst();
    String late = notified(3, NotificationType.FOLLOW, world.user("dot"));

    Expect.status(204, caller.post(LIST + "/" + group + "/read"));

    assertThat(Paged.ids(caller, LIST + "?unread=true", 50)).containsExactly(late);
  }

  @Test
  void read_group_leavesOtherActionsOnThePost() {
    notified(1, NotificationType.LIKE, bob);
    String comment = notified(3, NotificationType.COMMENT, bob);
    notified(5, NotificationType.LIKE, world.user("cid"));
    String likes = Paged.ids(caller, LIST, 50).getFirst();

    Expect.status(204, caller.post(LIST + "/" + likes + "/read"));

    assertThat(Paged.ids(caller, LIST + "?unread=true", 50)).containsExactly(comment);
    assertUnread(1);
  }

  @Test
  void read_groupWithoutItsEnds_marksTheRest() {
    List<String> likes = likesInTurns();
    String group = likes(POST, likes.get(1), likes.get(5));
    assertThat(Paged.ids(caller, LIST, 50)).contains(group);
    for (int end : List.of(1, 5)) {
      var at = start.plus(Duration.ofMinutes(2 * (5 - end)));
      world.notifications.retract(Notification.key(ann.id(), at, likes.get(end)));
    }

    Expect.status(204, caller.post(LIST + "/" + group + "/read"));

    assertThat(caller.get(LIST + "/unread-count").text()).isEqualTo("{\"count\":3}");
    assertThat(counts(LIST + "?unread=true")).containsExactly(3);
  }

  @Test
  void read_groupWithRemovedEnd_marksTheRest() {
    notified(1, NotificationType.LIKE, bob);
    notified(2, NotificationType.LIKE, world.user("cid"));
    String newest = notified(3, NotificationType.LIKE, world.user("dot"));
    String group = Paged.ids(caller, LIST, 50).getFirst();
    world.notifications.retract(
        Notification.key(ann.id(), start.plus(Duration.ofMinutes(3)), newest));

    Expect.status(204, caller.post(LIST + "/" + group + "/read"));

    assertThat(caller.get(LIST + "/unread-count").text()).isEqualTo("{\"count\":0}");
  }
}
