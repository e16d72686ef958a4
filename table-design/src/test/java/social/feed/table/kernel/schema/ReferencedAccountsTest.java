package social.feed.table.kernel.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import social.feed.table.row.Erasure;
import social.feed.table.row.PendingErasure;
import social.feed.table.row.Row;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Rows name all accounts whose ids are in their attributes. */
class ReferencedAccountsTest {
  /** Components with ids of other entities. */
  private static final Set<String> NO_ACCOUNTS =
      Set.of(
          "postId", "commentId", "notificationId", "resourceId", "mediaId", "webhookId", "planId");

  /** The accounts of the sample rows. */
  private static final Set<String> ACCOUNTS = Set.of("alice", "bob", "carol", "eve");

  static Stream<Row> rows() {
    return Stream.concat(SampleRows.complete().stream(), SampleRows.variants().stream());
  }

  @ParameterizedTest
  @MethodSource("rows")
  void accountIdsInComponents_areReferenced(Row row) {
    if (row instanceof Erasure || row instanceof PendingErasure) {
      assertThat(row.referencedAccounts()).isEmpty();
      return;
    }
    var ids =
        Arrays.stream(row.getClass().getRecordComponents())
            .filter(component -> component.getName().endsWith("Id"))
            .filter(component -> !NO_ACCOUNTS.contains(component.getName()))
            .map(component -> value(component, row))
            .toList();

    assertThat(row.referencedAccounts()).containsAll(ids);
  }

  /** The id may be part of a key or of a list. */
  @ParameterizedTest
  @MethodSource("rows")
  void accountIdsAnywhereInTheItem_areReferenced(Row row) {
    if (row instanceof Erasure || row instanceof PendingErasure) {
      return;
    }
    var texts =
        RowCodec.encode(row).values().stream().flatMap(ReferencedAccountsTest::texts).toList();
    var contained = ACCOUNTS.stream().filter(texts::contains).toList();

    assertThat(row.referencedAccounts()).containsAll(contained);
  }

  private static Stream<String> texts(AttributeValue value) {
    return switch (value.type()) {
      case S -> Arrays.stream(value.s().split("#"));
      case L -> value.l().stream().flatMap(ReferencedAccountsTest::texts);
      case M -> value.m().values().stream().flatMap(ReferencedAccountsTest::texts);
      default -> Stream.empty();
    };
  }

  private static String value(RecordComponent component, Row row) {
    try {
      return String.valueOf(Objects.requireNonNull(component.getAccessor().invoke(row)));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
