package social.feed.ctl.demo;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import social.feed.ctl.load.ApiCalls;

/** Makes accounts act through the API, a few times a second. */
public final class DemoMotion {
  private static final int ACTIONS_A_SECOND = 4;
  private static final int PAGE = 20;

  private final ApiCalls api;
  private final RandomGenerator random = new Random();

  public DemoMotion(ApiCalls api) {
    this.api = api;
  }

  /**
   * Acts for a time and returns what was done, in words.
   *
   * @param progress gets the seconds that have passed since it was called before
   * @throws IllegalStateException if the platform does not answer or has fewer than two accounts
   */
  public String run(Duration time, LongConsumer progress) throws InterruptedException {
    var accounts = accounts();
    var done = new TreeMap<String, Integer>();
    long start = System.nanoTime();
    for (int action = 0; action < time.toSeconds() * ACTIONS_A_SECOND; action++) {
      done.merge(act(accounts), 1, Integer::sum);
      long due = start + TimeUnit.SECONDS.toNanos(1) * (action + 1) / ACTIONS_A_SECOND;
      TimeUnit.NANOSECONDS.sleep(Math.max(0, due - System.nanoTime()));
      if ((action + 1) % ACTIONS_A_SECOND == 0) {
        progress.accept(1);
      }
    }
    return done.entrySet().stream()
        .map(each -> each.getValue() + " " + each.getKey())
        .collect(Collectors.joining(", ", "Done: ", "."));
  }

  private List<String> accounts() throws InterruptedException {
    var ids = new ArrayList<String>();
    // A request without a token, by no account.
    answer("", "GET", "/v1/dev/accounts", "")
        .tree()
        .path("items")
        .forEach(each -> ids.add(each.path("id").asText()));
    if (ids.size() < 2) {
      throw new IllegalStateException(
          "The platform has fewer than two accounts. Start it with ./feed up --demo.");
    }
    return ids;
  }

  /** Does something as some account, and returns what. */
  private String act(List<String> accounts) throws InterruptedException {
    var me = accounts.get(random.nextInt(accounts.size()));
    signIn(me);
    int choice = random.nextInt(10);
    if (choice < 3) {
      return outcome("posts", answer(me, "POST", "/v1/posts", text(DemoTexts.post(random))));
    }
    if (choice == 3) {
      var other = accounts.get(random.nextInt(accounts.size()));
      return other.equals(me)
          ? "pauses"
          : outcome("follows", answer(me, "POST", "/v1/users/" + other + "/follow", ""));
    }
    var posts = answer(me, "GET", "/v1/feed?limit=" + PAGE, "").ids();
    if (posts.isEmpty()) {
      return "empty feeds";
    }
    var path = "/v1/posts/" + posts.get(random.nextInt(posts.size()));
    return choice < 8
        ? outcome("likes", answer(me, "POST", path + "/like", ""))
        : outcome(
            "comments", answer(me, "POST", path + "/comments", text(DemoTexts.comment(random))));
  }

  private static String text(String text) {
    return "{\"text\":\"" + text + "\"}";
  }

  private static String outcome(String what, ApiCalls.Answer answer) {
    return answer.isOk() ? what : "refused " + what;
  }

  private void signIn(String account) throws InterruptedException {
    try {
      api.signIn(account);
    } catch (IOException e) {
      throw unanswered(e);
    }
  }

  private ApiCalls.Answer answer(String account, String method, String path, String body)
      throws InterruptedException {
    try {
      return api.send(account, method, path, body);
    } catch (IOException e) {
      throw unanswered(e);
    }
  }

  private static IllegalStateException unanswered(IOException e) {
    return new IllegalStateException("No platform answers. Start one with ./feed up --demo.", e);
  }
}
