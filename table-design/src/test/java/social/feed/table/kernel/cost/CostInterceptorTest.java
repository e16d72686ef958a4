package social.feed.table.kernel.cost;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;

class CostInterceptorTest {
  private static final QueryRequest QUERY =
      QueryRequest.builder()
          .tableName("feed")
          .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
          .build();

  @Test
  void request_thatAsksForItsUnits_isNotCopied() {
    assertThat(CostInterceptor.requesting(QUERY)).isSameAs(QUERY);
  }

  @Test
  void request_thatAsksForNoUnitsOrOthers_asksForTheSum() {
    for (var asked : new ReturnConsumedCapacity[] {null, ReturnConsumedCapacity.NONE}) {
      var request = QUERY.toBuilder().returnConsumedCapacity(asked).build();

      assertThat(CostInterceptor.requesting(request)).isEqualTo(QUERY);
    }
  }

  @Test
  void request_withoutUnits_staysAsItIs() {
    var request = DescribeTableRequest.builder().tableName("feed").build();

    assertThat(CostInterceptor.requesting(request)).isSameAs(request);
  }
}
