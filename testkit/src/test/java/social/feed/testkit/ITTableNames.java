package social.feed.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.engine.LocalDynamoDb;
import social.feed.table.kernel.declaration.CreateTableRendering;
import social.feed.table.kernel.schema.FeedTable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Tests on a shared engine leave no tables behind, and remove no tables of other processes. */
class ITTableNames {
  private LocalDynamoDb engine;
  private DynamoDbClient client;

  @BeforeEach
  void start() {
    engine = LocalDynamoDb.start();
    client = engine.newClient();
  }

  @AfterEach
  void stop() {
    client.close();
    engine.close();
  }

  private TestEngine.Shared shared(String prefix) {
    return new TestEngine.Shared(EngineAddress.local(engine.endpoint()), TableNames.under(prefix));
  }

  private String made(TestEngine.Shared on) {
    var name = on.tableName();
    on.make(client, name);
    return name;
  }

  @Test
  void table_ofATest_isRemovedWithTablesThatStartWithItsName() {
    var ada = shared("feed-test-ada");
    var first = made(ada);
    var second = made(ada);
    ada.make(client, first + "-other-1");

    ada.remove(client, first);

    assertThat(client.listTables().tableNames()).containsExactly(second);
  }

  @Test
  void leftovers_areRemovedByPrefix_andOtherTablesStay() {
    var killed = shared("feed-test-ada");
    made(killed);
    made(killed);
    var others = made(shared("feed-test-adam"));
    client.createTable(
        CreateTableRendering.render(FeedTable.DECLARATION.unprotected(), "feed").create());

    TableNames.under("feed-test-ada").removeLeftovers(client);

    assertThat(client.listTables().tableNames()).containsExactly("feed", others);
  }

  /** The case of two developers with the same name, or of two concurrent runs of one developer. */
  @Test
  void twoRuns_withoutAPrefix_doNotRemoveEachOthersTables() {
    var first = TableNames.ofThisRun();
    var second = TableNames.ofThisRun();
    var made = made(new TestEngine.Shared(EngineAddress.local(engine.endpoint()), first));

    second.removeLeftovers(client);
    first.removeLeftovers(client);

    assertThat(second.prefix()).isNotEqualTo(first.prefix());
    assertThat(client.listTables().tableNames()).containsExactly(made);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "feed", "feed-test-", "feed-test-a-b", "feed-", "prod"})
  void prefix_thatOtherTablesMayHave_isRejected(String prefix) {
    assertThatIllegalArgumentException().isThrownBy(() -> TableNames.under(prefix));
  }
}
