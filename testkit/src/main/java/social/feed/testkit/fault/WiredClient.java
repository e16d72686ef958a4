package social.feed.testkit.fault;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;
import software.amazon.awssdk.services.dynamodb.paginators.QueryIterable;
import software.amazon.awssdk.services.dynamodb.paginators.ScanIterable;

/**
 * A client that sends the calls of the stores over a {@link Wire}, and supports no other calls. It
 * wraps any client, including one without interceptors. The exceptions of a fault are those that a
 * store receives after the SDK's retries.
 */
public final class WiredClient implements DynamoDbClient {
  private final DynamoDbClient table;
  private final Wire wire;

  public WiredClient(DynamoDbClient table, Wire wire) {
    this.table = table;
    this.wire = wire;
  }

  @Override
  public GetItemResponse getItem(GetItemRequest request) {
    return wire.send(request, table::getItem);
  }

  @Override
  public PutItemResponse putItem(PutItemRequest request) {
    return wire.send(request, table::putItem);
  }

  @Override
  public UpdateItemResponse updateItem(UpdateItemRequest request) {
    return wire.send(request, table::updateItem);
  }

  @Override
  public DeleteItemResponse deleteItem(DeleteItemRequest request) {
    return wire.send(request, table::deleteItem);
  }

  @Override
  public BatchGetItemResponse batchGetItem(BatchGetItemRequest request) {
    return wire.send(request, table::batchGetItem);
  }

  @Override
  public BatchWriteItemResponse batchWriteItem(BatchWriteItemRequest request) {
    return wire.send(request, table::batchWriteItem);
  }

  @Override
  public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest request) {
    return wire.send(request, table::transactWriteItems);
  }

  @Override
  public QueryResponse query(QueryRequest request) {
    return wire.send(request, table::query);
  }

  @Override
  public ScanResponse scan(ScanRequest request) {
    return wire.send(request, table::scan);
  }

  /** Bypasses the wire, since it reads metadata instead of items. */
  @Override
  public DescribeTableResponse describeTable(DescribeTableRequest request) {
    return table.describeTable(request);
  }

  @Override
  public QueryIterable queryPaginator(QueryRequest request) {
    return new QueryIterable(this, request);
  }

  @Override
  public ScanIterable scanPaginator(ScanRequest request) {
    return new ScanIterable(this, request);
  }

  @Override
  public String serviceName() {
    return table.serviceName();
  }

  /** Does nothing, because the wrapped client has an owner. */
  @Override
  public void close() {}
}
