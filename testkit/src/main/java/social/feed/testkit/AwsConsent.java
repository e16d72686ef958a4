package social.feed.testkit;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The account and region in which tests may create tables and spend money, as confirmed on the
 * command line.
 */
record AwsConsent(String account, String region) {
  private static final Pattern WORDS = Pattern.compile("(\\d{12})/([a-z]{2}(-[a-z]+)+-\\d)");

  /**
   * Parses a confirmation such as {@code 123456789012/eu-central-1}.
   *
   * @param words the value of the property; null or any other format is not a confirmation
   * @throws IllegalStateException without a valid confirmation
   */
  static AwsConsent given(@Nullable String words) {
    var matcher = WORDS.matcher(words == null ? "" : words);
    if (!matcher.matches()) {
      throw new IllegalStateException(
          "Tests on AWS create tables in an account and cost money, so they need a confirmation."
              + " Set -Dfeed.aws.confirm=ACCOUNT/REGION, for example 123456789012/eu-central-1."
              + " `aws sts get-caller-identity` prints the account of the current credentials.");
    }
    return new AwsConsent(matcher.group(1), matcher.group(2));
  }

  /**
   * Checks the account of the credentials.
   *
   * @throws IllegalStateException if the credentials belong to another account
   */
  void requireFor(String actual) {
    if (!actual.equals(account)) {
      throw new IllegalStateException(
          "The tests are confirmed for the account "
              + account
              + ", but the credentials belong to "
              + actual
              + ". Nothing was changed there.");
    }
  }
}
