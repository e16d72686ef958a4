package social.feed.infra;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.ImportOption.OnlyIncludeTests;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;
import org.junit.jupiter.api.Test;
import social.feed.event.EventType;
import social.feed.streams.LaneMapping;
import social.feed.streams.LanePatterns;
import social.feed.streams.celebrity.CelebrityFlagChanged;
import social.feed.streams.lambda.MultiplexerFunction;
import social.feed.streams.lambda.SinkFunction;
import social.feed.streams.plan.Lane;
import social.feed.table.kernel.cost.UnitPrices;
import social.feed.table.log.PlatformMetric;

/** Tests that the stacks depend only on declarations of the code, and not on code that runs. */
class CdkArchitectureTest {
  private static final Set<String> DECLARATIONS =
      Set.of(
          EventType.class.getName(),
          CelebrityFlagChanged.class.getName(),
          Lane.class.getName(),
          LaneMapping.class.getName(),
          LanePatterns.class.getName(),
          MultiplexerFunction.class.getName(),
          PlatformMetric.class.getName(),
          PlatformMetric.Dimension.class.getName(),
          SinkFunction.class.getName(),
          UnitPrices.class.getName());

  private static final ArchRule DEPEND_ONLY_ON_DECLARATIONS =
      classes()
          .should()
          .onlyDependOnClassesThat(
              JavaClass.Predicates.resideInAnyPackage(
                      "java..",
                      "org.jspecify..",
                      "social.feed.infra..",
                      "social.feed.table.access..",
                      "social.feed.table.kernel.declaration..",
                      "social.feed.table.kernel.schema..",
                      "software.amazon.awscdk..",
                      "software.amazon.awssdk.services.dynamodb.model..",
                      "software.constructs..")
                  .or(
                      DescribedPredicate.describe(
                          "declare the mappings of the stream, the types of events, the metrics and the prices",
                          type -> DECLARATIONS.contains(type.getFullName()))));

  @Test
  void stacks_dependOnlyOnDeclarations() {
    DEPEND_ONLY_ON_DECLARATIONS.check(
        new ClassFileImporter()
            .withImportOption(new DoNotIncludeTests())
            .importPackages("social.feed.infra"));
  }

  /** The rule finds the dependencies of these tests. */
  @Test
  void rule_overTheTests_fails() {
    var tests =
        new ClassFileImporter()
            .withImportOption(new OnlyIncludeTests())
            .importPackages("social.feed.infra");

    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> DEPEND_ONLY_ON_DECLARATIONS.check(tests));
  }
}
