package social.feed.ctl.plan;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import social.feed.ctl.plan.Prices.Price;
import social.feed.local.PlatformSettings;
import social.feed.table.cost.UserAction;

/** The options of {@code ./feed plan}, and their limits. */
public final class PlanOptions {
  private static final long MOST_USERS = 10_000_000_000L;
  private static final double MOST_A_DAY = 10_000;
  private static final double DAILY_SHARE = 0.2;

  @Option(
      names = "--users",
      required = true,
      description = "accounts that read in a month, 2 to 10 000 000 000")
  private long users;

  @Option(
      names = "--accounts",
      description =
          "registered accounts; the others are followed and read nothing (default: users)")
  private @Nullable Long accounts;

  @Option(
      names = "--daily",
      description = "accounts that read on a day (default: a fifth of the users)")
  private @Nullable Double daily;

  @Option(
      names = "--follows",
      defaultValue = "200",
      description = "accounts that an account follows on average (default: ${DEFAULT-VALUE})")
  private double follows;

  @Option(
      names = "--exponent",
      defaultValue = "2.276",
      description =
          "exponent of the power law of followers, more than 2; smaller means more celebrities"
              + " (default: ${DEFAULT-VALUE}, measured on Twitter in 2010)")
  private double exponent;

  @Option(
      names = "--most-followed",
      defaultValue = "0.1",
      description =
          "share of the accounts that follow the most followed one (default: ${DEFAULT-VALUE})")
  private double mostFollowed;

  @Option(
      names = "--pages",
      description = "home feed pages of a daily user a day (default: ${DEFAULT-VALUE})")
  private double pages =
      UserAction.PAGE.timesADay() + (double) UserAction.PAGE_AFTER_FOLLOW.timesADay();

  @Option(
      names = "--hours",
      description =
          "hours of a day, after the first one, in which a daily user reads the feed (default: ${DEFAULT-VALUE})")
  private double hours = UserAction.FIRST_PAGE_OF_AN_HOUR.timesADay();

  @Option(
      names = "--posts",
      description = "posts of a daily user a day (default: ${DEFAULT-VALUE})")
  private double posts = UserAction.POST.timesADay();

  @Option(
      names = "--likes",
      description = "likes of a daily user a day (default: ${DEFAULT-VALUE})")
  private double likes = UserAction.LIKE.timesADay();

  @Option(
      names = "--comments",
      description = "comments of a daily user a day (default: ${DEFAULT-VALUE})")
  private double comments = UserAction.COMMENT.timesADay();

  @Option(
      names = "--new-follows",
      description = "follows of a daily user a day (default: ${DEFAULT-VALUE})")
  private double newFollows = UserAction.FOLLOW.timesADay();

  @Option(
      names = "--unfollows",
      description = "unfollows of a daily user a day (default: ${DEFAULT-VALUE})")
  private double unfollows = UserAction.UNFOLLOW.timesADay();

  @Option(
      names = "--views",
      description = "posts that a daily user opens a day (default: ${DEFAULT-VALUE})")
  private double views = UserAction.VIEW_POST.timesADay();

  @Option(
      names = "--profiles",
      description = "profiles that a daily user opens (default: ${DEFAULT-VALUE})")
  private double profiles = UserAction.VIEW_PROFILE.timesADay();

  @Option(
      names = "--lists",
      description =
          "pages of followers or followed accounts of a daily user a day (default: ${DEFAULT-VALUE})")
  private double lists = UserAction.LIST.timesADay();

  @Option(
      names = "--unread-counts",
      description = "reads of the number of unread notifications a day (default: ${DEFAULT-VALUE})")
  private double unreadCounts = UserAction.UNREAD_COUNT.timesADay();

  @Option(
      names = "--notifications",
      description = "pages of notifications a day (default: ${DEFAULT-VALUE})")
  private double notifications = UserAction.NOTIFICATIONS.timesADay();

  @Option(
      names = "--read-all",
      description = "marks of all notifications a day (default: ${DEFAULT-VALUE})")
  private double readAll = UserAction.READ_ALL.timesADay();

  @Option(
      names = "--tags",
      defaultValue = "1",
      description = "tags of a post, 0 to 10 (default: ${DEFAULT-VALUE})")
  private int tags;

  @Option(
      names = "--peak",
      defaultValue = "3",
      description = "highest rate of a day, divided by the average (default: ${DEFAULT-VALUE})")
  private double peak;

  @Option(
      names = "--celebrity-threshold",
      description = "followers from which an author's posts are pulled (default: ${DEFAULT-VALUE})")
  private long threshold = PlatformSettings.CELEBRITY_THRESHOLD;

  @Option(
      names = "--months",
      defaultValue = "12",
      description = "months for which posts and likes have piled up (default: ${DEFAULT-VALUE})")
  private double months;

  @Option(
      names = "--id-length",
      defaultValue = "36",
      description =
          "characters of an account's id, 1 to 128 (default: ${DEFAULT-VALUE}, as Cognito's)")
  private int idLength;

  @Option(
      names = "--requests-of-a-server",
      defaultValue = "500",
      description =
          "requests a second that a server of the API answers, with one processor; an assumption,"
              + " so measure your own mix with ./feed load (default: ${DEFAULT-VALUE})")
  private double serverRequests;

  @Option(
      names = "--price",
      paramLabel = "NAME=DOLLARS",
      description =
          "another price: writes and reads (a million units), storage and backup (a GB and month),"
              + " invocations (a million), compute (a GB-second), server (a month), requests at the"
              + " gateway (a million), members (one of Cognito and month), tokens (a request a"
              + " second to sign in or refresh above Cognito's default, and month)."
              + " Defaults: "
              + Prices.SOURCE)
  private Map<String, Double> prices = Map.of();

  /**
   * Returns the plan for the options.
   *
   * @throws IllegalArgumentException naming an option that is outside its limits
   */
  public PlanReport report() {
    return PlanReport.of(inputs(), prices());
  }

  PlanInputs inputs() {
    require(users >= 2 && users <= MOST_USERS, "--users must be 2 to 10 000 000 000");
    long registered = accounts == null ? users : accounts;
    require(
        registered >= users && registered <= MOST_USERS,
        "--accounts must be at least --users and at most 10 000 000 000");
    double reading = daily == null ? users * DAILY_SHARE : daily;
    require(reading > 0 && reading <= users, "--daily must be more than 0 and at most --users");
    require(follows >= 1 && follows < registered, "--follows must be 1 or more, below --accounts");
    require(exponent > 2 && exponent <= 4, "--exponent must be more than 2 and at most 4");
    require(
        mostFollowed > 0 && mostFollowed <= 1, "--most-followed must be more than 0 and at most 1");
    require(tags >= 0 && tags <= 10, "--tags must be 0 to 10");
    require(peak >= 1 && peak <= 100, "--peak must be 1 to 100");
    require(threshold >= 1, "--celebrity-threshold must be 1 or more");
    require(months > 0 && months <= 240, "--months must be more than 0 and at most 240");
    require(idLength >= 1 && idLength <= 128, "--id-length must be 1 to 128");
    require(
        serverRequests >= 1 && serverRequests <= 100_000,
        "--requests-of-a-server must be 1 to 100 000");
    return new PlanInputs(
        users,
        registered,
        reading,
        follows,
        exponent,
        mostFollowed,
        new PlanInputs.Daily(
            rate("--pages", pages),
            rate("--hours", hours),
            rate("--posts", posts),
            rate("--likes", likes),
            rate("--comments", comments),
            rate("--new-follows", newFollows),
            rate("--unfollows", unfollows),
            rate("--views", views),
            rate("--profiles", profiles),
            rate("--lists", lists),
            rate("--unread-counts", unreadCounts),
            rate("--notifications", notifications),
            rate("--read-all", readAll)),
        tags,
        peak,
        threshold,
        months,
        idLength,
        serverRequests);
  }

  private Prices prices() {
    var replaced = new EnumMap<Price, Double>(Price.class);
    prices.forEach(
        (name, dollars) -> {
          require(dollars >= 0, "--price " + name + " must be 0 or more");
          replaced.put(named(name), dollars);
        });
    return new Prices(replaced);
  }

  private static Price named(String name) {
    for (var price : Price.values()) {
      if (price.label().equals(name.toLowerCase(Locale.ROOT))) {
        return price;
      }
    }
    throw new IllegalArgumentException(
        "--price has no name "
            + name
            + "; it may be "
            + Arrays.stream(Price.values()).map(Price::label).collect(Collectors.joining(", ")));
  }

  private static double rate(String option, double aDay) {
    require(aDay >= 0 && aDay <= MOST_A_DAY, option + " must be 0 to 10 000");
    return aDay;
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }
}
