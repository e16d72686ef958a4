package social.feed.api.function;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent.RequestContext;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent.RequestContext.Http;
import java.util.List;
import java.util.Map;
import org.crac.Context;
import org.crac.Resource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.api.edge.log.RouteMetrics;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.User;

/**
 * Prepares the function before Lambda takes the snapshot that all its instances start from. Reads
 * an account that does not exist and sends requests without a token through the routes, so that
 * their classes are loaded. They write nothing, and cost a read unit for each published version.
 *
 * <p>A table that cannot be read is only logged: a version that starts while the table does not
 * answer must work when the table answers again.
 *
 * <p>After a restore nothing is renewed. Jitter and ids come from {@code SecureRandom}, which reads
 * the system's generator. No request of a member is served before the snapshot, so caches and the
 * issuer's keys are empty in it, and the measured requests of this class are forgotten. The table's
 * client opens new connections.
 */
final class ApiPriming implements Resource {
  private static final Logger LOG = LoggerFactory.getLogger(ApiPriming.class);

  /** An id that no account can have. */
  private static final String NO_ACCOUNT = " ";

  private static final List<String> PATHS =
      List.of("/health/liveness", "/v1/feed", "/v1/access-patterns", "/v1/none");

  private final GatewayHandler handler;

  ApiPriming(GatewayHandler handler) {
    this.handler = handler;
  }

  @Override
  public void beforeCheckpoint(Context<? extends Resource> context) {
    Table table = handler.getApplicationContext().getBean(Table.class);
    try {
      table.get(User.key(NO_ACCOUNT));
      PATHS.forEach(path -> handler.handle(event(path)));
      handler.getApplicationContext().getBean(RouteMetrics.class).forget();
      LOG.info("Primed: {} was read", table.name());
    } catch (RuntimeException e) {
      LOG.warn("Not primed: {} cannot be read", table.name(), e);
    }
  }

  private static APIGatewayV2HTTPEvent event(String path) {
    Http http = Http.builder().withMethod("GET").withPath(path).withSourceIp("127.0.0.1").build();
    return APIGatewayV2HTTPEvent.builder()
        .withVersion("2.0")
        .withRawPath(path)
        .withRawQueryString("")
        .withHeaders(Map.of())
        .withRequestContext(RequestContext.builder().withHttp(http).build())
        .build();
  }

  @Override
  public void afterRestore(Context<? extends Resource> context) {
    // See the description of this class.
  }
}
