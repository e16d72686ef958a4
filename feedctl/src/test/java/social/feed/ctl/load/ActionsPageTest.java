package social.feed.ctl.load;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import social.feed.testkit.GeneratedPage;

/** The table of actions on the page about loads is that of the code. */
class ActionsPageTest {
  private static final Map<Action, String> DOES =
      Map.ofEntries(
          Map.entry(Action.UNREAD, "asks for the number of unread notifications"),
          Map.entry(Action.HOME, "reads the first page of the home feed"),
          Map.entry(Action.OLDER, "reads the page after the last one, or the first one again"),
          Map.entry(Action.READ, "opens a post"),
          Map.entry(Action.COMMENTS, "reads the comments of a post"),
          Map.entry(Action.PROFILE, "opens a profile"),
          Map.entry(Action.TIMELINE, "reads the posts of an account"),
          Map.entry(Action.FOLLOWERS, "reads the followers of an account"),
          Map.entry(Action.NOTIFICATIONS, "reads the notifications"),
          Map.entry(Action.READ_ALL, "marks all notifications as read"),
          Map.entry(Action.TAG, "reads the posts of one of 50 tags"),
          Map.entry(Action.TRENDS, "reads the tags that are used most"),
          Map.entry(Action.AUTHORS, "reads the authors with the most followers"),
          Map.entry(Action.LIKE, "likes a post"),
          Map.entry(Action.UNLIKE, "takes a like back"),
          Map.entry(Action.COMMENT, "comments on a post"),
          Map.entry(Action.FOLLOW, "follows an account with many followers"),
          Map.entry(Action.UNFOLLOW, "unfollows an account"),
          Map.entry(Action.WRITE, "writes a public post with one of 50 tags"));

  @Test
  void actions_ofThePage_areThoseOfTheCode() {
    GeneratedPage.named("load.md").has("## Actions\n", rendered());
  }

  private static String rendered() {
    var mix = Mix.standard();
    var page = new StringBuilder();
    page.append(
        """

        A test generates this table; do not edit it. The weight is the share in percent of the actions after the first two.

        | action | what the account does | route | weight |
        |---|---|---|---|
        """);
    for (var action : Action.values()) {
      page.append(
          "| `%s` | %s | `%s` | %s |%n"
              .formatted(
                  action.key(),
                  DOES.get(action),
                  action.route(),
                  Optional.ofNullable(mix.weights().get(action))
                      .map(weight -> "%.0f".formatted(weight))
                      .orElse("begins a session")));
    }
    return page.toString();
  }
}
