package social.feed.infra;

import java.util.regex.Pattern;
import software.amazon.awscdk.services.cognito.UserPoolEmail;
import software.amazon.awscdk.services.cognito.UserPoolSESOptions;

/**
 * The sender of the members' e-mails, by Amazon SES. Without one, Cognito sends them itself, and
 * some fifty a day at most.
 *
 * @param address the address of the sender; its domain is a verified identity of SES in the region
 *     of the stacks
 */
record MailSender(String address) {
  private static final Pattern ADDRESS =
      Pattern.compile("[^@\\s<>\"]{1,64}@([a-z0-9-]+\\.)+[a-z]{2,63}");

  /**
   * @throws MissingInputException if it is not an address
   */
  MailSender {
    if (!ADDRESS.matcher(address).matches()) {
      throw new MissingInputException(
          "%s must be an address such as no-reply@example.com, not '%s'"
              .formatted(Inputs.MAIL_FROM, address));
    }
  }

  /** Returns the domain, which is the identity in SES. */
  String domain() {
    return address.substring(address.indexOf('@') + 1);
  }

  /** Returns the setting of the user pool. */
  UserPoolEmail email(String region) {
    return UserPoolEmail.withSES(
        UserPoolSESOptions.builder()
            .fromEmail(address)
            .sesVerifiedDomain(domain())
            .sesRegion(region)
            .build());
  }
}
