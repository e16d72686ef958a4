package social.feed.infra;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import social.feed.table.media.MediaBucket;
import software.amazon.awscdk.ArnComponents;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.iam.PolicyStatement;
import software.constructs.Construct;

/**
 * The rights of a part of the platform on the bucket of media. A test compares them with the calls
 * in the code.
 *
 * @param onObjects IAM actions on the objects; those of the API also sign addresses
 */
record MediaAccess(List<String> onObjects) {
  /**
   * Has no condition on the prefix: S3 answers 404 for an absent object only to those who may list,
   * and the bucket holds nothing else.
   */
  static final String ON_BUCKET = "s3:ListBucket";

  static final MediaAccess OF_API =
      new MediaAccess(List.of("s3:DeleteObject", "s3:GetObject", "s3:PutObject"));

  static final MediaAccess OF_MULTIPLEXER = new MediaAccess(List.of("s3:DeleteObject"));

  /** Returns the policy statements for a role, none without a bucket. */
  List<PolicyStatement> statements(Construct scope, Inputs inputs) {
    if (inputs.media() == MediaKind.NONE) {
      return List.of();
    }
    var bucket =
        Stack.of(scope)
            .formatArn(
                ArnComponents.builder()
                    .service("s3")
                    .region("")
                    .account("")
                    .resource(bucket(scope, inputs))
                    .build());
    return List.of(
        TableAccess.allow(
            onObjects,
            Stream.of(MediaBucket.FILES, MediaBucket.UPLOADS)
                .map(prefix -> bucket + "/" + prefix + "*")
                .toList()),
        TableAccess.allow(List.of(ON_BUCKET), List.of(bucket)));
  }

  private static String bucket(Construct scope, Inputs inputs) {
    return SsmParameter.MEDIA_BUCKET.in(scope, inputs.stage());
  }

  /** Returns the variables of API and multiplexer, none without a bucket. */
  static Map<String, String> variables(Construct scope, Inputs inputs) {
    return inputs.media() == MediaKind.NONE
        ? Map.of()
        : new TreeMap<>(Map.of("FEED_MEDIA_BUCKET", bucket(scope, inputs)));
  }
}
