package social.feed.api.edge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FilterOrderTest {

  /** With equal places, the order of two filters would be arbitrary. */
  @Test
  void filters_haveDistinctPlacesInTheirOrder() {
    assertThat(
            new int[] {
              FilterOrder.REQUEST_LOG,
              FilterOrder.RESPONSE_HEADERS,
              FilterOrder.TRACE,
              FilterOrder.CORS,
              FilterOrder.GATEWAY_LIMITS,
              FilterOrder.COST_HEADERS,
              FilterOrder.RATE_HEADERS,
              FilterOrder.INVALID_TOKEN_LIMIT,
              FilterOrder.ENTITY_TAGS,
              FilterOrder.CALLER_LOG,
              FilterOrder.RATE_LIMIT,
              FilterOrder.OPERATOR_CHECK,
              FilterOrder.QUERY_CHECK
            })
        .isSorted()
        .doesNotHaveDuplicates()
        .hasSize(FilterOrder.class.getFields().length);
  }
}
