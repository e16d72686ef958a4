package social.feed.table.kernel.declaration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import social.feed.table.kernel.schema.FeedTable;

class TableDifferencesTest {
  private static final IndexDeclaration ONE = Declarations.index("ONE", Set.of("a", "b"));
  private static final IndexDeclaration TWO = Declarations.index("TWO", Set.of("c"));
  private static final TableDeclaration DECLARED = Declarations.of(List.of(ONE, TWO));

  @Test
  void between_sameTable_isEmpty() {
    assertThat(TableDifferences.between(FeedTable.DECLARATION, FeedTable.DECLARATION)).isEmpty();
  }

  @Test
  void between_indexesInAnotherOrder_isEmpty() {
    assertThat(TableDifferences.between(DECLARED, Declarations.of(List.of(TWO, ONE)))).isEmpty();
  }

  @Test
  void between_otherProtection_isEmpty() {
    assertThat(TableDifferences.between(DECLARED, DECLARED.unprotected())).isEmpty();
  }

  @Test
  void between_otherPartitionKey_namesBoth() {
    assertOne(
        new TableDeclaration("pk", "SK", "expires_at", DECLARED.indexes(), true, true),
        "partition key is pk, declared is PK");
  }

  @Test
  void between_otherSortKey_namesBoth() {
    assertOne(
        new TableDeclaration("PK", "sk", "expires_at", DECLARED.indexes(), true, true),
        "sort key is sk, declared is SK");
  }

  @Test
  void between_otherTimeToLive_namesBoth() {
    assertOne(
        new TableDeclaration("PK", "SK", "ttl", DECLARED.indexes(), true, true),
        "TTL attribute is ttl, declared is expires_at");
  }

  @Test
  void between_missingIndex_namesIt() {
    assertOne(Declarations.of(List.of(ONE)), "index TWO is missing");
  }

  @Test
  void between_undeclaredIndex_namesIt() {
    var more = Declarations.index("MORE", Set.of("a"));

    assertOne(Declarations.of(List.of(ONE, TWO, more)), "index MORE is not declared");
  }

  @Test
  void between_otherIndexPartitionKey_namesIndexAndBoth() {
    assertOne(
        Declarations.of(List.of(index("x", "TWOSK", "c"), ONE)),
        "TWO partition key is x, declared is TWOPK");
  }

  @Test
  void between_otherIndexSortKey_namesIndexAndBoth() {
    assertOne(
        Declarations.of(List.of(index("TWOPK", "x", "c"), ONE)),
        "TWO sort key is x, declared is TWOSK");
  }

  @Test
  void between_otherProjection_namesIndexAndBoth() {
    assertOne(
        Declarations.of(List.of(index("TWOPK", "TWOSK", "d"), ONE)),
        "TWO projection is [d], declared is [c]");
  }

  @Test
  void between_severalDifferences_hasASentenceEach() {
    var found = new TableDeclaration("pk", "sk", "ttl", List.of(), true, true);

    assertThat(TableDifferences.between(DECLARED, found)).hasSize(5);
  }

  private static IndexDeclaration index(String partition, String sort, String projected) {
    return new IndexDeclaration("TWO", "", partition, sort, new TreeSet<>(Set.of(projected)));
  }

  private static void assertOne(TableDeclaration found, String sentence) {
    assertThat(TableDifferences.between(DECLARED, found)).containsExactly(sentence);
  }
}
