package social.feed.ctl.load;

import java.util.EnumMap;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What accounts do in their sessions.
 *
 * @param weights how often each action is chosen, in proportion to the others
 * @param actions the average number of actions of a session after its beginning
 * @param accountSkew the exponent of the Zipf distribution of accounts: 0 is uniform
 * @param postSkew the exponent of the Zipf distribution of an author's posts, the newest first
 */
public record Mix(
    Map<Action, Double> weights, double actions, double accountSkew, double postSkew) {
  private static final String ACTIONS = "actions";
  private static final String ACCOUNT_SKEW = "account-skew";
  private static final String POST_SKEW = "post-skew";
  private static final double MAX_WEIGHT = 1_000_000;
  private static final double MAX_ACTIONS = 100;
  private static final double MAX_SKEW = 3;

  public Mix {
    weights = Map.copyOf(weights);
    if (weights.values().stream().mapToDouble(Double::doubleValue).sum() == 0) {
      throw new IllegalArgumentException("At least one weight of the mix must be more than 0");
    }
  }

  /** Returns the weights of {@link Action}, eight actions a session and moderate skew. */
  public static Mix standard() {
    return of(new Properties());
  }

  /**
   * Returns the standard mix with other values.
   *
   * @param changes values by the key of an action, or by {@code actions}, {@code account-skew} and
   *     {@code post-skew}
   * @throws IllegalArgumentException for an unknown key or a value out of bounds, which it names
   */
  public static Mix of(Properties changes) {
    var weights = new EnumMap<Action, Double>(Action.class);
    var left = new Properties();
    left.putAll(changes);
    for (var action : Action.values()) {
      if (!action.opensASession()) {
        weights.put(action, number(left, action.key(), action.weight(), MAX_WEIGHT));
      }
    }
    double actions = number(left, ACTIONS, 8, MAX_ACTIONS);
    double accountSkew = number(left, ACCOUNT_SKEW, 0.8, MAX_SKEW);
    double postSkew = number(left, POST_SKEW, 1.0, MAX_SKEW);
    if (!left.isEmpty()) {
      throw new IllegalArgumentException(
          "The mix has no %s. It has %s"
              .formatted(
                  left.stringPropertyNames().stream().sorted().collect(Collectors.joining(", ")),
                  Stream.concat(
                          weights.keySet().stream().map(Action::key),
                          Stream.of(ACTIONS, ACCOUNT_SKEW, POST_SKEW))
                      .collect(Collectors.joining(", "))));
    }
    return new Mix(weights, actions, accountSkew, postSkew);
  }

  private static double number(Properties left, String key, double standard, double max) {
    var text = left.getProperty(key);
    left.remove(key);
    if (text == null) {
      return standard;
    }
    try {
      double value = Double.parseDouble(text.strip());
      if (value >= 0 && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Reported below, like a number out of bounds.
    }
    throw new IllegalArgumentException("%s must be 0 to %,.0f, not %s".formatted(key, max, text));
  }
}
