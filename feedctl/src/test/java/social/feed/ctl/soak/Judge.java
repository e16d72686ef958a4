package social.feed.ctl.soak;

import io.micronaut.json.tree.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Compares what the platform says with what it had answered to be done. */
final class Judge {
  private static final int NOT_FOUND = 404;

  private final Client client;
  private final Ledger ledger;
  private final List<String> wrong = new ArrayList<>();

  Judge(Client client, Ledger ledger) {
    this.client = client;
    this.ledger = ledger;
  }

  /** What is not as it should be, a sentence each. */
  List<String> judge(List<String> people) {
    people.forEach(this::account);
    people.forEach(this::feed);
    ledger.posts().forEach(this::post);
    ledger.deletedPosts().forEach(id -> gone(people.getFirst(), id));
    return wrong;
  }

  private void account(String user) {
    var profile = client.get(user, "/v1/users/" + user).json();
    compare(user, profile, "followers_count", ledger.followersOf(user));
    compare(user, profile, "following_count", ledger.followedBy(user).size());
    compare(user, profile, "posts_count", ledger.of(user).size());
  }

  private void post(Ledger.Post post) {
    var answer = client.get(post.author, "/v1/posts/" + post.id);
    if (answer.status() == NOT_FOUND) {
      wrong.add("post " + post.id + " of " + post.author + " is lost");
      return;
    }
    compare("post " + post.id, answer.json(), "likes_count", post.likers.size());
    compare("post " + post.id, answer.json(), "comments_count", post.comments.size());
  }

  private void gone(String anybody, String postId) {
    if (client.get(anybody, "/v1/posts/" + postId).status() != NOT_FOUND) {
      wrong.add("post " + postId + " came back");
    }
  }

  private void compare(String what, JsonNode json, String field, long expected) {
    long actual = json.get(field).getLongValue();
    if (actual != expected) {
      wrong.add("%s of %s is %d, not %d".formatted(field, what, actual, expected));
    }
  }

  /** All own posts and all of the followed since the follow; nothing of anybody else. */
  private void feed(String user) {
    var shown = shown(user);
    Set<String> must = new HashSet<>();
    Set<String> may = new HashSet<>();
    ledger.of(user).forEach(post -> must.add(post.id));
    ledger
        .followedBy(user)
        .forEach(
            (author, since) ->
                ledger.of(author).forEach(post -> (post.begun > since ? must : may).add(post.id)));
    for (var id : must) {
      if (!shown.contains(id)) {
        wrong.add("post " + id + " is missing in the feed of " + user);
      }
    }
    for (var id : shown) {
      if (!must.contains(id) && !may.contains(id)) {
        wrong.add("post " + id + " should not be in the feed of " + user);
      }
    }
    if (new HashSet<>(shown).size() != shown.size()) {
      wrong.add("a post is twice in the feed of " + user);
    }
  }

  private List<String> shown(String user) {
    var shown = new ArrayList<String>();
    var path = "/v1/feed?limit=50";
    while (true) {
      var page = client.get(user, path).json();
      page.get("items").values().forEach(post -> shown.add(post.get("id").getStringValue()));
      var next = page.get("next_cursor");
      if (next == null || next.isNull()) {
        return shown;
      }
      path = "/v1/feed?limit=50&cursor=" + next.getStringValue();
    }
  }
}
