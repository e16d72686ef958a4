package social.feed.api.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.json.tree.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.Paged;
import social.feed.table.counter.CountChange;
import social.feed.table.counter.Counters;
import social.feed.table.row.User;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

/** The newest followers of a celebrity, cached for longer than a test runs. */
class ITRecentFollowers {
  private static final int FANS = 7;

  private FeedServer server;
  private SeedWorld world;
  private Api caller;
  private Person me;
  private Person idol;
  private List<String> newestFirst;

  @BeforeEach
  void start() {
    server = FeedServer.start(Map.of("feed.recent-followers.cached", "1h"));
    world = server.world();
    me = world.user("me");
    caller = server.as(me);
    idol = world.user("idol");
    newestFirst = fans("fan", FANS).reversed();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private List<String> fans(String name, int number) {
    return IntStream.range(0, number)
        .mapToObj(i -> world.user(name + i))
        .peek(fan -> fan.follows(idol))
        .map(Person::id)
        .toList();
  }

  private void becomeCelebrity() {
    new Counters(server.table().table(), new CelebrityRule(FANS))
        .apply(
            "shardId-00000001",
            Map.of(User.key(idol.id()), List.of(new CountChange("1", User.FOLLOWERS_COUNT, FANS))));
  }

  private String path() {
    return "/v1/users/" + idol.id() + "/followers";
  }

  private List<String> shown() {
    return shown(caller, path());
  }

  private static List<String> shown(Api api, String path) {
    List<String> ids = new ArrayList<>();
    for (JsonNode item : Expect.status(200, api.get(path)).json().get("items").values()) {
      ids.add(item.get("id").getStringValue());
    }
    return ids;
  }

  @Test
  void pages_ofAnySize_areTheSameList() {
    becomeCelebrity();

    Paged.holds(caller, path(), newestFirst);
  }

  @Test
  void pages_longerThanTheCache_areReadEachTime() {
    becomeCelebrity();
    shown();
    List<String> late = fans("late", 1);

    assertThat(shown(caller, path() + "?limit=101")).startsWith(late.getFirst()).hasSize(FANS + 1);
  }

  @Test
  void listOfCelebrity_isReadOnceForAllCallers() {
    becomeCelebrity();
    List<String> before = shown();
    Api other = server.as(world.user("other"));
    fans("late", 1);

    assertThat(before).isEqualTo(newestFirst);
    assertThat(shown()).isEqualTo(before);
    assertThat(shown(other, path())).isEqualTo(before);
  }

  @Test
  void secondRequest_costsOnlyTheAccounts() {
    becomeCelebrity();
    double first = units();
    double second = units();

    assertThat(first - second).isEqualTo(0.5);
  }

  private double units() {
    return Double.parseDouble(caller.get(path()).header("X-Consumed-Read-Units").orElseThrow());
  }

  @Test
  void listOfOtherAccount_isReadEachTime() {
    shown();
    List<String> late = fans("late", 1);

    assertThat(shown()).startsWith(late.getFirst()).hasSize(FANS + 1);
  }

  @Test
  void blockedFollower_isGoneAtOnce() {
    becomeCelebrity();
    String blocked = newestFirst.get(2);
    assertThat(shown()).contains(blocked);

    Expect.status(204, caller.put("/v1/users/" + blocked + "/block"));

    assertThat(shown()).doesNotContain(blocked).hasSize(FANS - 1);
  }
}
