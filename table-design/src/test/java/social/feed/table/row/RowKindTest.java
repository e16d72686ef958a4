package social.feed.table.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RowKindTest {
  private static final Class<?>[] PERMITTED = Row.class.getPermittedSubclasses();

  @Test
  void kinds_andPermittedRows_matchOneToOne() {
    assertThat(RowKind.types(PERMITTED))
        .containsOnlyKeys(RowKind.values())
        .containsValues(PERMITTED)
        .hasSameSizeAs(PERMITTED);
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
  void types_recordWithoutKind_saysWhatToAdd() {
    var withOneMore = Stream.concat(Arrays.stream(PERMITTED), Stream.of(PostRef.class));

    assertThatIllegalStateException()
        .isThrownBy(() -> RowKind.types(withOneMore.toArray(Class[]::new)))
        .withMessage(
            "PostRef has no entity type: add a constant to RowKind, and @StoredAs with it to the"
                + " record");
  }

  @Test
  void types_twoRecordsOfOneKind_namesBoth() {
    var withOneTwice = Stream.concat(Arrays.stream(PERMITTED), Stream.of(Like.class));

    assertThatIllegalStateException()
        .isThrownBy(() -> RowKind.types(withOneTwice.toArray(Class[]::new)))
        .withMessage(
            "Like and Like are both stored as LIKE: add a constant to RowKind for one of them");
  }

  @Test
  void types_kindWithoutRecord_namesTheConstant() {
    var withOneLess = Arrays.stream(PERMITTED).filter(type -> type != RetainedPosts.class);

    assertThatIllegalStateException()
        .isThrownBy(() -> RowKind.types(withOneLess.toArray(Class[]::new)))
        .withMessageContaining("No row is stored as [KEPT_HISTORY]")
        .withMessageContaining("remove the constant");
  }

  @Test
  void attributesWrittenLater_areTheRecountsOfEachCounter_andNoneOfARowWithoutAny() {
    assertThat(RowKind.POST.extraAttributes())
        .containsExactly(Counted.recounts(Post.LIKES_COUNT), Counted.recounts(Post.COMMENTS_COUNT));
    assertThat(RowKind.INBOX.extraAttributes()).containsExactly("unread_recounts");
    assertThat(RowKind.LIKE.extraAttributes()).isEmpty();
  }

  @Test
  void countedRows_arePermittedRows() {
    assertThat(Arrays.asList(PERMITTED)).contains(Counted.class.getPermittedSubclasses());
  }
}
