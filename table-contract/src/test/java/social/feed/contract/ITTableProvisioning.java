package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.kernel.declaration.CreateTableRendering;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.declaration.IndexDeclaration;
import social.feed.table.kernel.declaration.TableDeclaration;
import social.feed.table.kernel.declaration.TableDifferences;
import social.feed.table.kernel.declaration.TableMismatchException;
import social.feed.table.kernel.declaration.TableProvisioning;
import social.feed.table.kernel.schema.FeedTable;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.OnlyEmbedded;
import social.feed.testkit.OnlyEmbedded.Reason;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/** A missing table is created as declared; a table that differs is rejected and stays unchanged. */
@ExtendWith(EngineExtension.class)
@OnlyEmbedded(Reason.MANY_TABLES)
class ITTableProvisioning {
  private static final TableDeclaration DECLARED = FeedTable.DECLARATION.unprotected();

  @Test
  void ensure_twice_createsOnce(TestTable table) {
    var name = table.otherName();

    assertThat(provisioning(table).ensure(name)).isTrue();
    assertThat(provisioning(table).ensure(name)).isFalse();
    assertThat(TableDifferences.between(DECLARED, provisioning(table).describe(name))).isEmpty();
  }

  @Test
  void ensure_manyConcurrent_createsOnce(TestTable table) {
    var name = table.otherName();

    var created = AtOnce.run(8, _ -> provisioning(table).ensure(name));

    assertThat(created).filteredOn(c -> c).hasSize(1);
  }

  @Test
  void ensure_newTable_hasTimeToLiveAndStream(TestTable table) {
    var name = table.otherName();
    provisioning(table).ensure(name);

    var ttl = table.client().describeTimeToLive(t -> t.tableName(name)).timeToLiveDescription();
    var stream = table.client().describeTable(t -> t.tableName(name)).table().streamSpecification();

    assertThat(ttl.attributeName()).isEqualTo("expires_at");
    assertThat(ttl.timeToLiveStatus()).isEqualTo(TimeToLiveStatus.ENABLED);
    assertThat(stream.streamViewType()).isEqualTo(StreamViewType.NEW_AND_OLD_IMAGES);
  }

  @Test
  void ensure_tableWithTimeToLiveStillOff_turnsItOn(TestTable table) {
    var name = table.otherName();
    create(table, name, create -> create);

    assertThat(provisioning(table).ensure(name)).isFalse();
    assertThat(isTimeToLiveOn(table, name)).isTrue();
  }

  @Test
  void ensure_otherProjection_isReportedAndLeavesTheTableUnchanged(TestTable table) {
    var other = new ArrayList<>(DECLARED.indexes());
    other.set(0, IndexDeclaration.of(Index.POSTS_BY_AUTHOR, new TreeSet<>(Set.of("post_id"))));
    var name = created(table, withIndexes(other));

    assertMismatch(table, name, "GSI1 projection is [post_id]");
    assertThat(isTimeToLiveOn(table, name)).isFalse();
  }

  @Test
  void ensure_otherKey_isReported(TestTable table) {
    var name =
        created(
            table,
            new TableDeclaration("pk", "SK", "expires_at", DECLARED.indexes(), false, false));

    assertMismatch(table, name, "partition key is pk");
  }

  @Test
  void ensure_missingIndex_isReported(TestTable table) {
    var name = created(table, withIndexes(DECLARED.indexes().subList(0, 5)));

    assertMismatch(table, name, "index GSI_NOTIF is missing");
  }

  @Test
  void ensure_otherTimeToLive_isReported(TestTable table) {
    var name = table.otherName();
    create(table, name, create -> create);
    table
        .client()
        .updateTimeToLive(
            t ->
                t.tableName(name)
                    .timeToLiveSpecification(s -> s.attributeName("ttl").enabled(true)));

    assertMismatch(table, name, "TTL attribute is ttl");
  }

  @Test
  void ensure_projectionOfAll_isAMismatchToo(TestTable table) {
    var name = table.otherName();
    create(table, name, create -> create.toBuilder().globalSecondaryIndexes(all(create)).build());

    assertMismatch(table, name, "does not project INCLUDE");
  }

  @Test
  void ensure_numberKey_isAMismatchToo(TestTable table) {
    var name = table.otherName();
    create(table, name, create -> create.toBuilder().attributeDefinitions(numbers(create)).build());

    assertMismatch(table, name, "GSI1SK");
  }

  /** Without a stream there would be no counts, deliveries or notifications. */
  @Test
  void ensure_tableWithoutStream_isAMismatchToo(TestTable table) {
    var name = table.otherName();
    create(
        table,
        name,
        create -> create.toBuilder().streamSpecification(s -> s.streamEnabled(false)).build());

    assertMismatch(table, name, "stream");
  }

  private static List<GlobalSecondaryIndex> all(CreateTableRequest create) {
    return create.globalSecondaryIndexes().stream()
        .map(i -> i.toBuilder().projection(p -> p.projectionType(ProjectionType.ALL)).build())
        .toList();
  }

  private static List<AttributeDefinition> numbers(CreateTableRequest create) {
    return create.attributeDefinitions().stream()
        .map(
            a ->
                a.attributeName().equals("GSI1SK")
                    ? a.toBuilder().attributeType(ScalarAttributeType.N).build()
                    : a)
        .toList();
  }

  private static void assertMismatch(TestTable table, String name, String difference) {
    assertThatExceptionOfType(TableMismatchException.class)
        .isThrownBy(() -> provisioning(table).ensure(name))
        .withMessageContaining(name)
        .withMessageContaining(difference);
  }

  private static TableDeclaration withIndexes(List<IndexDeclaration> indexes) {
    return new TableDeclaration("PK", "SK", "expires_at", indexes, false, false);
  }

  private static String created(TestTable table, TableDeclaration declaration) {
    var name = table.otherName();
    table.client().createTable(CreateTableRendering.render(declaration, name).create());
    return name;
  }

  private static void create(
      TestTable table, String name, UnaryOperator<CreateTableRequest> change) {
    var create = CreateTableRendering.render(DECLARED, name).create();
    table.client().createTable(change.apply(create));
  }

  private static boolean isTimeToLiveOn(TestTable table, String name) {
    return table
            .client()
            .describeTimeToLive(t -> t.tableName(name))
            .timeToLiveDescription()
            .timeToLiveStatus()
        == TimeToLiveStatus.ENABLED;
  }

  private static TableProvisioning provisioning(TestTable table) {
    return new TableProvisioning(table.client(), DECLARED);
  }
}
