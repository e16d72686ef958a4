package social.feed.table.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RowKindTest {
  @Test
  void kinds_andPermittedRows_areTheSame() {
    assertThat(RowKind.values())
        .extracting(kind -> (Object) kind.type())
        .containsExactlyInAnyOrder((Object[]) Row.class.getPermittedSubclasses());
  }

  @Test
  void kind_ofEachRow_isFoundByTypeAndByName() {
    for (var kind : RowKind.values()) {
      assertThat(RowKind.of(kind.type())).contains(kind);
      assertThat(RowKind.named(kind.name())).contains(kind);
      assertThat(kind.type()).isRecord();
    }
  }

  @Test
  void kind_ofProjectionOrUnknownName_isEmpty() {
    assertThat(RowKind.of(PostRef.class)).isEmpty();
    assertThat(RowKind.named("post")).isEmpty();
    assertThat(RowKind.named("")).isEmpty();
  }

  @Test
  void countedRows_arePermittedRowsToo() {
    assertThat(Arrays.asList(Row.class.getPermittedSubclasses()))
        .contains(Counted.class.getPermittedSubclasses());
  }
}
