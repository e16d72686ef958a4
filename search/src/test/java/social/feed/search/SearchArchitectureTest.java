package social.feed.search;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** The port knows no implementation, and the module no other one. */
class SearchArchitectureTest {
  private static final ArchRule PORT =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "org.jspecify..", "social.feed.search");
  private static final ArchRule MODULE =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "org.jspecify..",
              "org.apache.lucene..",
              "org.apache.hc..",
              "org.opensearch.client..",
              "com.fasterxml.jackson..",
              "software.amazon.awssdk..",
              "social.feed.search..");

  @Test
  void port_dependencies_areTheJdkAndAnnotations() {
    PORT.check(
        new ClassFileImporter()
            .withImportOption(new DoNotIncludeTests())
            .withImportOption(location -> !location.contains("/lucene/"))
            .withImportOption(location -> !location.contains("/opensearch/"))
            .importPackages("social.feed.search"));
  }

  @Test
  void module_dependencies_areTheJdkAndTheLibrariesOfIndexes() {
    MODULE.check(
        new ClassFileImporter()
            .withImportOption(new DoNotIncludeTests())
            .importPackages("social.feed.search"));
  }

  @Test
  void rules_onTests_fail() {
    var here = new ClassFileImporter().importPackages("social.feed.search");
    assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> PORT.check(here));
    assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> MODULE.check(here));
  }
}
