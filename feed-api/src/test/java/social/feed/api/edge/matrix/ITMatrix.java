package social.feed.api.edge.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.api.http.Paged;
import social.feed.table.access.AccessPattern;

@ExtendWith(FeedServerExtension.class)
class ITMatrix {
  private final FeedServer server;

  ITMatrix(FeedServer server) {
    this.server = server;
  }

  @Test
  void matrix_listsThePatternsOfTheCode() {
    var answer = Expect.status(200, server.as("anyone").get("/v1/access-patterns"));

    assertThat(Paged.ids(answer))
        .containsExactlyElementsOf(
            Arrays.stream(AccessPattern.values()).map(AccessPattern::id).toList());
    assertThat(answer.text())
        .contains(
            "{\"id\":\"FEED-002\",\"title\":\"posts of an author\",\"path\":\"Query GSI1 USER#id\","
                + "\"index\":\"GSI1\",\"order\":\"newest_first\",\"max_page\":50,\"goal_ms\":100}");
    assertThat(answer.header("X-Consumed-Read-Units")).isEmpty();
  }

  @Test
  void matrix_withoutToken_isRefused() {
    Expect.problem(401, "unauthenticated", server.anonymous().get("/v1/access-patterns"));
  }
}
