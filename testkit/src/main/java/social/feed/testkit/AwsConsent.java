package social.feed.testkit;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where somebody has said that tests may make tables and spend money. */
record AwsConsent(String account, String region) {
  private static final Pattern WORDS = Pattern.compile("(\\d{12})/([a-z]{2}(-[a-z]+)+-\\d)");

  /**
   * @param words such as {@code 123456789012/eu-central-1}
   * @throws IllegalStateException when there are none, or others
   */
  static AwsConsent given(@Nullable String words) {
    var matcher = WORDS.matcher(words == null ? "" : words);
    if (!matcher.matches()) {
      throw new IllegalStateException(
          "Tests on AWS make tables in an account and cost money, so they run only where"
              + " -Dfeed.aws.confirm=ACCOUNT/REGION says where, as in 123456789012/eu-central-1."
              + " `aws sts get-caller-identity` tells the account of the credentials in use.");
    }
    return new AwsConsent(matcher.group(1), matcher.group(2));
  }

  /**
   * @throws IllegalStateException when the credentials belong to another account
   */
  void requireFor(String actual) {
    if (!actual.equals(account)) {
      throw new IllegalStateException(
          "Tests may run in the account "
              + account
              + ", and the credentials belong to "
              + actual
              + ". Nothing was done there.");
    }
  }
}
