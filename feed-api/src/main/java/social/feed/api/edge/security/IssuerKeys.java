package social.feed.api.edge.security;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.proc.SecurityContext;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Where the keys come from, whether that answered when it was last asked, and what it said. */
final class IssuerKeys implements JWKSetSource<SecurityContext> {
  private static final JWKSet NOTHING = new JWKSet();

  private final JWKSetSource<SecurityContext> source;
  private final Duration kept;
  private final InstantSource clock;
  private volatile boolean isThere = true;
  private volatile @Nullable Said last;

  private record Said(JWKSet keys, Instant at) {}

  /**
   * @param kept for how long it is remembered what was said
   */
  IssuerKeys(JWKSetSource<SecurityContext> source, Duration kept, InstantSource clock) {
    this.source = source;
    this.kept = kept;
    this.clock = clock;
  }

  @Override
  public JWKSet getJWKSet(
      JWKSetCacheRefreshEvaluator evaluator, long currentTime, @Nullable SecurityContext context)
      throws KeySourceException {
    try {
      JWKSet keys = source.getJWKSet(evaluator, currentTime, context);
      last = new Said(keys, clock.instant());
      isThere = true;
      return keys;
    } catch (KeySourceException e) {
      isThere = false;
      throw e;
    }
  }

  /** Whether the keys could be read when it was last tried. */
  boolean isThere() {
    return isThere;
  }

  /** The keys that were read last, none where that was too long ago. */
  JWKSet known() {
    Said said = last;
    return said == null || said.at.plus(kept).isBefore(clock.instant()) ? NOTHING : said.keys;
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
