package social.feed.infra;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import social.feed.search.opensearch.OpenSearchIndex;
import software.amazon.awscdk.ArnComponents;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.iam.PolicyStatement;
import software.amazon.awscdk.services.lambda.Architecture;
import software.amazon.awscdk.services.lambda.Code;
import software.amazon.awscdk.services.lambda.ILayerVersion;
import software.amazon.awscdk.services.lambda.LayerVersion;
import software.amazon.awscdk.services.lambda.Runtime;
import software.constructs.Construct;

/**
 * The rights of a part of the platform on the domain of the search index. They are rights to send
 * requests, by method and path.
 *
 * @param actions IAM actions, each for a method of HTTP
 * @param paths paths below the domain
 */
record SearchAccess(List<String> actions, List<String> paths) {
  private static final String POSTS = OpenSearchIndex.NAME + "-posts";
  private static final String ACCOUNTS = OpenSearchIndex.NAME + "-accounts";

  /** Searches, and nothing else. */
  static final SearchAccess OF_API =
      new SearchAccess(
          List.of("es:ESHttpPost"), List.of(ACCOUNTS + "/_search", POSTS + "/_search"));

  /** Asks what is left of an erased account. */
  static final SearchAccess OF_LANES =
      new SearchAccess(
          List.of("es:ESHttpPost"),
          List.of(ACCOUNTS + "/_mget", POSTS + "," + ACCOUNTS + "/_refresh", POSTS + "/_search"));

  /** Creates and writes the indexes. A deletion writes a tombstone, so it is none to the server. */
  static final SearchAccess OF_SINKS =
      new SearchAccess(
          List.of("es:ESHttpGet", "es:ESHttpHead", "es:ESHttpPost", "es:ESHttpPut"),
          List.of(OpenSearchIndex.NAME + "-*"));

  /** Returns the name of the domain. The data stack gives it, so that all stacks know its ARN. */
  static String domain(Stage stage) {
    return "feed-" + stage.label();
  }

  /** Returns the ARN of a part of the domain. */
  static String arn(Construct scope, Stage stage, String path) {
    return Stack.of(scope)
        .formatArn(
            ArnComponents.builder()
                .service("es")
                .resource("domain")
                .resourceName(domain(stage) + "/" + path)
                .build());
  }

  /** Returns the policy statements for a role, none without a domain. */
  List<PolicyStatement> statements(Construct scope, Inputs inputs) {
    return inputs.sinks().search().isOn()
        ? List.of(
            TableAccess.allow(
                actions, paths.stream().map(path -> arn(scope, inputs.stage(), path)).toList()))
        : List.of();
  }

  /** Returns the variables of API and multiplexer, none without a domain. */
  static Map<String, String> variables(Construct scope, Inputs inputs) {
    return inputs.sinks().search().isOn()
        ? new TreeMap<>(
            Map.of(
                "FEED_SEARCH_REGION",
                inputs.region(),
                "FEED_SEARCH_URL",
                SsmParameter.SEARCH_URL.in(scope, inputs.stage())))
        : Map.of();
  }

  /** Returns the layers of a function: that of search, none without a domain. */
  static List<ILayerVersion> layers(Construct scope, Inputs inputs) {
    return inputs.sinks().search().isOn()
        ? List.of(
            LayerVersion.Builder.create(scope, "SearchLibraries")
                .description("The libraries of search")
                .code(Code.fromAsset(inputs.sinks().search().layerZip().toString()))
                .compatibleRuntimes(List.of(Runtime.JAVA_25))
                .compatibleArchitectures(List.of(Architecture.ARM_64))
                .build())
        : List.of();
  }
}
