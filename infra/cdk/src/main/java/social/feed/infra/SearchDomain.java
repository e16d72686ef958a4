package social.feed.infra;

import java.util.List;
import software.amazon.awscdk.CfnDeletionPolicy;
import software.amazon.awscdk.services.iam.AccountRootPrincipal;
import software.amazon.awscdk.services.iam.Effect;
import software.amazon.awscdk.services.iam.PolicyDocument;
import software.amazon.awscdk.services.iam.PolicyStatement;
import software.amazon.awscdk.services.opensearchservice.CfnDomain;
import software.amazon.awscdk.services.opensearchservice.CfnDomain.ClusterConfigProperty;
import software.amazon.awscdk.services.opensearchservice.CfnDomain.DomainEndpointOptionsProperty;
import software.amazon.awscdk.services.opensearchservice.CfnDomain.EBSOptionsProperty;
import software.amazon.awscdk.services.opensearchservice.CfnDomain.EncryptionAtRestOptionsProperty;
import software.amazon.awscdk.services.opensearchservice.CfnDomain.NodeToNodeEncryptionOptionsProperty;
import software.amazon.awscdk.services.opensearchservice.CfnDomain.SoftwareUpdateOptionsProperty;
import software.amazon.awscdk.services.opensearchservice.CfnDomain.ZoneAwarenessConfigProperty;
import software.constructs.Construct;

/**
 * The domain of the search index. It has a public address, since functions are in no network, and
 * answers only requests that a role of this account has signed and may send. Everything in it can
 * be built again from the table, so it is deleted with its input.
 */
final class SearchDomain extends Construct {
  /** The version of the server that the tests run. */
  private static final String ENGINE = "OpenSearch_3.1";

  private static final String NODE = "t3.small.search";

  /** The disk of each node. */
  static final int GIGABYTES = 10;

  private final String url;

  SearchDomain(Construct scope, Stage stage) {
    super(scope, "Search");
    int nodes = stage.searchNodes();
    var cluster =
        ClusterConfigProperty.builder()
            .instanceType(NODE)
            .instanceCount(nodes)
            .zoneAwarenessEnabled(nodes > 1);
    if (nodes > 1) {
      cluster.zoneAwarenessConfig(
          ZoneAwarenessConfigProperty.builder().availabilityZoneCount(nodes).build());
    }
    var domain =
        CfnDomain.Builder.create(this, "Domain")
            .domainName(SearchAccess.domain(stage))
            .engineVersion(ENGINE)
            .clusterConfig(cluster.build())
            .ebsOptions(
                EBSOptionsProperty.builder()
                    .ebsEnabled(true)
                    .volumeType("gp3")
                    .volumeSize(GIGABYTES)
                    .build())
            .encryptionAtRestOptions(
                EncryptionAtRestOptionsProperty.builder().enabled(true).build())
            .nodeToNodeEncryptionOptions(
                NodeToNodeEncryptionOptionsProperty.builder().enabled(true).build())
            .domainEndpointOptions(
                DomainEndpointOptionsProperty.builder()
                    .enforceHttps(true)
                    .tlsSecurityPolicy("Policy-Min-TLS-1-2-PFS-2023-10")
                    .build())
            .softwareUpdateOptions(
                SoftwareUpdateOptionsProperty.builder().autoSoftwareUpdateEnabled(true).build())
            .accessPolicies(policy(stage))
            .build();
    domain.getCfnOptions().setDeletionPolicy(CfnDeletionPolicy.DELETE);
    domain.getCfnOptions().setUpdateReplacePolicy(CfnDeletionPolicy.DELETE);
    this.url = "https://" + domain.getAttrDomainEndpoint();
    SsmParameter.SEARCH_URL.publish(scope, stage, url);
  }

  /** Returns the address of the domain. */
  String url() {
    return url;
  }

  /** Admits the roles of this account, each of which needs a right of its own as well. */
  private PolicyDocument policy(Stage stage) {
    return PolicyDocument.Builder.create()
        .statements(
            List.of(
                PolicyStatement.Builder.create()
                    .effect(Effect.ALLOW)
                    .principals(List.of(new AccountRootPrincipal()))
                    .actions(List.of("es:ESHttp*"))
                    .resources(List.of(SearchAccess.arn(this, stage, "*")))
                    .build()))
        .build();
  }
}
