package social.feed.infra;

import java.util.regex.Pattern;
import software.amazon.awscdk.services.apigatewayv2.ThrottleSettings;

/**
 * The requests a second that the gateway in front of tasks passes, of all callers together. It
 * refuses more with 429. The account has a quota for all of its gateways in the region, which this
 * number does not raise.
 *
 * @param requests a second on average
 */
record GatewayRate(int requests) {
  static final String GATEWAY_REQUESTS = "gatewayRequests";

  /** What an account has by default in most regions. */
  static final GatewayRate OF_AN_ACCOUNT = new GatewayRate(10_000);

  private static final Pattern FORM = Pattern.compile("[1-9]\\d{0,6}");

  /** The part of a second's requests that AWS lets pass at once. */
  private static final int PART_AT_ONCE = 2;

  /**
   * Returns the rate with this number.
   *
   * @throws MissingInputException if it is no whole number of one to ten million
   */
  static GatewayRate of(String requests) {
    if (!FORM.matcher(requests).matches()) {
      throw new MissingInputException(
          "%s must be a whole number of requests a second, 1 to 9999999, not %s"
              .formatted(GATEWAY_REQUESTS, requests));
    }
    return new GatewayRate(Integer.parseInt(requests));
  }

  /**
   * @throws MissingInputException for an API that runs as a function, whose gateway has the limit
   *     of its stage
   */
  void require(ApiKind api) {
    if (api == ApiKind.FUNCTION) {
      throw new MissingInputException(
          "%s is for %s=%s, and the API runs as a %s"
              .formatted(GATEWAY_REQUESTS, ApiInputs.API, ApiKind.SERVICE.label(), api.label()));
    }
  }

  /** Returns the limits of the gateway, with the burst that AWS gives an account of this rate. */
  ThrottleSettings limits() {
    return ThrottleSettings.builder()
        .rateLimit(requests)
        .burstLimit(Math.ceilDiv(requests, PART_AT_ONCE))
        .build();
  }
}
