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

/** The source of the issuer's keys, with its last keys and whether its last read succeeded. */
final class IssuerKeys implements JWKSetSource<SecurityContext> {
  private static final JWKSet NO_KEYS = new JWKSet();

  private final JWKSetSource<SecurityContext> source;
  private final Duration kept;
  private final InstantSource clock;
  private volatile boolean isAvailable = true;
  private volatile @Nullable LastRead last;

  /**
   * @param at when it began, so that the keys are at most as old
   */
  private record LastRead(JWKSet keys, Instant at) {}

  /**
   * @param kept how long the last keys stay valid
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
    Instant begun = clock.instant();
    try {
      JWKSet keys = source.getJWKSet(evaluator, currentTime, context);
      last = new LastRead(keys, begun);
      isAvailable = true;
      return keys;
    } catch (KeySourceException e) {
      isAvailable = false;
      throw e;
    }
  }

  /** Returns whether the last read of the keys succeeded. */
  boolean isAvailable() {
    return isAvailable;
  }

  /** Returns the keys of the last successful read; none where it is too long ago. */
  JWKSet known() {
    return knownFor(kept);
  }

  /** As {@link #known}, but none where the last read is longer ago than this. */
  JWKSet knownFor(Duration longest) {
    LastRead read = last;
    return read == null || read.at.plus(longest).isBefore(clock.instant()) ? NO_KEYS : read.keys;
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
