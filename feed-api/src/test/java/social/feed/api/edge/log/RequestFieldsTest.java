package social.feed.api.edge.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class RequestFieldsTest {

  @AfterEach
  void clear() {
    MDC.clear();
  }

  /** Streams and exports run on threads of their own, after the response has begun. */
  @Test
  void fields_areCarriedIntoAnotherThread_andRemovedThere() throws InterruptedException {
    AtomicReference<String> during = new AtomicReference<>("");
    AtomicReference<String> after = new AtomicReference<>("");
    MDC.put("request", "12345678");
    Runnable task = RequestFields.carriedInto(() -> during.set(String.valueOf(MDC.get("request"))));
    MDC.clear();

    Thread.ofVirtual()
        .start(
            () -> {
              task.run();
              after.set(String.valueOf(MDC.get("request")));
            })
        .join();

    assertThat(during).hasValue("12345678");
    assertThat(after).hasValue("null");
  }

  @Test
  void withoutFields_theTaskIsTheSame() {
    Runnable task = () -> {};

    assertThat(RequestFields.carriedInto(task)).isSameAs(task);
  }
}
