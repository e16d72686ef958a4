package social.feed.infra;

import java.util.List;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.services.cognito.AccountRecovery;
import software.amazon.awscdk.services.cognito.AuthFlow;
import software.amazon.awscdk.services.cognito.AutoVerifiedAttrs;
import software.amazon.awscdk.services.cognito.Mfa;
import software.amazon.awscdk.services.cognito.MfaSecondFactor;
import software.amazon.awscdk.services.cognito.PasswordPolicy;
import software.amazon.awscdk.services.cognito.SignInAliases;
import software.amazon.awscdk.services.cognito.UserPool;
import software.amazon.awscdk.services.cognito.UserPoolClient;
import software.amazon.awscdk.services.cognito.UserPoolEmail;
import software.constructs.Construct;

/**
 * The user pool in which members sign up and sign in. The subject of their tokens is their user id
 * in the table.
 */
final class UserPoolResource extends Construct {
  private static final int PASSWORD_MIN = 12;

  /**
   * The scope of access tokens from a sign-in with a password. Both gateways require it, so that
   * both accept the same tokens. Without it, one accepts any token of the client, and the other
   * only id tokens.
   */
  static final String SCOPE = "aws.cognito.signin.user.admin";

  private static final Duration ACCESS = Duration.hours(1);
  private static final Duration REFRESH = Duration.days(30);

  private final UserPool pool;
  private final UserPoolClient client;

  UserPoolResource(Construct scope, Inputs inputs) {
    super(scope, "Members");
    var stage = inputs.stage();
    this.pool =
        UserPool.Builder.create(this, "Pool")
            .selfSignUpEnabled(true)
            .signInAliases(SignInAliases.builder().email(true).build())
            .signInCaseSensitive(false)
            .autoVerify(AutoVerifiedAttrs.builder().email(true).build())
            .accountRecovery(AccountRecovery.EMAIL_ONLY)
            .passwordPolicy(
                PasswordPolicy.builder()
                    .minLength(PASSWORD_MIN)
                    .requireLowercase(true)
                    .requireUppercase(true)
                    .requireDigits(true)
                    .requireSymbols(true)
                    .build())
            .mfa(Mfa.OPTIONAL)
            .mfaSecondFactor(MfaSecondFactor.builder().otp(true).sms(false).build())
            .deletionProtection(stage == Stage.PROD)
            .removalPolicy(stage.removalOfProtected())
            .email(
                inputs
                    .mailSender()
                    .map(sender -> sender.email(inputs.region()))
                    .orElseGet(UserPoolEmail::withCognito))
            .build();
    this.client =
        UserPoolClient.Builder.create(this, "Client")
            .userPool(pool)
            .authFlows(
                AuthFlow.builder().userSrp(true).adminUserPassword(stage.operatorsSignIn()).build())
            .disableOAuth(true)
            .generateSecret(false)
            .preventUserExistenceErrors(true)
            .enableTokenRevocation(true)
            .accessTokenValidity(ACCESS)
            .idTokenValidity(ACCESS)
            .refreshTokenValidity(REFRESH)
            .build();
  }

  UserPool pool() {
    return pool;
  }

  /** Returns the {@code iss} of the members' tokens. */
  String issuer() {
    return pool.getUserPoolProviderUrl();
  }

  /** Returns the address of the keys that sign the tokens. */
  String keys() {
    return issuer() + "/.well-known/jwks.json";
  }

  /**
   * Returns the {@code aud} of an id token, which is also the {@code client_id} of an access token.
   */
  String audience() {
    return client.getUserPoolClientId();
  }

  /** Returns the audience as the list that a gateway requires. */
  List<String> audiences() {
    return List.of(audience());
  }
}
