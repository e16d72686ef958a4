package social.feed.api.edge.security;

import io.micronaut.security.token.Claims;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** For whom a token is: for members, for operators only, or for another API. */
enum TokenAudience {
  /** Names an account, which may also be that of an operator. */
  MEMBER,
  /** Names no account, and has the scope of operators. */
  OPERATOR,
  /** Is not accepted. */
  OTHER;

  /** The claims of a token by their names. */
  @FunctionalInterface
  interface ByName {
    @Nullable Object claim(String name);
  }

  private static final String CLIENT = "client_id";
  private static final String SCOPE = "scope";

  /** Returns for whom a token with these claims is. */
  static TokenAudience of(ByName claims, AuthConfiguration configuration) {
    String members = configuration.audience();
    String operators = configuration.operatorAudience();
    if (members == null || has(claims, members)) {
      return MEMBER;
    }
    return operators != null && has(claims, operators) && isOperator(claims, configuration)
        ? OPERATOR
        : OTHER;
  }

  /** Cognito's access tokens have no audience, and name their client. */
  private static boolean has(ByName claims, String required) {
    Object audience = claims.claim(Claims.AUDIENCE);
    boolean contained =
        audience instanceof Collection<?> many
            ? many.contains(required)
            : required.equals(audience);
    return contained || required.equals(claims.claim(CLIENT));
  }

  /** The claim {@code scope} has the scopes, separated by spaces (RFC 9068). */
  static boolean isOperator(ByName claims, AuthConfiguration configuration) {
    return scopes(claims.claim(SCOPE)).contains(configuration.operatorScope());
  }

  private static Collection<?> scopes(@Nullable Object claim) {
    return switch (claim) {
      case String all -> List.of(all.split(" ", -1));
      case Collection<?> all -> all;
      case null, default -> List.of();
    };
  }
}
