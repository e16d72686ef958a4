package social.feed.table.kernel.declaration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TableDeclarationTest {
  @Test
  void declaration_twentyIndexes_isAllowed() {
    assertThat(Declarations.of(indexes(20, 5)).indexes()).hasSize(20);
  }

  @Test
  void declaration_twentyOneIndexes_isRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Declarations.of(indexes(21, 1)))
        .withMessageContaining("21 indexes");
  }

  @Test
  void declaration_twoIndexesOfOneName_isRejected() {
    var indexes = new ArrayList<>(indexes(2, 1));
    indexes.add(indexes.getFirst());

    assertThatIllegalArgumentException().isThrownBy(() -> Declarations.of(indexes));
  }

  @Test
  void declaration_hundredProjectedAttributes_isAllowed() {
    assertThat(Declarations.of(indexes(4, 25)).indexes()).hasSize(4);
  }

  @Test
  void declaration_hundredAndOneProjectedAttributes_isRejected() {
    var indexes = new ArrayList<>(indexes(4, 25));
    indexes.add(Declarations.index("ONE_MORE", Set.of("a")));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Declarations.of(indexes))
        .withMessageContaining("100");
  }

  @Test
  void index_withoutProjectedAttribute_isRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Declarations.index("EMPTY", Set.of()))
        .withMessageContaining("EMPTY");
  }

  @Test
  void declaration_listChangedAfterwards_staysTheSame() {
    var indexes = new ArrayList<>(indexes(2, 1));
    var table = Declarations.of(indexes);
    indexes.clear();

    assertThat(table.indexes()).hasSize(2);
  }

  @Test
  void index_projectionChangedAfterwards_staysTheSame() {
    var projected = new TreeSet<>(Set.of("a"));
    var index = new IndexDeclaration("X", "", "XPK", "XSK", projected);
    projected.add("b");

    assertThat(index.projected()).containsExactly("a");
  }

  private static List<IndexDeclaration> indexes(int count, int projected) {
    var names = IntStream.range(0, projected).mapToObj(i -> "a" + i).collect(Collectors.toSet());
    return IntStream.range(0, count)
        .mapToObj(i -> Declarations.index("INDEX_" + i, names))
        .toList();
  }
}
