package social.feed.ctl.soak;

import java.util.List;
import java.util.Random;
import social.feed.ctl.soak.Client.Answer;

/** Somebody who does things for some people, one after the other, until told to stop. */
final class Writer implements Runnable {
  private static final int OK = 200;
  private static final int CREATED = 201;
  private static final int NO_CONTENT = 204;
  private static final int NOT_FOUND = 404;

  private final Client client;
  private final Ledger ledger;
  private final List<String> own;
  private final List<String> all;
  private final Random random;
  private int number;
  private volatile boolean isStopped;

  /**
   * @param own for whom it acts; nobody else does
   */
  Writer(Client client, Ledger ledger, List<String> own, List<String> all, long seed) {
    this.client = client;
    this.ledger = ledger;
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
      act(one(own));
      number++;
    }
  }

  private void act(String me) {
    switch (random.nextInt(10)) {
      case 0, 1 -> follow(me, one(all));
      case 2 -> unfollow(me);
      case 3, 4, 5 -> post(me);
      case 6 -> delete(me);
      case 7 -> like(me);
      case 8 -> unlike(me);
      default -> comment(me);
    }
  }

  private void follow(String me, String other) {
    if (!me.equals(other)) {
      expect(client.post(me, "/v1/users/" + other + "/follow", "", ""), NO_CONTENT);
      ledger.followed(me, other);
    }
  }

  private void unfollow(String me) {
    var followed = List.copyOf(ledger.followedBy(me).keySet());
    if (!followed.isEmpty()) {
      var other = one(followed);
      expect(client.delete(me, "/v1/users/" + other + "/follow"), NO_CONTENT);
      ledger.unfollowed(me, other);
    }
  }

  private void post(String me) {
    long begun = ledger.begin();
    var body = "{\"text\":\"number %d of %s #soak\"}".formatted(number, me);
    var answer = client.post(me, "/v1/posts", body, key(me));
    expect(answer, CREATED);
    ledger.posted(new Ledger.Post(id(answer), me, begun));
  }

  private void delete(String me) {
    var post = ledger.anyOf(me, random.nextInt());
    if (post != null) {
      var answer = client.delete(me, "/v1/posts/" + post.id);
      if (answer.status() != NOT_FOUND || !answer.isRepeat()) {
        expect(answer, NO_CONTENT);
      }
      ledger.deleted(post.id);
    }
  }

  private void like(String me) {
    var post = ledger.any(random.nextInt());
    if (post != null) {
      var answer = client.post(me, "/v1/posts/" + post.id + "/like", "", "");
      expect(answer, OK, NOT_FOUND);
      if (answer.status() == OK) {
        ledger.liked(post.id, me, true);
      }
    }
  }

  private void unlike(String me) {
    var post = ledger.any(random.nextInt());
    if (post != null) {
      expect(client.delete(me, "/v1/posts/" + post.id + "/like"), NO_CONTENT, NOT_FOUND);
      ledger.liked(post.id, me, false);
    }
  }

  private void comment(String me) {
    var post = ledger.any(random.nextInt());
    if (post != null) {
      var path = "/v1/posts/" + post.id + "/comments";
      var answer = client.post(me, path, "{\"text\":\"well\"}", key(me));
      expect(answer, CREATED, NOT_FOUND);
      if (answer.status() == CREATED) {
        ledger.commented(post.id, id(answer));
      }
    }
  }

  private String key(String me) {
    return me + "-" + number;
  }

  private <T> T one(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }

  private static String id(Answer answer) {
    return answer.json().get("id").getStringValue();
  }

  private static void expect(Answer answer, Integer... statuses) {
    if (!List.of(statuses).contains(answer.status())) {
      throw new AssertionError(answer.status() + " " + answer.text());
    }
  }
}
