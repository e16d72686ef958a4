package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.table.media.MediaBucket;

/** The bucket of media, and who may do what with it. */
class MediaBucketTest {
  private static final String APP = "https://app.example.com";

  private static Synthesized media(Stage stage, ApiKind api) throws IOException {
    return Synthesized.of(
        "media-%s-%s".formatted(stage.label(), api.label()),
        stage,
        ApiInputs.API,
        api.label(),
        MediaKind.MEDIA,
        MediaKind.S3.label(),
        ApiInputs.CORS_ORIGINS,
        APP);
  }

  private static JsonNode bucket(Synthesized stacks) {
    return stacks.all("data", "AWS::S3::Bucket").stream()
        .filter(bucket -> bucket.has("OwnershipControls"))
        .findAny()
        .orElseThrow();
  }

  @ParameterizedTest
  @EnumSource(Stage.class)
  void stages_haveNoImagesByDefault(Stage stage) {
    for (var part : Synthesized.of(stage).parts()) {
      assertThat(Synthesized.of(stage).json(part).toString())
          .doesNotContain("FEED_MEDIA", "media-bucket");
    }
    assertThat(ofBucket(Synthesized.of(Stage.DEV))).isEmpty();
  }

  /** A second bucket would lack the images, and removals and erasures would find nothing there. */
  @Test
  void bucketOfProduction_isTheSame_whetherImagesAreOnOrOff() {
    var on = Synthesized.of("media-on", Stage.PROD, MediaKind.MEDIA, MediaKind.S3.label());
    var off = Synthesized.of(Stage.PROD);

    assertThat(ofBucket(off)).hasSize(2).isEqualTo(ofBucket(on));
    assertThat(off.json("data").at("/Outputs/MediaName"))
        .isEqualTo(on.json("data").at("/Outputs/MediaName"));
  }

  /** Returns the bucket and its policy by their ids. */
  private static Map<String, JsonNode> ofBucket(Synthesized stacks) {
    return stacks.json("data").required("Resources").properties().stream()
        .filter(resource -> resource.getKey().matches("Media(Policy)?[0-9A-F]{8}"))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  @ParameterizedTest
  @EnumSource(Stage.class)
  void bucket_isPrivateAndEncrypted(Stage stage) throws IOException {
    var stacks = media(stage, ApiKind.FUNCTION);
    var bucket = bucket(stacks);

    assertThat(bucket.required("PublicAccessBlockConfiguration"))
        .hasSize(4)
        .allMatch(JsonNode::booleanValue);
    assertThat(bucket.required("OwnershipControls").toString()).contains("BucketOwnerEnforced");
    assertThat(bucket.required("BucketEncryption").toString()).contains("AES256");
    assertThat(bucket.has("WebsiteConfiguration")).isFalse();
    assertThat(bucket.has("VersioningConfiguration")).as("a deleted image is gone").isFalse();
  }

  /** What no one completes ends by itself, and nothing else does. */
  @Test
  void lifecycle_endsUncheckedUploadsAndPartsOnly() throws IOException {
    var rules = bucket(media(Stage.PROD, ApiKind.SERVICE)).at("/LifecycleConfiguration/Rules");

    assertThat(rules).hasSize(2);
    assertThat(rules.get(0).required("Prefix").textValue()).isEqualTo(MediaBucket.UPLOADS);
    assertThat(rules.get(0).required("ExpirationInDays").intValue()).isEqualTo(1);
    assertThat(rules.get(1).has("ExpirationInDays")).isFalse();
    assertThat(rules.get(1).at("/AbortIncompleteMultipartUpload/DaysAfterInitiation").intValue())
        .isEqualTo(1);
    assertThat(rules).allMatch(rule -> rule.required("Status").textValue().equals("Enabled"));
  }

  @Test
  void bucketPolicy_refusesPlainHttpAndOldTls_andAllowsNothing() throws IOException {
    var stacks = media(Stage.DEV, ApiKind.FUNCTION);
    var statements =
        stacks.all("data", "AWS::S3::BucketPolicy").stream()
            .filter(policy -> policy.at("/Bucket/Ref").asText().startsWith("Media"))
            .findAny()
            .orElseThrow()
            .at("/PolicyDocument/Statement");

    assertThat(statements)
        .isNotEmpty()
        .allMatch(statement -> statement.required("Effect").textValue().equals("Deny"));
    assertThat(statements.toString()).contains("aws:SecureTransport", "s3:TlsVersion");
  }

  @Test
  void cors_allowsTheAppsToSendAndToGet() throws IOException {
    var rule = bucket(media(Stage.DEV, ApiKind.FUNCTION)).at("/CorsConfiguration/CorsRules/0");

    assertThat(rule.required("AllowedOrigins").toString()).isEqualTo("[\"" + APP + "\"]");
    assertThat(rule.required("AllowedMethods").toString()).isEqualTo("[\"GET\",\"HEAD\",\"PUT\"]");
    assertThat(rule.required("AllowedHeaders").toString())
        .isEqualTo("[\"content-type\",\"x-amz-checksum-sha256\"]");
    var without = Synthesized.of("media-alone", Stage.DEV, MediaKind.MEDIA, MediaKind.S3.label());
    assertThat(bucket(without).has("CorsConfiguration")).isFalse();
  }

  private static Stream<JsonNode> alarms(Synthesized stacks) {
    return stacks.all("watch", "AWS::CloudWatch::Alarm").stream()
        .filter(alarm -> alarm.path("MetricName").asText().equals("StuckRemovals"));
  }

  /** Attempts are ten hours apart, so a shorter period would have none. */
  @ParameterizedTest
  @EnumSource(Stage.class)
  void alarm_goesOffWhereTheBucketKeepsRefusing(Stage stage) throws IOException {
    assertThat(alarms(media(stage, ApiKind.FUNCTION)))
        .singleElement()
        .satisfies(
            alarm -> {
              assertThat(alarm.required("Namespace").textValue()).isEqualTo("Feed");
              assertThat(alarm.required("Dimensions"))
                  .extracting(dimension -> dimension.required("Name").textValue())
                  .containsExactlyInAnyOrder("Table", "Lane");
              assertThat(alarm.required("Dimensions").toString()).contains("\"effects\"");
              assertThat(alarm.required("Period").intValue()).isEqualTo(86_400);
              assertThat(alarm.required("EvaluationPeriods").intValue()).isEqualTo(1);
              assertThat(alarm.required("Threshold").intValue()).isEqualTo(1);
              assertThat(alarm.required("TreatMissingData").textValue()).isEqualTo("notBreaching");
              assertThat(alarm.required("AlarmDescription").textValue())
                  .endsWith("See docs/operations.md#alarm-of-images.");
            });
    assertThat(alarms(Synthesized.of(stage))).isEmpty();
    assertThat(Files.readString(Path.of("..", "..", "docs", "operations.md")))
        .contains("### Alarm of images\n", "| `StuckRemovals` |");
  }

  private static Stream<JsonNode> statements(Synthesized stacks, String part) {
    return Stream.of("AWS::IAM::ManagedPolicy", "AWS::IAM::Policy")
        .flatMap(type -> stacks.all(part, type).stream())
        .flatMap(
            policy ->
                StreamSupport.stream(policy.at("/PolicyDocument/Statement").spliterator(), false))
        .filter(statement -> statement.toString().contains("mediabucket"));
  }

  private static List<String> actions(JsonNode statement) {
    var actions = statement.required("Action");
    return actions.getNodeType() == JsonNodeType.STRING
        ? List.of(actions.textValue())
        : StreamSupport.stream(actions.spliterator(), false).map(JsonNode::textValue).toList();
  }

  private static TreeSet<String> actions(Synthesized stacks, String part) {
    var all = new TreeSet<String>();
    statements(stacks, part).forEach(statement -> all.addAll(actions(statement)));
    return all;
  }

  @ParameterizedTest
  @EnumSource(ApiKind.class)
  void rights_areThoseOfEachPart_onItsObjectsOnly(ApiKind api) throws IOException {
    var stacks = media(Stage.PROD, api);

    assertThat(actions(stacks, "api"))
        .containsExactly("s3:DeleteObject", "s3:GetObject", "s3:ListBucket", "s3:PutObject");
    assertThat(actions(stacks, "stream")).containsExactly("s3:DeleteObject", "s3:ListBucket");
    assertThat(actions(stacks, "watch")).isEmpty();
    for (var part : List.of("api", "stream")) {
      assertThat(statements(stacks, part))
          .allSatisfy(
              statement ->
                  assertThat(statement.required("Resource").toString())
                      .as("%s", statement)
                      .matches(
                          statement.toString().contains("ListBucket")
                              ? ".*arn:\"[^/*]*"
                              : ".*/media/\\*.*/uploads/\\*.*"));
    }
  }

  @ParameterizedTest
  @EnumSource(ApiKind.class)
  void bucket_isTheSameForApiAndBothLanes(ApiKind api) throws IOException {
    var stacks = media(Stage.DEV, api);
    var ofLanes = stacks.all("stream", "AWS::Lambda::Function");

    assertThat(ofLanes).hasSize(2);
    assertThat(ofLanes)
        .extracting(lane -> lane.at("/Environment/Variables/FEED_MEDIA_BUCKET/Ref").asText())
        .allMatch(ref -> ref.contains("mediabucket"));
    assertThat(stacks.json("api").toString()).contains("FEED_MEDIA_BUCKET", "mediabucket");
  }

  @ParameterizedTest
  @ValueSource(strings = {"folder", "S3", "true"})
  void otherKind_isRejectedWithTheValidOnes(String kind) {
    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(() -> StandIns.inputs(Stage.DEV, MediaKind.MEDIA, kind))
        .withMessage("media must be one of none, s3, not " + kind);
  }
}
