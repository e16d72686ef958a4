package social.feed.table.kernel.declaration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import social.feed.table.kernel.schema.FeedTable;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;

class CreateTableRenderingTest {
  private static final CreateTableRendering RENDERED =
      CreateTableRendering.render(FeedTable.DECLARATION, "feed");

  @Test
  void parse_ofRendering_isTheDeclaration() {
    assertThat(RENDERED.parse()).isEqualTo(FeedTable.DECLARATION);
  }

  @Test
  void parse_ofUnprotectedRendering_isTheUnprotectedDeclaration() {
    var table = FeedTable.DECLARATION.unprotected();

    assertThat(CreateTableRendering.render(table, "feed").parse())
        .isEqualTo(table)
        .isNotEqualTo(FeedTable.DECLARATION);
  }

  @Test
  void parse_ofRenderingOfAnyDeclaration_isThatDeclaration() {
    var random = new Random(7);
    for (int i = 0; i < 500; i++) {
      var table = any(random);
      assertThat(CreateTableRendering.render(table, "t" + i).parse()).isEqualTo(table);
    }
  }

  @Test
  void render_feedTable_hasTheSettingsOfTheContract() {
    var create = RENDERED.create();

    assertThat(create.billingMode()).isEqualTo(BillingMode.PAY_PER_REQUEST);
    assertThat(create.deletionProtectionEnabled()).isTrue();
    assertThat(create.sseSpecification().enabled()).isTrue();
    assertThat(create.streamSpecification().streamViewType())
        .isEqualTo(StreamViewType.NEW_AND_OLD_IMAGES);
    assertThat(create.globalSecondaryIndexes())
        .extracting(GlobalSecondaryIndex::indexName)
        .containsExactlyInAnyOrder("GSI1", "GSI2", "GSI3", "GSI_FOL", "GSI_FOLLOWING", "GSI_NOTIF");
    assertThat(create.globalSecondaryIndexes())
        .allSatisfy(
            index ->
                assertThat(index.projection().projectionType()).isEqualTo(ProjectionType.INCLUDE));
    assertThat(RENDERED.timeToLive().timeToLiveSpecification().attributeName())
        .isEqualTo("expires_at");
    assertThat(RENDERED.backups().pointInTimeRecoverySpecification().pointInTimeRecoveryEnabled())
        .isTrue();
  }

  @Test
  void render_keyAttributes_areDefinedOnceEach() {
    assertThat(RENDERED.create().attributeDefinitions())
        .extracting(AttributeDefinition::attributeName)
        .doesNotHaveDuplicates()
        .hasSize(2 + 2 * 6);
  }

  @Test
  void parse_numberKey_isRejected() {
    var definitions = new ArrayList<>(RENDERED.create().attributeDefinitions());
    definitions.set(
        0, definitions.getFirst().toBuilder().attributeType(ScalarAttributeType.N).build());
    var create = RENDERED.create().toBuilder().attributeDefinitions(definitions).build();

    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new CreateTableRendering(create, RENDERED.timeToLive(), RENDERED.backups()).parse())
        .withMessageContaining("PK");
  }

  @Test
  void parse_projectionOfAll_isRejected() {
    var indexes = new ArrayList<>(RENDERED.create().globalSecondaryIndexes());
    indexes.set(
        0,
        indexes.getFirst().toBuilder()
            .projection(p -> p.projectionType(ProjectionType.ALL))
            .build());
    var create = RENDERED.create().toBuilder().globalSecondaryIndexes(indexes).build();

    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new CreateTableRendering(create, RENDERED.timeToLive(), RENDERED.backups()).parse())
        .withMessageContaining("GSI1");
  }

  private static TableDeclaration any(Random random) {
    var indexes = new ArrayList<IndexDeclaration>();
    for (int i = 0; i < random.nextInt(6); i++) {
      indexes.add(index("I" + i, random));
    }
    return new TableDeclaration(
        "p" + random.nextInt(9),
        "s" + random.nextInt(9),
        "ttl" + random.nextInt(9),
        List.copyOf(indexes),
        random.nextBoolean(),
        random.nextBoolean());
  }

  private static IndexDeclaration index(String name, Random random) {
    var projected = new TreeSet<String>();
    for (int i = 0; i <= random.nextInt(8); i++) {
      projected.add("a" + random.nextInt(20));
    }
    return new IndexDeclaration(
        name, "", "k" + random.nextInt(99), "r" + random.nextInt(99), projected);
  }
}
