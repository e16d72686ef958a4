package social.feed.ctl.soak;

import io.micronaut.json.tree.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import social.feed.testkit.PagingLaw;

/** Compares the data of the platform with the writes that it acknowledged. */
final class Judge {
  private static final int NOT_FOUND = 404;

  private final Client client;
  private final Ledger ledger;
  private final List<String> differences = new ArrayList<>();

  Judge(Client client, Ledger ledger) {
    this.client = client;
    this.ledger = ledger;
  }

  /** Returns a sentence for each difference. */
  List<String> judge(List<String> users) {
    users.forEach(this::account);
    users.forEach(this::feed);
    ledger.posts().forEach(this::post);
    ledger.deletedPosts().forEach(id -> deleted(users.getFirst(), id));
    return differences;
  }

  private void account(String user) {
    var profile = client.get(user, "/v1/users/" + user).json();
    compare(user, profile, "followers_count", ledger.followersOf(user));
    compare(user, profile, "following_count", ledger.followedBy(user).size());
    compare(user, profile, "posts_count", ledger.of(user).size());
  }

  private void post(Ledger.Post post) {
    var response = client.get(post.author, "/v1/posts/" + post.id);
    if (response.status() == NOT_FOUND) {
      differences.add("post " + post.id + " of " + post.author + " is lost");
      return;
    }
    compare("post " + post.id, response.json(), "likes_count", post.likers.size());
    compare("post " + post.id, response.json(), "comments_count", post.comments.size());
  }

  private void deleted(String reader, String postId) {
    if (client.get(reader, "/v1/posts/" + postId).status() != NOT_FOUND) {
      differences.add("post " + postId + " exists after its deletion");
    }
  }

  private void compare(String what, JsonNode json, String field, long expected) {
    long actual = json.get(field).getLongValue();
    if (actual != expected) {
      differences.add("%s of %s is %d, not %d".formatted(field, what, actual, expected));
    }
  }

  /** Checks that a feed has all own posts and all of followed authors since the follow, only. */
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
        differences.add("post " + id + " is missing from the feed of " + user);
      }
    }
    for (var id : shown) {
      if (!must.contains(id) && !may.contains(id)) {
        differences.add("post " + id + " should not be in the feed of " + user);
      }
    }
    if (new HashSet<>(shown).size() != shown.size()) {
      differences.add("a post is duplicated in the feed of " + user);
    }
  }

  private List<String> shown(String user) {
    var shown = new ArrayList<String>();
    var paths = new HashSet<String>();
    var path = "/v1/feed?limit=50";
    while (true) {
      PagingLaw.continuesOnce(paths, path);
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
