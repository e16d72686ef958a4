package social.feed.contract;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;
import social.feed.table.access.AccessPattern;
import social.feed.table.access.Serves;
import social.feed.table.erasure.AccountReferences;
import social.feed.table.erasure.ErasureQueue;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.erasure.Erasures;
import social.feed.table.erasure.WaitingErasures;
import social.feed.table.export.AccountLists;
import social.feed.table.kernel.store.ConditionalWrites;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.webhook.Webhooks;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Checks the dependencies of {@code table-design}, and that one method serves each access pattern.
 */
class ArchitectureTest {
  private static final JavaClasses TABLE =
      new ClassFileImporter()
          .withImportOption(new DoNotIncludeTests())
          .importPackages("social.feed.table");
  private static final JavaClasses HERE =
      new ClassFileImporter().importPackages("social.feed.contract");

  private static final ArchRule KNOWS_ONLY_THE_SDK =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "software.amazon.awssdk..",
              "org.jspecify..",
              "io.opentelemetry..",
              "org.slf4j..",
              "social.feed.table..");

  /** Where tracing is off, no class of OpenTelemetry is loaded. */
  private static final ArchRule ONLY_TRACES_KNOW_OPENTELEMETRY =
      noClasses()
          .that()
          .resideOutsideOfPackage("social.feed.table.kernel.trace")
          .and()
          .doNotHaveSimpleName("TracedCalls")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.opentelemetry..");

  /**
   * Exports and erasures are not access patterns: they run once on request, and scan. Conditional
   * writes receive the result of a scan. Webhooks are read by their keys, so that a row which
   * cannot be decoded hides no other.
   */
  private static final ArchRule ONLY_EXPORT_AND_ERASURE_WALK =
      noClasses()
          .that()
          .doNotBelongToAnyOf(
              TableScanner.class,
              AccountLists.class,
              AccountReferences.class,
              ErasureQueue.class,
              Erasures.class,
              ErasureSweeps.class,
              WaitingErasures.class,
              Webhooks.class,
              ConditionalWrites.class)
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(TableScanner.class);

  /**
   * Stores build transactions and conditions from the kernel's vocabulary, and read its outcomes.
   */
  private static final ArchRule ONLY_THE_KERNEL_ASSEMBLES_WRITES =
      noClasses()
          .that()
          .resideOutsideOfPackage("social.feed.table.kernel.store")
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(
              TransactWriteItem.class,
              TransactionCanceledException.class,
              ConditionalCheckFailedException.class);

  private static final ArchRule HAS_NO_INJECTED_FIELDS =
      fields().should().notBeAnnotatedWith("jakarta.inject.Inject");
  private static final ArchRule HAS_NO_INJECTED_METHODS =
      methods().should().notBeAnnotatedWith("jakarta.inject.Inject");

  @Test
  void table_dependencies_areTheJdkTheSdkAndAnnotationsLogsAndTraces() {
    KNOWS_ONLY_THE_SDK.check(TABLE);
  }

  @Test
  void table_openTelemetry_isUsedByTracesAlone() {
    ONLY_TRACES_KNOW_OPENTELEMETRY.check(TABLE);
  }

  @Test
  void table_packages_haveNoCycles() {
    slices().matching("social.feed.table.(**)").should().beFreeOfCycles().check(TABLE);
  }

  @Test
  void table_fieldsAndMethods_areNotInjected() {
    HAS_NO_INJECTED_FIELDS.check(TABLE);
    HAS_NO_INJECTED_METHODS.check(TABLE);
  }

  @Test
  void table_classesOfRows_doNotDependOnStoresAndSchemas() {
    noClasses()
        .that()
        .resideInAnyPackage("social.feed.table.row..", "social.feed.table.kernel.declaration..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("social.feed.table.kernel.store..", "social.feed.table.kernel.schema..")
        .check(TABLE);
  }

  @Test
  void table_scanners_areUsedOnlyByExportAndErasure() {
    ONLY_EXPORT_AND_ERASURE_WALK.check(TABLE);
    assertThat(TABLE.get(TableScanner.class).getDirectDependenciesToSelf())
        .extracting(dependency -> dependency.getOriginClass().getName())
        .contains(AccountLists.class.getName(), AccountReferences.class.getName());
  }

  @Test
  void table_writesOnConditions_areAssembledByTheKernelAlone() {
    ONLY_THE_KERNEL_ASSEMBLES_WRITES.check(TABLE);
  }

  /** The rules find the violations of this package. */
  @Test
  void rules_onThisPackage_fail() {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> KNOWS_ONLY_THE_SDK.check(HERE));
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> ONLY_THE_KERNEL_ASSEMBLES_WRITES.check(HERE));
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> ONLY_TRACES_KNOW_OPENTELEMETRY.check(HERE));
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> ONLY_EXPORT_AND_ERASURE_WALK.check(HERE))
        .withMessageContaining(ITConditionalWrites.class.getName());
  }

  @Test
  void pattern_each_isServedByExactlyOneMethod() {
    var served =
        TABLE.stream()
            .flatMap(type -> type.getMethods().stream())
            .filter(method -> method.isAnnotatedWith(Serves.class))
            .map(method -> method.getAnnotationOfType(Serves.class).value())
            .toList();

    assertThat(served).containsExactlyInAnyOrder(AccessPattern.values());
  }
}
