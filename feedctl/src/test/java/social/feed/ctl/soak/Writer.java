package social.feed.ctl.soak;

import java.util.List;
import java.util.Random;
import social.feed.ctl.soak.Client.Response;

/** Sends random requests for some users, one after the other, until it is stopped. */
final class Writer implements Runnable {
  private static final int OK = 200;
  private static final int CREATED = 201;
  private static final int NO_CONTENT = 204;
  private static final int NOT_FOUND = 404;

  private final Client client;
  private final Ledger ledger;
  private final Deliveries deliveries;
  private final List<String> own;
  private final List<String> all;
  private final Random random;
  private int number;
  private volatile boolean isStopped;

  /**
   * Creates a writer.
   *
   * @param deliveries while they are behind, the writer pauses
   * @param own the users that only this writer acts for
   * @param all all users
   */
  Writer(
      Client client,
      Ledger ledger,
      Deliveries deliveries,
      List<String> own,
      List<String> all,
      long seed) {
    this.client = client;
    this.ledger = ledger;
    this.deliveries = deliveries;
    this.own = own;
    this.all = all;
    this.random = new Random(seed);
  }

  void stop() {
    isStopped = true;
  }

  @Override
  public void run() {
    while (!isStopped) {
      if (deliveries.isBehind()) {
        deliveries.pause();
      } else {
        act(one(own));
        number++;
      }
    }
  }

  private void act(String user) {
    switch (random.nextInt(10)) {
      case 0, 1 -> follow(user, one(all));
      case 2 -> unfollow(user);
      case 3, 4, 5 -> post(user);
      case 6 -> delete(user);
      case 7 -> like(user);
      case 8 -> unlike(user);
      default -> comment(user);
    }
  }

  private void follow(String user, String other) {
    if (!user.equals(other)) {
      expect(client.post(user, "/v1/users/" + other + "/follow", "", ""), NO_CONTENT);
      ledger.followed(user, other);
    }
  }

  private void unfollow(String user) {
    var followed = List.copyOf(ledger.followedBy(user).keySet());
    if (!followed.isEmpty()) {
      var other = one(followed);
      expect(client.delete(user, "/v1/users/" + other + "/follow"), NO_CONTENT);
      ledger.unfollowed(user, other);
    }
  }

  private void post(String user) {
    long begun = ledger.begin();
    var body = "{\"text\":\"number %d of %s #soak\"}".formatted(number, user);
    var response = client.post(user, "/v1/posts", body, key(user));
    expect(response, CREATED);
    ledger.posted(new Ledger.Post(id(response), user, begun));
  }

  private void delete(String user) {
    var post = ledger.anyOf(user, random.nextInt());
    if (post != null) {
      var response = client.delete(user, "/v1/posts/" + post.id);
      if (response.status() != NOT_FOUND || !response.isRepeat()) {
        expect(response, NO_CONTENT);
      }
      ledger.deleted(post.id);
    }
  }

  private void like(String user) {
    var post = ledger.any(random.nextInt());
    if (post != null) {
      var response = client.post(user, "/v1/posts/" + post.id + "/like", "", "");
      expect(response, OK, NOT_FOUND);
      if (response.status() == OK) {
        ledger.liked(post.id, user, true);
      }
    }
  }

  private void unlike(String user) {
    var post = ledger.any(random.nextInt());
    if (post != null) {
      expect(client.delete(user, "/v1/posts/" + post.id + "/like"), NO_CONTENT, NOT_FOUND);
      ledger.liked(post.id, user, false);
    }
  }

  private void comment(String user) {
    var post = ledger.any(random.nextInt());
    if (post != null) {
      var path = "/v1/posts/" + post.id + "/comments";
      var response = client.post(user, path, "{\"text\":\"well\"}", key(user));
      expect(response, CREATED, NOT_FOUND);
      if (response.status() == CREATED) {
        ledger.commented(post.id, id(response));
      }
    }
  }

  private String key(String user) {
    return user + "-" + number;
  }

  private <T> T one(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }

  private static String id(Response response) {
    return response.json().get("id").getStringValue();
  }

  private static void expect(Response response, Integer... statuses) {
    if (!List.of(statuses).contains(response.status())) {
      throw new AssertionError(response.status() + " " + response.text());
    }
  }
}
