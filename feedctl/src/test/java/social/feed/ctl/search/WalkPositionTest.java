package social.feed.ctl.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.ctl.search.WalkPosition.InIndex;
import social.feed.ctl.search.WalkPosition.InTable;
import social.feed.search.EntryKind;
import social.feed.table.row.Key;

class WalkPositionTest {
  @Test
  void position_isTheSameAfterItsText_whichIsOneWordOfAShell() {
    for (var position :
        new WalkPosition[] {
          new InTable(new Key("POST#1", "COMMENT#2/3 '*+%$\"")),
          new InTable(new Key("USER#æ—日", "META")),
          new InIndex(EntryKind.POST, "01J*"),
          new InIndex(EntryKind.ACCOUNT, "")
        }) {
      assertThat(position.text()).matches("[a-zA-Z0-9/%._-]+");
      assertThat(WalkPosition.parse(position.text())).isEqualTo(position);
    }
    assertThat(new InTable(new Key("USER#1", "META")).text()).isEqualTo("table/USER%231/META");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "table",
        "table/USER%231",
        "table//META",
        "table/USER%231/",
        "table/USER%231/META/more",
        "table/%zz/META",
        "post",
        "post/1/2",
        "media/1",
        "POST/1",
        "account/%"
      })
  void textThatIsNoPosition_isRejected(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WalkPosition.parse(text))
        .withMessageContaining("'" + text + "' is no position")
        .withMessageContaining("table/PARTITION/SORT, post/ID or account/ID");
  }
}
