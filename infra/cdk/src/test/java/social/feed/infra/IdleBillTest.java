package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The monthly cost of a stage that no one uses, itemized from the resources of its templates. A
 * resource of a type that has no price here fails the test.
 */
class IdleBillTest {
  /**
   * Dollars, list prices of eu-central-1 in November 2026, without taxes and free allowances. A
   * month has 730 hours.
   */
  private static final double MONTH_HOURS = 730;

  private static final double ALARM_METRIC = 0.10;
  private static final double DASHBOARD = 3.00;
  private static final double METRIC = 0.30;
  private static final double SECRET = 0.40;
  private static final double QUEUE_REQUEST = 0.40e-6;
  private static final double NAT_GATEWAY_HOUR = 0.052;
  private static final double BALANCER_HOUR = 0.027;
  private static final double ADDRESS_HOUR = 0.005;
  private static final double VCPU_HOUR = 0.03725;
  private static final double GIGABYTE_HOUR = 0.00409;

  /** A pipe polls its queue with five connections, each of which waits up to 20 s. */
  private static final double POLLS_OF_A_PIPE = 5 * 3 * 60 * MONTH_HOURS;

  /** A mapping that polls an empty stream reports how many records it got: none. */
  private static final int METRICS_OF_AN_IDLE_MAPPING = 1;

  /** What costs by the request, by the gigabyte or nothing. */
  private static final Set<String> WITHOUT_COST_AT_IDLE =
      Set.of(
          "AWS::ApiGateway::Account",
          "AWS::ApiGateway::Authorizer",
          "AWS::ApiGateway::Deployment",
          "AWS::ApiGateway::Method",
          "AWS::ApiGateway::Resource",
          "AWS::ApiGateway::RestApi",
          "AWS::ApiGateway::Stage",
          "AWS::ApiGatewayV2::Api",
          "AWS::ApiGatewayV2::Authorizer",
          "AWS::ApiGatewayV2::Integration",
          "AWS::ApiGatewayV2::Route",
          "AWS::ApiGatewayV2::Stage",
          "AWS::ApiGatewayV2::VpcLink",
          "AWS::ApplicationAutoScaling::ScalableTarget",
          "AWS::ApplicationAutoScaling::ScalingPolicy",
          "AWS::CodeDeploy::Application",
          "AWS::CodeDeploy::DeploymentGroup",
          "AWS::Cognito::UserPool",
          "AWS::Cognito::UserPoolClient",
          "AWS::DynamoDB::Table",
          "AWS::EC2::FlowLog",
          "AWS::EC2::InternetGateway",
          "AWS::EC2::Route",
          "AWS::EC2::RouteTable",
          "AWS::EC2::SecurityGroup",
          "AWS::EC2::SecurityGroupEgress",
          "AWS::EC2::SecurityGroupIngress",
          "AWS::EC2::Subnet",
          "AWS::EC2::SubnetRouteTableAssociation",
          "AWS::EC2::VPC",
          "AWS::EC2::VPCEndpoint",
          "AWS::EC2::VPCGatewayAttachment",
          "AWS::ECS::Cluster",
          "AWS::ECS::TaskDefinition",
          "AWS::ElasticLoadBalancingV2::Listener",
          "AWS::ElasticLoadBalancingV2::TargetGroup",
          "AWS::Events::EventBus",
          "AWS::Events::EventBusPolicy",
          "AWS::Events::Rule",
          "AWS::IAM::ManagedPolicy",
          "AWS::IAM::Policy",
          "AWS::IAM::Role",
          "AWS::Lambda::Alias",
          "AWS::Lambda::Function",
          "AWS::Lambda::Permission",
          "AWS::Lambda::Version",
          "AWS::Logs::LogGroup",
          "AWS::Logs::MetricFilter",
          "AWS::Logs::ResourcePolicy",
          "AWS::S3::Bucket",
          "AWS::S3::BucketPolicy",
          "AWS::SNS::Topic",
          "AWS::SNS::TopicPolicy",
          "AWS::SQS::Queue",
          "AWS::SQS::QueuePolicy",
          "AWS::SSM::Parameter");

  private static double price(String type, JsonNode properties, Synthesized stacks, Stage stage) {
    return switch (type) {
      case "AWS::CloudWatch::Alarm" ->
          ALARM_METRIC * Math.max(1, properties.findValues("MetricStat").size());
      case "AWS::CloudWatch::Dashboard" -> DASHBOARD;
      case "AWS::SecretsManager::Secret" -> SECRET;
      case "AWS::Lambda::EventSourceMapping" -> METRIC * METRICS_OF_AN_IDLE_MAPPING;
      case "AWS::Pipes::Pipe" -> QUEUE_REQUEST * POLLS_OF_A_PIPE;
      case "AWS::EC2::NatGateway" -> NAT_GATEWAY_HOUR * MONTH_HOURS;
      case "AWS::EC2::EIP" -> ADDRESS_HOUR * MONTH_HOURS;
      case "AWS::ElasticLoadBalancingV2::LoadBalancer" -> BALANCER_HOUR * MONTH_HOURS;
      case "AWS::ECS::Service" -> stage.tasksMin() * taskHour(stacks) * MONTH_HOURS;
      default -> {
        if (!WITHOUT_COST_AT_IDLE.contains(type)) {
          throw new IllegalArgumentException("IdleBillTest has no price for " + type);
        }
        yield 0;
      }
    };
  }

  private static double taskHour(Synthesized stacks) {
    var task = stacks.only("api", "AWS::ECS::TaskDefinition");
    return task.required("Cpu").asDouble() / 1024 * VCPU_HOUR
        + task.required("Memory").asDouble() / 1024 * GIGABYTE_HOUR;
  }

  private static Map<String, Double> bill(Synthesized stacks, Stage stage) {
    var items = new TreeMap<String, Double>();
    for (var part : stacks.parts()) {
      for (var resource : stacks.json(part).required("Resources")) {
        var type = resource.required("Type").textValue();
        double dollars = price(type, resource.path("Properties"), stacks, stage);
        if (dollars > 0) {
          items.merge(type.substring(type.lastIndexOf(':') + 1), dollars, Double::sum);
        }
      }
    }
    return items;
  }

  private static double sum(Map<String, Double> items) {
    return items.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  private static String text(double dollars) {
    return String.format(Locale.ROOT, "%.2f", dollars);
  }

  @Test
  void dev_withTheApiAsAFunction_idlesForTenDollarsAtMost() throws IOException {
    var items = bill(Synthesized.withFunction(Stage.DEV), Stage.DEV);

    assertThat(sum(items)).as("%s", items).isLessThanOrEqualTo(10);
    assertThat(items).doesNotContainKeys("NatGateway", "LoadBalancer", "Service", "EIP");
    var page = Files.readString(Path.of("..", "..", "docs", "operations.md"));
    items.forEach(
        (item, dollars) ->
            assertThat(page).contains("| `%s` | %s |".formatted(item, text(dollars))));
    assertThat(page).contains("| all | %s |".formatted(text(sum(items))));
  }

  /** The bill finds what costs. */
  @Test
  void dev_withTheApiAsAService_costsFarMore() {
    var items = bill(Synthesized.of(Stage.DEV), Stage.DEV);

    assertThat(items).containsKeys("NatGateway", "LoadBalancer", "Service", "EIP");
    assertThat(sum(items)).as("%s", items).isGreaterThan(80);
  }

  @Test
  void resource_withoutAPrice_isReported() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                price(
                    "AWS::OpenSearchService::Domain",
                    JsonNodeFactory.instance.objectNode(),
                    Synthesized.of(Stage.DEV),
                    Stage.DEV));
  }
}
