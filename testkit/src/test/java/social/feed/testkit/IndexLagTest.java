package social.feed.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.InterceptorContext;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

class IndexLagTest {
  private static final SdkRequest WRITE = PutItemRequest.builder().build();
  private static final SdkRequest QUERY = QueryRequest.builder().indexName("GSI1").build();
  private static final long SECOND = 1_000_000_000;

  private final AtomicLong now = new AtomicLong();
  private final List<Long> pauses = new ArrayList<>();
  private final AtomicLong lastWrite = new AtomicLong(-SECOND);
  private final IndexLag lag = lag(true);

  private IndexLag lag(boolean isOn) {
    return new IndexLag(
        isOn,
        lastWrite,
        now::get,
        nanos -> {
          pauses.add(nanos);
          now.addAndGet(nanos);
        });
  }

  private static void call(IndexLag through, SdkRequest request) {
    var context = InterceptorContext.builder().request(request).build();
    through.beforeExecution(context, new ExecutionAttributes());
    through.afterExecution(context, new ExecutionAttributes());
  }

  @Test
  void queryOfAnIndex_waitsUntilTheLastWriteIsASecondOld() {
    call(lag, WRITE);
    now.addAndGet(SECOND / 4);
    call(lag, QUERY);
    call(lag, QUERY);

    assertThat(pauses).containsExactly(SECOND * 3 / 4);
  }

  @Test
  void queryOfAnIndex_withoutAWrite_doesNotWait() {
    call(lag, QUERY);

    assertThat(pauses).isEmpty();
  }

  @Test
  void strongRead_doesNotWait() {
    call(lag, WRITE);
    call(lag, GetItemRequest.builder().consistentRead(true).build());

    assertThat(pauses).isEmpty();
    call(lag, GetItemRequest.builder().build());
    assertThat(pauses).containsExactly(SECOND);
  }

  @Test
  void outsideAws_noCallWaits() {
    var off = lag(false);
    call(off, WRITE);
    call(off, QUERY);

    assertThat(pauses).isEmpty();
  }
}
