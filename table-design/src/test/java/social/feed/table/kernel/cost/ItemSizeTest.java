package social.feed.table.kernel.cost;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class ItemSizeTest {

  @Test
  void string_isItsBytesInUtf8_withItsName() {
    assertThat(ItemSize.of(Map.of("né", AttributeValue.fromS("😀")))).isEqualTo(3 + 4);
  }

  @Test
  void number_hasAByteForTwoDigits_andOneMore() {
    assertThat(ItemSize.of(AttributeValue.fromN("0"))).isEqualTo(1);
    assertThat(ItemSize.of(AttributeValue.fromN("7"))).isEqualTo(2);
    assertThat(ItemSize.of(AttributeValue.fromN("12"))).isEqualTo(2);
    assertThat(ItemSize.of(AttributeValue.fromN("123"))).isEqualTo(3);
    assertThat(ItemSize.of(AttributeValue.fromN("0012000"))).isEqualTo(2);
    assertThat(ItemSize.of(AttributeValue.fromN("-12"))).isEqualTo(3);
  }

  @Test
  void simpleValues() {
    assertThat(ItemSize.of(AttributeValue.fromBool(true))).isEqualTo(1);
    assertThat(ItemSize.of(AttributeValue.fromNul(true))).isEqualTo(1);
    assertThat(ItemSize.of(AttributeValue.fromB(SdkBytes.fromUtf8String("abc")))).isEqualTo(3);
    assertThat(ItemSize.of(AttributeValue.fromSs(List.of("ab", "c")))).isEqualTo(3);
  }

  @Test
  void listAndMap_haveThreeBytes_andOneForEachElement() {
    var text = AttributeValue.fromS("ab");
    assertThat(ItemSize.of(AttributeValue.fromL(List.of()))).isEqualTo(3);
    assertThat(ItemSize.of(AttributeValue.fromL(List.of(text, text)))).isEqualTo(3 + 2 * (1 + 2));
    assertThat(ItemSize.of(AttributeValue.fromM(Map.of("x", text)))).isEqualTo(3 + 1 + 1 + 2);
  }
}
