package social.feed.api.edge.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.api.http.Paged;
import social.feed.table.post.PostTags;
import social.feed.testkit.SeedWorld;

/** Names in addresses that have a special meaning to the table's keys, to Java or to a terminal. */
@ExtendWith(FeedServerExtension.class)
class ITHostileNames {
  /** The maximum length of a path: a request line without its other parts. */
  private static final int LINE_MAX = 4_096 - "DELETE  HTTP/1.1".length();

  private final FeedServer server;
  private final SeedWorld world;
  private final Api caller;

  ITHostileNames(FeedServer server, SeedWorld world) {
    this.server = server;
    this.world = world;
    this.caller = server.as(world.user("ann"));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** The names, encoded as in an address. */
  static Stream<String> names() {
    return Stream.of(
        encoded("#"),
        encoded("USER#ann"),
        encoded("ann#META"),
        encoded("a\u0000b"),
        encoded("a\nb"),
        encoded("a\rSet-Cookie: x"),
        encoded("a\u007fb"),
        encoded("a\u0085b"),
        encoded("a/../b"),
        encoded("..\\b"),
        encoded("*"),
        encoded("${jndi:ldap://x}"),
        encoded("' OR '1'='1"),
        encoded("<script>"),
        encoded("e\u0301"),
        encoded("\u00e9"),
        encoded("\u202eevil"),
        encoded("\u0627\u0644"),
        encoded("\ufeffann"),
        encoded("\u200dann"),
        encoded("\ud83d\ude00"),
        encoded("\uff03"),
        // Halves of surrogate pairs, an overlong slash and a byte that is not UTF-8.
        "%ED%A0%80",
        "%ED%BF%BF",
        "%C0%AF",
        "%FF",
        encoded("x".repeat(65)),
        encoded("x".repeat(2_049)));
  }

  private List<String> operations() {
    return Document.operations(server.anonymous()).keySet().stream()
        .filter(name -> name.contains("{"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("names")
  void name_inAnyPlaceOfAnyRoute_isRefusedOrNotFound(String name) {
    List<String> tried = new ArrayList<>();
    for (String operation : operations()) {
      int space = operation.indexOf(' ');
      String method = operation.substring(0, space).toUpperCase(Locale.ROOT);
      String path = operation.substring(space + 1).replaceAll("\\{\\w+}", name.replace("$", "\\$"));

      Answer answer = caller.send(method, path, null);

      tried.add(path);
      String what = method + " " + path + " -> " + answer.text();
      if (operation.contains("{tag}")) {
        assertThat(answer.status()).as(what).isIn(200, 400);
      } else {
        boolean isTooLong = path.length() > LINE_MAX;
        assertThat(answer.status()).as(what).isIn(isTooLong ? List.of(414) : List.of(400, 404));
      }
      assertThat(answer.text()).as(what).doesNotContain("xception", "\tat ", "java.");
    }
    assertThat(tried).hasSizeGreaterThan(20);
  }

  @Test
  void tag_composedAndDecomposed_isTheSame() {
    var post = world.user("bob").posts("#caf\u00e9");
    new PostTags(server.table().table()).write(List.of(post));

    for (String spelling : List.of("caf\u00e9", "cafe\u0301", "CAF\u00c9", "\uff43af\u00e9")) {
      Answer page = Expect.status(200, caller.get("/v1/tags/" + encoded(spelling) + "/posts"));
      assertThat(Paged.ids(page)).as(spelling).containsExactly(post.postId());
    }
  }
}
