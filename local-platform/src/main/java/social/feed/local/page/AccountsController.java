package social.feed.local.page;

import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.security.annotation.Secured;
import io.micronaut.security.rules.SecurityRule;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.RowKind;
import social.feed.table.row.User;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/**
 * Lists accounts, so that the page can act as any of them. No route of the API does that. On the
 * local platform only.
 */
@Controller("/v1/dev/accounts")
@Secured(SecurityRule.IS_ANONYMOUS)
@ExecuteOn(TaskExecutors.BLOCKING)
final class AccountsController {
  /** A table of more megabytes is not read to its end. */
  private static final int PAGES = 20;

  private static final int ACCOUNTS = 300;

  private final Table table;

  AccountsController(Table table) {
    this.table = table;
  }

  /**
   * Returns accounts, the oldest first; of more than 300 the newest. Reads at most 20 MB of the
   * table.
   *
   * @return {@code items} with {@code id}, {@code handle} and {@code display_name}
   */
  @Get
  @Produces(MediaType.APPLICATION_JSON)
  String accounts() {
    var scan =
        ScanRequest.builder()
            .tableName(table.name())
            .filterExpression("#entity = :user")
            .expressionAttributeNames(Map.of("#entity", RowKind.ATTRIBUTE))
            .expressionAttributeValues(Map.of(":user", AttributeValue.fromS(RowKind.USER.name())))
            .build();
    var users =
        table.client().scanPaginator(scan).stream()
            .limit(PAGES)
            .flatMap(page -> page.items().stream())
            .map(item -> (User) RowCodec.decode(item))
            .sorted(Comparator.comparing(User::createdAt).thenComparing(User::userId))
            .toList();
    List<Map<String, String>> items =
        users.stream()
            .skip(Math.max(0, users.size() - ACCOUNTS))
            .map(
                user ->
                    Map.of(
                        "id", user.userId(),
                        "handle", user.handle(),
                        "display_name", user.displayName()))
            .toList();
    return PageJson.of(Map.of("items", items));
  }
}
