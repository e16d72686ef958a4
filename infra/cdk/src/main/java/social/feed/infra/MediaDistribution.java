package social.feed.infra;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import social.feed.table.media.MediaBucket;
import software.amazon.awscdk.CfnOutput;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.services.cloudfront.AllowedMethods;
import software.amazon.awscdk.services.cloudfront.BehaviorOptions;
import software.amazon.awscdk.services.cloudfront.CachePolicy;
import software.amazon.awscdk.services.cloudfront.Distribution;
import software.amazon.awscdk.services.cloudfront.HttpVersion;
import software.amazon.awscdk.services.cloudfront.IKeyGroup;
import software.amazon.awscdk.services.cloudfront.IPublicKey;
import software.amazon.awscdk.services.cloudfront.KeyGroup;
import software.amazon.awscdk.services.cloudfront.PublicKey;
import software.amazon.awscdk.services.cloudfront.ResponseHeadersContentSecurityPolicy;
import software.amazon.awscdk.services.cloudfront.ResponseHeadersContentTypeOptions;
import software.amazon.awscdk.services.cloudfront.ResponseHeadersCorsBehavior;
import software.amazon.awscdk.services.cloudfront.ResponseHeadersPolicy;
import software.amazon.awscdk.services.cloudfront.ResponseHeadersStrictTransportSecurity;
import software.amazon.awscdk.services.cloudfront.ResponseSecurityHeadersBehavior;
import software.amazon.awscdk.services.cloudfront.S3OriginAccessControl;
import software.amazon.awscdk.services.cloudfront.ViewerProtocolPolicy;
import software.amazon.awscdk.services.cloudfront.origins.S3BucketOrigin;
import software.amazon.awscdk.services.cloudfront.origins.S3BucketOriginWithOACProps;
import software.amazon.awscdk.services.s3.Bucket;
import software.constructs.Construct;

/**
 * A distribution in front of the bucket of media, which stays private. It reads below {@code
 * media/} only, so unchecked uploads have no address there, and answers signed addresses only.
 */
final class MediaDistribution extends Construct {
  /**
   * How long an edge keeps an object, whatever the object says. A deleted image is gone from all
   * edges after this time, and until then has no other addresses than those given out before.
   */
  static final Duration CACHED = Duration.minutes(10);

  private static final Duration HTTPS_ONLY = Duration.days(365);

  /**
   * The scope of what has a name that is unique in the whole account. Such a name comes from the
   * path of its construct, so the region is a part of it: the same stage may be in two regions.
   */
  private final Construct region;

  MediaDistribution(Construct scope, Bucket media, Inputs inputs) {
    super(scope, "MediaDistribution");
    this.region = new Construct(this, inputs.region());
    var keys = keys(inputs.distribution());
    var distribution =
        Distribution.Builder.create(this, "Distribution")
            .comment("Images of feed " + inputs.stage().label())
            .httpVersion(HttpVersion.HTTP2_AND_3)
            .defaultBehavior(behavior(media, keys, inputs.api().apps()))
            .build();
    SsmParameter.MEDIA_DISTRIBUTION.publish(
        scope, inputs.stage(), distribution.getDistributionDomainName());
    SsmParameter.MEDIA_KEY.publish(scope, inputs.stage(), keys.getFirst().getPublicKeyId());
    CfnOutput.Builder.create(scope, "MediaDistributionId")
        .description("Distribution of images")
        .value(distribution.getDistributionId())
        .build();
  }

  /** A key has its own name, because CloudFront cannot change the content of one. */
  private List<IPublicKey> keys(DistributionInputs inputs) {
    var keys = new ArrayList<IPublicKey>();
    for (var key : inputs.publicKeys()) {
      var name = UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.US_ASCII)).toString();
      keys.add(
          PublicKey.Builder.create(region, "Key" + name.substring(0, 8))
              .comment("Addresses of images")
              .encodedKey(DistributionInputs.pem(key))
              .build());
    }
    return keys;
  }

  private BehaviorOptions behavior(Bucket media, List<IPublicKey> keys, BrowserApps apps) {
    IKeyGroup group =
        KeyGroup.Builder.create(region, "Keys").comment("Addresses of images").items(keys).build();
    return BehaviorOptions.builder()
        .origin(
            S3BucketOrigin.withOriginAccessControl(
                media,
                S3BucketOriginWithOACProps.builder()
                    .originAccessControl(
                        S3OriginAccessControl.Builder.create(region, "Access").build())
                    .originPath(
                        "/" + MediaBucket.FILES.substring(0, MediaBucket.FILES.length() - 1))
                    .build()))
        .allowedMethods(AllowedMethods.ALLOW_GET_HEAD)
        .cachePolicy(
            // The only one whose name has the region without a scope.
            CachePolicy.Builder.create(this, "Cache")
                .comment("Images, by their path alone")
                .minTtl(CACHED)
                .defaultTtl(CACHED)
                .maxTtl(CACHED)
                .build())
        .responseHeadersPolicy(headers(apps))
        .trustedKeyGroups(List.of(group))
        .viewerProtocolPolicy(ViewerProtocolPolicy.HTTPS_ONLY)
        .compress(false)
        .build();
  }

  private ResponseHeadersPolicy headers(BrowserApps apps) {
    var builder =
        ResponseHeadersPolicy.Builder.create(region, "Headers")
            .comment("Images are images and nothing else")
            .securityHeadersBehavior(
                ResponseSecurityHeadersBehavior.builder()
                    .contentTypeOptions(
                        ResponseHeadersContentTypeOptions.builder().override(true).build())
                    .contentSecurityPolicy(
                        ResponseHeadersContentSecurityPolicy.builder()
                            .contentSecurityPolicy("default-src 'none'; sandbox")
                            .override(true)
                            .build())
                    .strictTransportSecurity(
                        ResponseHeadersStrictTransportSecurity.builder()
                            .accessControlMaxAge(HTTPS_ONLY)
                            .override(true)
                            .build())
                    .build());
    if (apps.exist()) {
      builder.corsBehavior(
          ResponseHeadersCorsBehavior.builder()
              .accessControlAllowOrigins(apps.origins())
              .accessControlAllowMethods(List.of("GET", "HEAD"))
              .accessControlAllowHeaders(List.of("*"))
              .accessControlAllowCredentials(false)
              .originOverride(true)
              .build());
    }
    return builder.build();
  }

  /** Returns the variables of the API, which do not contain the private key. */
  static Map<String, String> variables(Construct scope, Inputs inputs) {
    return inputs.distribution().isOn()
        ? new TreeMap<>(
            Map.of(
                "FEED_MEDIA_DISTRIBUTION_URL",
                "https://" + SsmParameter.MEDIA_DISTRIBUTION.in(scope, inputs.stage()),
                "FEED_MEDIA_DISTRIBUTION_KEY_ID",
                SsmParameter.MEDIA_KEY.in(scope, inputs.stage())))
        : Map.of();
  }
}
