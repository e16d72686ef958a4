package social.feed.api.edge.security;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;

/** Makes valid and invalid tokens of all kinds. */
public final class Tokens {
  static final String DEV_SECRET = "a-secret-of-the-tests-that-is-long-enough";

  private Tokens() {}

  static JWTClaimsSet.Builder claims(String subject) {
    return new JWTClaimsSet.Builder()
        .subject(subject)
        .expirationTime(Date.from(Instant.now().plus(Duration.ofMinutes(5))));
  }

  static String signed(JWTClaimsSet claims, JWSHeader header, JWSSigner signer)
      throws JOSEException {
    SignedJWT token = new SignedJWT(header, claims);
    token.sign(signer);
    return token.serialize();
  }

  public static String dev(JWTClaimsSet claims) throws JOSEException {
    return signed(claims, new JWSHeader(JWSAlgorithm.HS256), new MACSigner(DEV_SECRET));
  }
}
