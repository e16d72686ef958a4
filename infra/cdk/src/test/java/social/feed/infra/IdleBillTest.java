package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The monthly cost of a stage that no one uses, itemized from the resources of its templates. A
 * resource of a type that has no price here fails the test, and so does a property that is not
 * known to be free.
 */
class IdleBillTest {
  /**
   * Dollars, list prices of eu-central-1 in November 2026, without taxes and free allowances. A
   * month has 730 hours.
   */
  private static final double MONTH_HOURS = 730;

  private static final double ALARM_METRIC = 0.10;
  private static final double ALARM_METRIC_OF_SECONDS = 0.30;
  private static final double DASHBOARD = 3.00;
  private static final double METRIC = 0.30;
  private static final double SECRET = 0.40;
  private static final double QUEUE_REQUEST = 0.40e-6;
  private static final double NAT_GATEWAY_HOUR = 0.052;
  private static final double BALANCER_HOUR = 0.027;
  private static final double ADDRESS_HOUR = 0.005;
  private static final double VCPU_HOUR = 0.03725;
  private static final double GIGABYTE_HOUR = 0.00409;
  private static final double SEARCH_NODE_HOUR = 0.042;
  private static final double SEARCH_GIGABYTE = 0.1456;

  /** A pipe or a mapping polls its queue with five connections, each of which waits up to 20 s. */
  private static final double POLLS = 5 * 3 * 60 * MONTH_HOURS;

  /** A mapping that polls an empty stream reports how many records it got: none. */
  private static final int METRICS_OF_AN_IDLE_MAPPING = 1;

  private static final int STANDARD_PERIOD_S = 60;

  /** By type, the properties that add no cost by the hour. */
  private static final Map<String, Set<String>> KNOWN = known();

  private static Map<String, Set<String>> known() {
    try {
      return Files.readAllLines(Path.of("src", "test", "resources", "idle.txt")).stream()
          .filter(line -> !line.startsWith("#"))
          .map(line -> List.of(line.split(" ")))
          .collect(
              Collectors.toMap(
                  List::getFirst, words -> Set.copyOf(words.subList(1, words.size()))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the properties of which it is not known that they are free. */
  private static List<String> unknown(String type, JsonNode properties) {
    var known = KNOWN.get(type);
    if (known == null) {
      return List.of("all properties");
    }
    return known.contains("*")
        ? List.of()
        : properties.properties().stream()
            .filter(property -> !isKnown(known, property) && !partsAreKnown(known, property))
            .map(property -> property.getKey() + "=" + property.getValue())
            .toList();
  }

  private static boolean isKnown(Set<String> known, Map.Entry<String, JsonNode> property) {
    var value = property.getValue();
    return known.contains(property.getKey())
        || known.contains(
            property.getKey() + "=" + (value.isValueNode() ? value.asText() : value.toString()));
  }

  private static boolean partsAreKnown(Set<String> known, Map.Entry<String, JsonNode> property) {
    var parts = parts(property);
    return !parts.isEmpty() && parts.stream().allMatch(part -> isKnown(known, part));
  }

  /** Returns the fields of a property, or of the elements of its list. */
  private static List<Map.Entry<String, JsonNode>> parts(Map.Entry<String, JsonNode> property) {
    var value = property.getValue();
    var parts = new ArrayList<Map.Entry<String, JsonNode>>();
    for (var element : value.isArray() ? value : List.of(value)) {
      for (var part : element.properties()) {
        parts.add(Map.entry(property.getKey() + "." + part.getKey(), part.getValue()));
      }
    }
    return parts;
  }

  private static double price(String type, JsonNode properties, Synthesized stacks, Stage stage) {
    var unknown = unknown(type, properties);
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(
          "IdleBillTest has no price for %s of %s".formatted(unknown, type));
    }
    return switch (type) {
      case "AWS::CloudWatch::Alarm" -> {
        boolean standard =
            properties.findValues("Period").stream()
                .allMatch(period -> period.asInt() >= STANDARD_PERIOD_S);
        yield (standard ? ALARM_METRIC : ALARM_METRIC_OF_SECONDS)
            * Math.max(1, properties.findValues("MetricStat").size());
      }
      case "AWS::CloudWatch::Dashboard" -> DASHBOARD;
      case "AWS::SecretsManager::Secret" -> SECRET;
      case "AWS::Lambda::EventSourceMapping" ->
          // Of a stream or of a queue.
          properties.has("StartingPosition")
              ? METRIC * METRICS_OF_AN_IDLE_MAPPING
              : QUEUE_REQUEST * POLLS;
      case "AWS::Pipes::Pipe" -> QUEUE_REQUEST * POLLS;
      case "AWS::EC2::NatGateway" -> NAT_GATEWAY_HOUR * MONTH_HOURS;
      case "AWS::EC2::EIP" -> ADDRESS_HOUR * MONTH_HOURS;
      case "AWS::ElasticLoadBalancingV2::LoadBalancer" -> BALANCER_HOUR * MONTH_HOURS;
      case "AWS::OpenSearchService::Domain" ->
          properties.at("/ClusterConfig/InstanceCount").asInt()
              * (SEARCH_NODE_HOUR * MONTH_HOURS
                  + SEARCH_GIGABYTE * properties.at("/EBSOptions/VolumeSize").asInt());
      case "AWS::ECS::Service" -> stage.tasksMin() * taskHour(stacks) * MONTH_HOURS;
      default -> 0;
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
  }

  private static Synthesized withMedia() throws IOException {
    return Synthesized.of(
        "media-idle",
        Stage.DEV,
        ApiInputs.API,
        ApiKind.FUNCTION.label(),
        MediaKind.MEDIA,
        MediaKind.S3.label(),
        ApiInputs.CORS_ORIGINS,
        "https://app.example.com");
  }

  /** An empty bucket costs nothing, and its alarm little. */
  @Test
  void media_addsAnAlarmToTheBill() throws IOException {
    double without = sum(bill(Synthesized.withFunction(Stage.DEV), Stage.DEV));
    double with = sum(bill(withMedia(), Stage.DEV));

    assertThat(text(with - without)).isEqualTo("0.10");
    assertThat(Files.readString(Path.of("..", "..", "docs", "operations.md")))
        .contains("With images, their alarm costs 0.10 dollars a month.");
  }

  private static Synthesized withDistribution() throws IOException {
    return Synthesized.of(
        "distribution-idle",
        Stage.DEV,
        MediaDistributionTest.inputs(
            MediaDistributionTest.RSA, ApiInputs.API, ApiKind.FUNCTION.label()));
  }

  /** A distribution without requests costs nothing. Its secret is the operator's. */
  @Test
  void distribution_addsNothingToTheBillOfTheStacks() throws IOException {
    assertThat(bill(withDistribution(), Stage.DEV)).isEqualTo(bill(withMedia(), Stage.DEV));
  }

  /** A queue that is polled, and three alarms. */
  @Test
  void sinks_addLessThanADollar() throws IOException {
    double without = sum(bill(Synthesized.withFunction(Stage.DEV), Stage.DEV));
    double with = sum(bill(SinksTest.stacks("sinks-idle", Stage.DEV), Stage.DEV));

    assertThat(text(with - without)).isEqualTo("0.56");
    assertThat(Files.readString(Path.of("..", "..", "docs", "operations.md")))
        .contains("idle sinks cost 0.56 dollars a month");
  }

  /** Nodes and their disks, next to the alarms of the domain, and the queue and alarms of sinks. */
  @Test
  void search_costsByItsNodes() throws IOException {
    var stacks = SearchDomainTest.stacks(Stage.DEV, ApiKind.FUNCTION);
    double domain = ofDomain(stacks, Stage.DEV);
    var ofProd = SearchDomainTest.stacks(Stage.PROD, ApiKind.FUNCTION);
    double more =
        sum(bill(stacks, Stage.DEV)) - sum(bill(Synthesized.withFunction(Stage.DEV), Stage.DEV));

    assertThat(text(more - domain)).as("idle sinks, and three alarms").isEqualTo("0.86");
    assertThat(Files.readString(Path.of("..", "..", "docs", "operations.md")))
        .contains(
            "the domain costs %s dollars a month in `dev` and %s in `prod`"
                .formatted(text(domain), text(ofDomain(ofProd, Stage.PROD))));
  }

  private static double ofDomain(Synthesized stacks, Stage stage) {
    var type = "AWS::OpenSearchService::Domain";
    return price(type, stacks.only("data", type), stacks, stage);
  }

  /** The bill finds what costs. The page is the only place with these figures. */
  @Test
  void page_hasBothBills() throws IOException {
    var function = bill(Synthesized.withFunction(Stage.DEV), Stage.DEV);
    var service = bill(Synthesized.of(Stage.DEV), Stage.DEV);
    assertThat(service).containsKeys("NatGateway", "LoadBalancer", "Service", "EIP");
    var table =
        new StringBuilder("| resources | `api=function` | `api=service` |\n|---|---|---|\n");
    service.forEach(
        (item, dollars) ->
            table.append(
                "| `%s` | %s | %s |\n"
                    .formatted(
                        item,
                        function.containsKey(item) ? text(function.get(item)) : "",
                        text(dollars))));
    table.append("| all | %s | %s |\n".formatted(text(sum(function)), text(sum(service))));

    assertThat(service.keySet()).containsAll(function.keySet());
    assertThat(Files.readString(Path.of("..", "..", "docs", "operations.md")))
        .contains(table.toString());
  }

  /** What no template has would be free without a look at its price, once a template has it. */
  @Test
  void list_hasNoMoreThanTheTemplates() throws IOException {
    var used = new TreeMap<String, Set<String>>();
    var all =
        List.of(
            Synthesized.withFunction(Stage.DEV),
            Synthesized.of(Stage.DEV),
            withMedia(),
            withDistribution(),
            SinksTest.stacks("sinks-idle", Stage.DEV),
            SearchDomainTest.stacks(Stage.DEV, ApiKind.FUNCTION),
            SearchDomainTest.stacks(Stage.PROD, ApiKind.FUNCTION));
    for (var stacks : all) {
      for (var part : stacks.parts()) {
        for (var resource : stacks.json(part).required("Resources")) {
          var type = resource.required("Type").textValue();
          var words = used.computeIfAbsent(type, _ -> new HashSet<>());
          KNOWN.getOrDefault(type, Set.of()).stream()
              .filter(word -> isUsed(word, resource.path("Properties")))
              .forEach(words::add);
        }
      }
    }

    assertThat(used).isEqualTo(KNOWN);
  }

  private static boolean isUsed(String word, JsonNode properties) {
    return word.equals("*")
        || properties.properties().stream()
            .anyMatch(
                property ->
                    isKnown(Set.of(word), property)
                        || parts(property).stream().anyMatch(it -> isKnown(Set.of(word), it)));
  }

  @Test
  void resource_withoutAPrice_isReported() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> priceOf("AWS::ElastiCache::ServerlessCache", "{}"))
        .withMessageContaining("ElastiCache");
  }

  /** Each of these costs by the hour, or more than the same resource without it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "AWS::Lambda::Alias | {'ProvisionedConcurrencyConfig':{'ProvisionedConcurrentExecutions':1}}",
        "AWS::Lambda::Version | {'ProvisionedConcurrencyConfig':{'ProvisionedConcurrentExecutions':1}}",
        "AWS::Lambda::Function | {'Runtime':'python3.14'}",
        "AWS::DynamoDB::Table | {'BillingMode':'PROVISIONED'}",
        "AWS::DynamoDB::Table | {'GlobalSecondaryIndexes':[{'WarmThroughput':{'ReadUnitsPerSecond':1}}]}",
        "AWS::DynamoDB::Table | {'ContributorInsightsSpecification':{'Enabled':true}}",
        "AWS::ECS::Cluster | {'ClusterSettings':[{'Name':'containerInsights','Value':'enhanced'}]}",
        "AWS::EC2::VPCEndpoint | {'VpcEndpointType':'Interface'}",
        "AWS::Logs::LogGroup | {'LogGroupClass':'STANDARD'}",
        "AWS::Lambda::EventSourceMapping | {'MetricsConfig':{'Metrics':['EventCount','ErrorCount']}}",
        "AWS::Cognito::UserPool | {'UserPoolTier':'PLUS'}",
        "AWS::OpenSearchService::Domain | {'ClusterConfig':{'InstanceType':'m7g.large.search'}}",
        "AWS::OpenSearchService::Domain | {'ClusterConfig':{'DedicatedMasterEnabled':true}}",
        "AWS::SSM::Parameter | {'Tier':'Advanced'}"
      })
  void property_withoutAPrice_isReported(String type, String properties) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> priceOf(type, properties))
        .withMessageContaining(type);
  }

  @Test
  void alarm_costsByItsMetrics_andMoreByTheSecond() throws IOException {
    assertThat(priceOf("AWS::CloudWatch::Alarm", "{'Period':60}")).isEqualTo(ALARM_METRIC);
    assertThat(
            priceOf(
                "AWS::CloudWatch::Alarm",
                "{'Metrics':[{'MetricStat':{'Period':10}},{'MetricStat':{'Period':60}}]}"))
        .isEqualTo(2 * ALARM_METRIC_OF_SECONDS);
  }

  private static double priceOf(String type, String properties) throws IOException {
    return price(
        type,
        new ObjectMapper().readTree(properties.replace('\'', '"')),
        Synthesized.of(Stage.DEV),
        Stage.DEV);
  }
}
