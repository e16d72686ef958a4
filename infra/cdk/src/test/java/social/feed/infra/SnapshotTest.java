package social.feed.infra;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import social.feed.table.kernel.store.Table;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/**
 * Tests that functions which are restored from one snapshot do not share their random numbers, and
 * so do not repeat calls at the same moments.
 */
class SnapshotTest {
  private static final ArchRule NO_NUMBERS_OF_A_SNAPSHOT =
      noClasses()
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName(ThreadLocalRandom.class.getName())
          .orShould()
          .callConstructor(Random.class)
          .orShould()
          .callMethod(Collections.class, "shuffle", List.class)
          .orShould()
          .callMethod(Math.class, "random");

  /** By default the SDK takes the jitter of its own repeats from a snapshot. */
  private static final ArchRule CLIENTS_REPEAT_CALLS_OUR_WAY =
      classes()
          .that(DescribedPredicate.describe("create a client", SnapshotTest::createsAClient))
          .should()
          .callMethod(Table.class, "retrying", DynamoDbClientBuilder.class);

  private static boolean createsAClient(JavaClass type) {
    return type.getMethodCallsFromSelf().stream()
        .anyMatch(
            call ->
                call.getTargetOwner().isEquivalentTo(DynamoDbClient.class)
                    && call.getName().matches("builder|create"));
  }

  @Test
  void code_takesNoNumbersFromASnapshot() {
    NO_NUMBERS_OF_A_SNAPSHOT.check(ReachableCalls.CODE);
  }

  @Test
  void clients_repeatCallsWithOurJitter() {
    CLIENTS_REPEAT_CALLS_OUR_WAY.check(ReachableCalls.CODE);
  }

  @Test
  void rules_onAViolation_fail() {
    var planted = new ClassFileImporter().importClasses(Planted.class);

    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> NO_NUMBERS_OF_A_SNAPSHOT.check(planted));
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> CLIENTS_REPEAT_CALLS_OUR_WAY.check(planted));
  }

  /** Violates both rules. */
  static final class Planted {
    private Planted() {}

    static DynamoDbClient client() {
      return DynamoDbClient.builder()
          .region(Region.regions().get(ThreadLocalRandom.current().nextInt(2)))
          .build();
    }
  }
}
