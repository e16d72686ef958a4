package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The distribution in front of the bucket of media: who gets what from where. */
class MediaDistributionTest {
  static final String SECRET =
      "arn:aws:secretsmanager:eu-central-1:123456789012:secret:feed-images-AbCdEf";

  /** Public keys, of which no one has the private half. */
  static final String RSA =
      "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAxQxwYQpuoQ/yEvwkk+OMORNnMVeOEr607/coYCCMbFub"
          + "F5KzfnWtCVY34sp8ngLcGTIzyq5Yy2Z9CrrgOju8O18OJWkiRPiInm6WxSLP54ZkEnnwfbhWiTCw4LembUjGH+sN"
          + "qZTiscPmH/On2BN5ntcBRQy7Dw2/S6MeJf0uO30vGoPiNg0UZNISXVYZv6kaClJSuVV/K7pco8g1gdLFO5Gqfvwl"
          + "WwwnHv3PpovxBoP+4AiJzPPm+tap8i8yKRwrSTOm4LgX+NgIA/9ToX5hBdAW/Z7fpwlmr9EnCc3VL2lkfqY4wLqb"
          + "pX03NG14UIMXdFeYu4+er8VEEVu+nr49vQIDAQAB";

  private static final String EC =
      "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEfyT4E6iR1o6xjheLqRUdsJ7hoqZlwwcsH+hmhRbaxHrJxlj5qufp"
          + "/8xlyR45PwSDiPftB0oxtLRd6KWY/UDDTw==";

  private static final String SHORT =
      "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC4aWlV+ocggRh0r7CfDEL3/aztZQKP3OIBI3cqqjhOjS0MLW/L"
          + "b415fTZXVYIAle/THxlbSVLkuNVwQSJtUhu3rbY59E9MUfDus8X4jCLZzcKp8iKity0qEEbsJItEXtBxz7nTmcIT"
          + "RCGHOn+kzY4W3kLAV0MIEHVKHkecwyNeNQIDAQAB";

  private static final String APP = "https://app.example.com";

  /** Returns the inputs of a distribution, with further ones. */
  static String[] inputs(String keys, String... more) {
    var distribution =
        List.of(
            MediaKind.MEDIA,
            MediaKind.S3.label(),
            DistributionInputs.DISTRIBUTION,
            DistributionInputs.CLOUDFRONT,
            DistributionInputs.PUBLIC_KEYS,
            keys,
            DistributionInputs.KEY_SECRET,
            SECRET);
    return Stream.concat(distribution.stream(), Arrays.stream(more)).toArray(String[]::new);
  }

  static Synthesized stacks(Stage stage, ApiKind api) throws IOException {
    return Synthesized.of(
        "distribution-%s-%s".formatted(stage.label(), api.label()),
        stage,
        inputs(RSA + "," + EC, ApiInputs.API, api.label(), ApiInputs.CORS_ORIGINS, APP));
  }

  @Test
  void stages_haveNoDistributionByDefault() throws IOException {
    var media = Synthesized.of("media-plain", Stage.DEV, MediaKind.MEDIA, MediaKind.S3.label());
    for (var stacks : List.of(Synthesized.of(Stage.DEV), Synthesized.of(Stage.PROD), media)) {
      for (var part : stacks.parts()) {
        assertThat(stacks.json(part).toString())
            .doesNotContain("AWS::CloudFront", "FEED_MEDIA_DISTRIBUTION");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Stage.class)
  void distribution_answersSignedAddressesOverHttpsOnly(Stage stage) throws IOException {
    var stacks = stacks(stage, ApiKind.SERVICE);
    var config = stacks.only("data", "AWS::CloudFront::Distribution").at("/DistributionConfig");
    var behavior = config.required("DefaultCacheBehavior");

    assertThat(config.has("CacheBehaviors")).as("none has other rules").isFalse();
    assertThat(config.required("Enabled").booleanValue()).isTrue();
    assertThat(behavior.required("TrustedKeyGroups")).hasSize(1);
    assertThat(behavior.required("ViewerProtocolPolicy").textValue()).isEqualTo("https-only");
    assertThat(behavior.required("AllowedMethods").toString()).isEqualTo("[\"GET\",\"HEAD\"]");
    assertThat(stacks.only("data", "AWS::CloudFront::KeyGroup").at("/KeyGroupConfig/Items"))
        .hasSize(2);
    assertThat(stacks.all("data", "AWS::CloudFront::PublicKey"))
        .extracting(key -> key.at("/PublicKeyConfig/EncodedKey").asText())
        .containsExactlyInAnyOrder(DistributionInputs.pem(RSA), DistributionInputs.pem(EC));
  }

  /** Unchecked uploads have no address in the distribution. */
  @Test
  void origin_isThePrefixOfCheckedFiles_readByTheDistributionAlone() throws IOException {
    var stacks = stacks(Stage.PROD, ApiKind.FUNCTION);
    var origins =
        stacks.only("data", "AWS::CloudFront::Distribution").at("/DistributionConfig/Origins");
    var access =
        stacks
            .only("data", "AWS::CloudFront::OriginAccessControl")
            .at("/OriginAccessControlConfig");

    assertThat(origins).hasSize(1);
    assertThat(origins.get(0).required("OriginPath").textValue()).isEqualTo("/media");
    assertThat(origins.get(0).has("OriginAccessControlId")).isTrue();
    assertThat(access.required("SigningBehavior").textValue()).isEqualTo("always");
    assertThat(access.required("SigningProtocol").textValue()).isEqualTo("sigv4");
    var allowed = new ArrayList<JsonNode>();
    stacks.all("data", "AWS::S3::BucketPolicy").stream()
        .filter(policy -> policy.at("/Bucket/Ref").asText().startsWith("Media"))
        .forEach(policy -> policy.at("/PolicyDocument/Statement").forEach(allowed::add));
    allowed.removeIf(statement -> statement.required("Effect").textValue().equals("Deny"));
    assertThat(allowed).hasSize(1);
    assertThat(allowed.getFirst().required("Action").textValue()).isEqualTo("s3:GetObject");
    assertThat(allowed.getFirst().required("Principal").toString())
        .isEqualTo("{\"Service\":\"cloudfront.amazonaws.com\"}");
    assertThat(allowed.getFirst().at("/Condition/StringEquals/AWS:SourceArn").toString())
        .contains("distribution/", "MediaDistribution");
    assertThat(allowed.getFirst().required("Condition")).hasSize(1);
  }

  /** Objects ask not to be kept by shared caches, and the signature is no part of the key. */
  @Test
  void cache_keepsAnImageForTenMinutes_byItsPathAlone() throws IOException {
    var policy =
        stacks(Stage.DEV, ApiKind.FUNCTION)
            .only("data", "AWS::CloudFront::CachePolicy")
            .required("CachePolicyConfig");

    for (var ttl : List.of("MinTTL", "DefaultTTL", "MaxTTL")) {
      assertThat(policy.required(ttl).intValue()).as(ttl).isEqualTo(600);
    }
    var key = policy.required("ParametersInCacheKeyAndForwardedToOrigin");
    assertThat(key.at("/QueryStringsConfig/QueryStringBehavior").asText()).isEqualTo("none");
    assertThat(key.at("/HeadersConfig/HeaderBehavior").asText()).isEqualTo("none");
    assertThat(key.at("/CookiesConfig/CookieBehavior").asText()).isEqualTo("none");
  }

  @Test
  void responses_areImagesAndNothingElse_forTheApps() throws IOException {
    var policy =
        stacks(Stage.DEV, ApiKind.FUNCTION)
            .only("data", "AWS::CloudFront::ResponseHeadersPolicy")
            .required("ResponseHeadersPolicyConfig");

    assertThat(policy.toString())
        .contains("default-src 'none'; sandbox", "ContentTypeOptions", "StrictTransportSecurity");
    assertThat(policy.at("/CorsConfig/AccessControlAllowOrigins/Items").toString())
        .isEqualTo("[\"" + APP + "\"]");
    var without = Synthesized.of("distribution-alone", Stage.DEV, inputs(RSA));
    assertThat(
            without
                .only("data", "AWS::CloudFront::ResponseHeadersPolicy")
                .at("/ResponseHeadersPolicyConfig")
                .has("CorsConfig"))
        .isFalse();
  }

  /**
   * CloudFront and dashboards have one list of names for all regions of an account. A stage whose
   * region is lost is deployed in another one next to what is left of it.
   */
  @Test
  void namesOfTheWholeAccount_haveTheRegion() throws IOException {
    var here = stacks(Stage.PROD, ApiKind.FUNCTION);
    var elsewhere =
        Synthesized.of(
            "distribution-elsewhere",
            Stage.PROD,
            inputs(RSA + "," + EC, ApiInputs.API, ApiKind.FUNCTION.label(), "region", "us-west-2"));

    assertThat(globalNames(here))
        .hasSize(7)
        .doesNotHaveDuplicates()
        .allMatch(name -> name.replace("-", "").contains("eucentral1"))
        .doesNotContainAnyElementsOf(globalNames(elsewhere));
    assertThat(globalNames(elsewhere)).hasSize(7);
  }

  /** Each resource of CloudFront but the distribution has a name, next to its other properties. */
  private static List<String> globalNames(Synthesized stacks) {
    var names = new ArrayList<String>();
    for (var resource : stacks.json("data").required("Resources")) {
      var type = resource.required("Type").textValue();
      if (type.startsWith("AWS::CloudFront::") && !type.endsWith("::Distribution")) {
        var config = type.substring(type.lastIndexOf(':') + 1) + "Config";
        names.add(resource.required("Properties").required(config).required("Name").textValue());
      }
    }
    names.add(
        stacks.only("watch", "AWS::CloudWatch::Dashboard").required("DashboardName").textValue());
    return names;
  }

  /** The private key is in no template. Only the API may read it. */
  @Test
  void api_getsTheAddressTheKeyIdAndTheSecret() throws IOException {
    var tasks = stacks(Stage.PROD, ApiKind.SERVICE);
    var function = stacks(Stage.PROD, ApiKind.FUNCTION);
    var container = tasks.only("api", "AWS::ECS::TaskDefinition").at("/ContainerDefinitions/0");

    assertThat(container.required("Environment").toString())
        .contains("FEED_MEDIA_DISTRIBUTION_URL", "FEED_MEDIA_DISTRIBUTION_KEY_ID");
    assertThat(container.required("Secrets").toString())
        .contains("FEED_MEDIA_DISTRIBUTION_PRIVATE_KEY", SECRET);
    var variables = function.only("api", "AWS::Lambda::Function").at("/Environment/Variables");
    assertThat(variables.at("/FEED_FUNCTION_MEDIA_KEY_SECRET_ARN").asText()).isEqualTo(SECRET);
    assertThat(variables.has("FEED_MEDIA_DISTRIBUTION_URL")).isTrue();
    assertThat(variables.has("FEED_MEDIA_DISTRIBUTION_KEY_ID")).isTrue();
    for (var stacks : List.of(tasks, function)) {
      assertThat(readers(stacks, "api")).hasSize(1).allMatch(it -> it.contains("GetSecretValue"));
      assertThat(readers(stacks, "stream")).isEmpty();
      assertThat(stacks.json("stream").toString()).doesNotContain("MEDIA_DISTRIBUTION");
      assertThat(stacks.json("data").toString()).doesNotContain(SECRET);
    }
  }

  private static List<String> readers(Synthesized stacks, String part) {
    return Stream.of("AWS::IAM::ManagedPolicy", "AWS::IAM::Policy")
        .flatMap(type -> stacks.all(part, type).stream())
        .map(policy -> policy.at("/PolicyDocument/Statement").toString())
        .filter(statements -> statements.contains(SECRET))
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "other | ok | ok | mediaDistribution must be none or cloudfront, not other",
        "none | ok | ok | mediaPublicKey needs mediaDistribution=cloudfront",
        "cloudfront | '' | '' | mediaDistribution=cloudfront needs mediaPublicKey and"
            + " mediaKeySecret",
        "cloudfront | ok | '' | mediaPublicKey and mediaKeySecret need each other",
        "cloudfront | short | ok | mediaPublicKey must be a public key of RSA with 2048 bits",
        "cloudfront | text | ok | mediaPublicKey must be a public key of RSA with 2048 bits",
        "cloudfront | three | ok | mediaPublicKey must be at most 2 keys",
        "cloudfront | ok | name | mediaKeySecret must be the ARN of a secret"
      })
  void wrongInputs_areRejected(String kind, String key, String secret, String message) {
    var keys =
        switch (key) {
          case "ok" -> RSA;
          case "short" -> SHORT;
          case "three" -> RSA + "," + RSA + "," + EC;
          default -> key;
        };
    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(
            () ->
                StandIns.inputs(
                    Stage.DEV,
                    MediaKind.MEDIA,
                    MediaKind.S3.label(),
                    DistributionInputs.DISTRIBUTION,
                    kind,
                    DistributionInputs.PUBLIC_KEYS,
                    keys,
                    DistributionInputs.KEY_SECRET,
                    secret.equals("ok") ? SECRET : secret))
        .withMessageStartingWith(message);
  }

  @Test
  void distributionWithoutABucket_isRejected() {
    var inputs = inputs(RSA);
    inputs[1] = MediaKind.NONE.label();

    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(() -> StandIns.inputs(Stage.DEV, inputs))
        .withMessage("mediaDistribution=cloudfront needs media=s3");
  }
}
