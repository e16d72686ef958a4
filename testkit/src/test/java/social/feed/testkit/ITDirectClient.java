package social.feed.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/** The client without HTTP behaves as the SDK's client with HTTP, its interceptors included. */
@ExtendWith(EngineExtension.class)
class ITDirectClient {

  /** The calls of an interceptor that alters requests and responses. */
  private record Noting(String name, List<String> calls) implements ExecutionInterceptor {
    @Override
    public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
      note("before", context.request());
    }

    @Override
    public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
      note("request", context.request());
      return context.request() instanceof GetItemRequest get
          ? get.toBuilder().returnConsumedCapacity(ReturnConsumedCapacity.INDEXES).build()
          : context.request();
    }

    @Override
    public SdkResponse modifyResponse(
        Context.ModifyResponse context, ExecutionAttributes attributes) {
      note("response", context.request());
      return context.response() instanceof GetItemResponse got && name.equals("outer")
          ? got.toBuilder().item(Map.of("altered", AttributeValue.fromBool(true))).build()
          : context.response();
    }

    @Override
    public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
      note("after " + context.response(), context.request());
    }

    @Override
    public void onExecutionFailure(
        Context.FailedExecution context, ExecutionAttributes attributes) {
      note("failure " + context.exception().getClass().getSimpleName(), context.request());
    }

    private void note(String what, SdkRequest request) {
      calls.add(name + " " + what + " of " + request);
    }
  }

  private static final Map<String, AttributeValue> KEY =
      Map.of("PK", AttributeValue.fromS("direct"), "SK", AttributeValue.fromS("client"));

  /** Calls that succeed and fail in the ways that stores distinguish. */
  private enum Call {
    ABSENT(client -> name -> client.getItem(g -> g.tableName(name).key(KEY))),
    PUT_AND_GET(
        client ->
            name -> {
              client.putItem(p -> p.tableName(name).item(KEY));
              return client.getItem(g -> g.tableName(name).key(KEY));
            }),
    REJECTED_PUT(
        client ->
            name -> {
              client.putItem(p -> p.tableName(name).item(KEY));
              return client.putItem(
                  p ->
                      p.tableName(name)
                          .item(KEY)
                          .conditionExpression("attribute_not_exists(PK)")
                          .returnValuesOnConditionCheckFailure(
                              ReturnValuesOnConditionCheckFailure.ALL_OLD));
            }),
    CANCELED_TRANSACTION(
        client ->
            name -> {
              client.putItem(p -> p.tableName(name).item(KEY));
              return client.transactWriteItems(
                  t ->
                      t.transactItems(
                          i ->
                              i.put(
                                  p ->
                                      p.tableName(name)
                                          .item(KEY)
                                          .conditionExpression("attribute_not_exists(PK)")
                                          .returnValuesOnConditionCheckFailure(
                                              ReturnValuesOnConditionCheckFailure.ALL_OLD))));
            }),
    MISSING_TABLE(client -> _ -> client.getItem(g -> g.tableName("missing").key(KEY))),
    INVALID(client -> name -> client.getItem(g -> g.tableName(name).key(Map.of()))),
    PAGES(
        client ->
            name ->
                client.scanPaginator(s -> s.tableName(name)).items().stream()
                    .findFirst()
                    .orElse(KEY));

    private final Function<DynamoDbClient, Function<String, Object>> call;

    Call(Function<DynamoDbClient, Function<String, Object>> call) {
      this.call = call;
    }
  }

  private final TestTable table;

  ITDirectClient(TestTable table) {
    this.table = table;
  }

  @ParameterizedTest
  @EnumSource(Call.class)
  void call_ofBothClients_endsTheSame(Call call) {
    try (var direct = table.newClient();
        var http = table.newHttpClient()) {
      assertThat(outcome(direct, call)).isEqualTo(outcome(http, call));
    }
  }

  @ParameterizedTest
  @EnumSource(Call.class)
  void interceptors_ofBothClients_areCalledTheSame(Call call) {
    var toDirect = new ArrayList<String>();
    var toHttp = new ArrayList<String>();
    try (var direct =
            table.newClient(new Noting("outer", toDirect), new Noting("inner", toDirect));
        var http = table.newHttpClient(new Noting("outer", toHttp), new Noting("inner", toHttp))) {
      assertThat(outcome(direct, call)).isEqualTo(outcome(http, call));
      assertThat(toDirect).isNotEmpty().isEqualTo(toHttp);
    }
  }

  @Test
  void write_wakesListeners() {
    var woken = new ArrayList<String>();
    table.engine().onWrite(() -> woken.add("woken"));
    try (var direct = table.newClient()) {
      direct.getItem(g -> g.tableName(table.table().name()).key(KEY));
      assertThat(woken).isEmpty();
      direct.deleteItem(d -> d.tableName(table.table().name()).key(KEY));
    }
    assertThat(woken).hasSize(1);
  }

  /** Starts without the item and returns the answer, or the type and the text of the failure. */
  private String outcome(DynamoDbClient client, Call call) {
    var name = table.table().name();
    table.client().deleteItem(d -> d.tableName(name).key(KEY));
    var answer = new ArrayList<Object>();
    var failure = catchThrowable(() -> answer.add(call.call.apply(client).apply(name)));
    return failure == null
        ? answer.toString()
        : failure.getClass() + " " + withoutRequestId(String.valueOf(failure.getMessage()));
  }

  private static String withoutRequestId(String message) {
    return message.replaceAll("\\(Service: .*", "").strip();
  }
}
