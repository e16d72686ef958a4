package social.feed.infra;

import java.util.List;
import software.amazon.awscdk.Aws;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.services.cognito.AccountRecovery;
import software.amazon.awscdk.services.cognito.AuthFlow;
import software.amazon.awscdk.services.cognito.AutoVerifiedAttrs;
import software.amazon.awscdk.services.cognito.CognitoDomainOptions;
import software.amazon.awscdk.services.cognito.Mfa;
import software.amazon.awscdk.services.cognito.MfaSecondFactor;
import software.amazon.awscdk.services.cognito.OAuthFlows;
import software.amazon.awscdk.services.cognito.OAuthScope;
import software.amazon.awscdk.services.cognito.OAuthSettings;
import software.amazon.awscdk.services.cognito.PasswordPolicy;
import software.amazon.awscdk.services.cognito.ResourceServerScope;
import software.amazon.awscdk.services.cognito.SignInAliases;
import software.amazon.awscdk.services.cognito.UserPool;
import software.amazon.awscdk.services.cognito.UserPoolClient;
import software.amazon.awscdk.services.cognito.UserPoolDomain;
import software.amazon.awscdk.services.cognito.UserPoolDomainOptions;
import software.amazon.awscdk.services.cognito.UserPoolEmail;
import software.amazon.awscdk.services.cognito.UserPoolResourceServerOptions;
import software.constructs.Construct;

/**
 * The user pool in which members sign up and sign in. The subject of their tokens is their user id
 * in the table. Operators are no members: a client of their own gets their tokens.
 */
final class UserPoolResource extends Construct {
  private static final int PASSWORD_MIN = 12;

  /**
   * The scope of access tokens from a sign-in with a password. Both gateways require it of members,
   * so that both accept the same tokens. Without it, one accepts any token of the client, and the
   * other only id tokens.
   */
  static final String SCOPE = "aws.cognito.signin.user.admin";

  /** The resource server of the scope of operators, which Cognito writes in front of the scope. */
  private static final String SERVER = "feed";

  private static final String OPERATE = "operate";

  /** The scope of operators, as access tokens of {@link #operators} have it. */
  static final String OPERATOR_SCOPE = SERVER + "/" + OPERATE;

  /** How long a token is valid. Each refresh counts for a quota of Cognito. */
  static final Duration ACCESS = Duration.hours(1);

  private static final Duration REFRESH = Duration.days(30);

  private final UserPool pool;
  private final UserPoolClient client;
  private final UserPoolClient operators;
  private final UserPoolDomain domain;

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
    this.operators = operators();
    // Unique in a region, for all accounts.
    this.domain =
        pool.addDomain(
            "Domain",
            UserPoolDomainOptions.builder()
                .cognitoDomain(
                    CognitoDomainOptions.builder()
                        .domainPrefix("feed-%s-%s".formatted(stage.label(), Aws.ACCOUNT_ID))
                        .build())
                .build());
  }

  /**
   * Creates the client of operators. It has no members: who knows its secret is an operator. Its
   * tokens have the scope of operators and no other, and no other client can have that scope.
   */
  private UserPoolClient operators() {
    var operate =
        ResourceServerScope.Builder.create()
            .scopeName(OPERATE)
            .scopeDescription("Use the routes of operators")
            .build();
    var server =
        pool.addResourceServer(
            "Operate",
            UserPoolResourceServerOptions.builder()
                .identifier(SERVER)
                .scopes(List.of(operate))
                .build());
    return UserPoolClient.Builder.create(this, "Operators")
        .userPool(pool)
        // Without a flow Cognito allows its defaults, by which members sign in.
        .authFlows(AuthFlow.builder().userSrp(false).build())
        .oAuth(
            OAuthSettings.builder()
                .flows(OAuthFlows.builder().clientCredentials(true).build())
                .scopes(List.of(OAuthScope.resourceServer(server, operate)))
                .build())
        .generateSecret(true)
        .preventUserExistenceErrors(true)
        .accessTokenValidity(ACCESS)
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

  /** Returns the {@code client_id} of operators' tokens. */
  String operatorAudience() {
    return operators.getUserPoolClientId();
  }

  /** Returns the address at which the client of operators gets its tokens. */
  String tokenUrl() {
    return domain.baseUrl() + "/oauth2/token";
  }

  /** Returns the audiences as the list that a gateway requires. */
  List<String> audiences() {
    return List.of(audience(), operatorAudience());
  }

  /**
   * Returns the scopes of which a gateway requires one. It passes both kinds of tokens on to all
   * routes, and the API refuses members the routes of operators, and operators the others.
   */
  static List<String> scopes() {
    return List.of(SCOPE, OPERATOR_SCOPE);
  }
}
