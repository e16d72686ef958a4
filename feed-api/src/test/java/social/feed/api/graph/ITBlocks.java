package social.feed.api.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.api.http.Paged;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Mute;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

@ExtendWith(FeedServerExtension.class)
class ITBlocks {
  private static final String BLOCKS = "/v1/users/me/blocks";
  private static final String MUTES = "/v1/users/me/mutes";

  private final FeedServer server;
  private final SeedWorld world;
  private final Person ann;
  private final Person bob;
  private final Api caller;

  ITBlocks(FeedServer server, SeedWorld world) {
    this.server = server;
    this.world = world;
    this.ann = world.user("ann");
    this.bob = world.user("bob");
    this.caller = server.as(ann);
  }

  private static String of(String id, String what) {
    return "/v1/users/" + id + "/" + what;
  }

  @ParameterizedTest
  @ValueSource(strings = {"block", "mute"})
  void putAndDelete_repeated_succeed(String what) {
    String list = of("me", what + "s");
    for (int i = 0; i < 2; i++) {
      assertThat(Expect.status(204, caller.put(of(bob.id(), what))).text()).isEmpty();
      assertThat(Paged.ids(caller, list, 5)).containsExactly(bob.id());
    }
    for (int i = 0; i < 2; i++) {
      assertThat(Expect.status(204, caller.delete(of(bob.id(), what))).text()).isEmpty();
      assertThat(Paged.ids(caller, list, 5)).isEmpty();
    }
  }

  @Test
  void block_endsFollowsInBothDirections_andMuteEndsNone() {
    ann.follows(bob);
    bob.follows(ann);
    Expect.status(204, caller.put(of(bob.id(), "mute")));
    assertThat(world.follows.get(ann.id(), bob.id())).isPresent();

    Expect.status(204, caller.put(of(bob.id(), "block")));

    assertThat(world.follows.get(ann.id(), bob.id())).isEmpty();
    assertThat(world.follows.get(bob.id(), ann.id())).isEmpty();
    assertThat(caller.get("/v1/users/" + ann.id()).at("following_count")).isEqualTo("0");
  }

  @Test
  void block_ofAccountThatBlocksTheCaller_succeeds() {
    bob.blocks(ann);

    Expect.status(204, caller.put(of(bob.id(), "block")));

    assertThat(Paged.ids(caller, BLOCKS, 5)).containsExactly(bob.id());
    Expect.status(204, caller.delete(of(bob.id(), "block")));
    assertThat(Paged.ids(server.as(bob), BLOCKS, 5)).containsExactly(ann.id());
  }

  @ParameterizedTest
  @CsvSource({"block, self_block", "mute, self_mute"})
  void put_selfOrUnknownOrWithoutProfile_isRejected(String what, String code) {
    Expect.problem(422, code, caller.put(of(ann.id(), what)));
    Expect.problem(404, "not_found", caller.put(of("unknown", what)));
    Expect.problem(404, "not_found", caller.delete(of("unknown", what)));
    Expect.blames(400, "id", caller.put(of("a%23b", what)));
    Api stranger = server.as("stranger");
    Expect.problem(409, "not_registered", stranger.put(of(bob.id(), what)));
    Expect.problem(409, "not_registered", stranger.delete(of(bob.id(), what)));
    Expect.problem(401, "unauthenticated", server.anonymous().put(of(bob.id(), what)));
  }

  @ParameterizedTest
  @CsvSource({"block, block_cap_reached", "mute, mute_cap_reached"})
  void put_beyondTheCap_isRejected(String what, String code) {
    try (FeedServer small = FeedServer.start(Map.of("feed.limits.blocked", 2))) {
      SeedWorld there = small.world();
      Api me = small.as(there.user("ann"));
      List<String> others = IntStream.range(0, 3).mapToObj(i -> there.user("x" + i).id()).toList();

      Expect.status(204, me.put(of(others.get(0), what)));
      Expect.status(204, me.put(of(others.get(1), what)));
      Expect.problem(422, code, me.put(of(others.get(2), what)));
      Expect.status(204, me.put(of(others.get(1), what)));
      Expect.status(204, me.delete(of(others.get(0), what)));
      Expect.status(204, me.put(of(others.get(2), what)));
    }
  }

  @Test
  void lists_areOrderedByIdInPagesOfAnySize_andRejectInvalidParameters() {
    List<String> others =
        IntStream.range(0, 5)
            .mapToObj(i -> world.user("x" + i))
            .peek(ann::blocks)
            .peek(ann::mutes)
            .map(Person::id)
            .sorted()
            .toList();

    Paged.holds(caller, BLOCKS, others);
    Paged.holds(caller, MUTES, others);
    Paged.rejectsInvalidParameters(caller, server.as(bob), BLOCKS, MUTES, 500);
    Paged.rejectsInvalidParameters(caller, server.as(bob), MUTES, BLOCKS, 500);
  }

  @Test
  void mute_untilATime_isListedWithTheTime() {
    Instant until = Instant.now().plus(Duration.ofDays(1));

    Expect.status(204, mute("{\"until\":\"" + until + "\"}"));

    var item = caller.get(MUTES).json().get("items").get(0);
    assertThat(item.get("until").getStringValue()).isEqualTo(Timestamps.format(until));
    assertThat(item.get("handle").getStringValue()).isEqualTo(bob.account().handle());
    Expect.status(204, mute("{}"));
    assertThat(caller.get(MUTES).json().get("items").get(0).get("until")).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"2020-01-01T00:00:00Z", "2120-01-01T00:00:00Z", "9999-12-31T23:59:59Z"})
  void mute_untilAnInvalidTime_isRejected(String until) {
    Expect.blames(422, "until", mute("{\"until\":\"" + until + "\"}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"until\":\"soon\"}", "{\"until\":1}", "{\"for\":\"1h\"}", "[]"})
  void mute_withInvalidBody_isMalformed(String body) {
    Expect.problem(400, "invalid_request", mute(body));
  }

  private Answer mute(String json) {
    return caller.put(of(bob.id(), "mute"), json);
  }

  /** The table removes the row days later. */
  @Test
  void mute_thatHasEnded_hasNoEffect() {
    ann.follows(bob);
    var post = bob.posts("x");
    world.feeds.deliver(List.of(FeedEntry.of(post.ref(), ann.id())));
    Instant now = Instant.now();
    world.blockWriter.mute(Mute.of(ann.id(), bob.id(), now, now.plus(Duration.ofHours(1))));
    assertThat(Paged.ids(caller, "/v1/feed", 5)).isEmpty();

    Instant past = now.minusMillis(1);
    world.blockWriter.mute(Mute.of(ann.id(), bob.id(), past, past));

    assertThat(Paged.ids(caller, "/v1/feed", 5)).containsExactly(post.postId());
    assertThat(Paged.ids(caller, MUTES, 5)).isEmpty();
    assertThat(relationship(bob)).contains("\"muting\":false");
  }

  @Test
  void relationships_ofEachKind_areInTheRequestedOrder() {
    Person blocked = world.user("blocked");
    Person blocker = world.user("blocker");
    ann.follows(bob);
    bob.follows(ann);
    ann.mutes(bob);
    ann.blocks(blocked);
    blocker.blocks(ann);

    Answer answer =
        Expect.status(
            200,
            caller.get(
                "/v1/relationships?ids="
                    + String.join(",", blocker.id(), "unknown", bob.id(), blocked.id(), bob.id())));

    assertThat(Paged.ids(answer)).containsExactly(blocker.id(), "unknown", bob.id(), blocked.id());
    assertThat(relationship(bob))
        .contains("\"following\":true,\"followed_by\":true,\"mutual\":true,")
        .contains("\"special\":false,\"blocking\":false,\"blocked_by\":false,\"muting\":true");
    assertThat(relationship(blocked))
        .contains("\"following\":false,\"followed_by\":false,\"mutual\":false,")
        .contains("\"blocking\":true,\"blocked_by\":false,\"muting\":false");
    assertThat(relationship(blocker))
        .contains("\"blocking\":false,\"blocked_by\":true,\"muting\":false");
  }

  private String relationship(Person other) {
    return Expect.status(200, caller.get("/v1/relationships?ids=" + other.id())).text();
  }

  @Test
  void relationships_noneOrTooManyOrInvalidIds_areMalformed() {
    String thirty = String.join(",", Collections.nCopies(30, "x"));
    Expect.status(200, caller.get("/v1/relationships?ids=" + thirty));
    for (String ids : List.of("", thirty + ",x", "a,,b", "a,", "a%23b")) {
      Expect.blames(400, "ids", caller.get("/v1/relationships?ids=" + ids));
    }
    Expect.blames(400, "ids", caller.get("/v1/relationships"));
  }

  @Test
  void blocks_costOneReadUnitAPage() {
    ann.follows(bob);
    world.feeds.deliver(List.of(FeedEntry.of(bob.posts("x").ref(), ann.id())));

    assertThat(units(of(bob.id(), "posts"))).isLessThanOrEqualTo(5.5);
    assertThat(units("/v1/feed")).isLessThanOrEqualTo(7);
  }

  private double units(String path) {
    return Double.parseDouble(caller.get(path).header("X-Consumed-Read-Units").orElseThrow());
  }
}
