package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.ctl.graph.EdgeFile;
import social.feed.ctl.graph.GraphImport;
import social.feed.ctl.graph.ImportResult;
import social.feed.local.PlatformSettings;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.testkit.LongRunning;
import social.feed.testkit.fault.CrashPoint;
import social.feed.testkit.fault.CrashPoint.Crash;
import social.feed.testkit.fault.CrashPoint.Side;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.fault.WiredClient;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * Cuts an import off before and after each of its writes, and loses the answer of each. A second
 * import completes the first: nothing is missing, nothing is counted twice, and the report of
 * skipped edges is the same.
 */
@LongRunning
class ITImportCutOff {
  private static final int CAP = 3;

  /** Below the number of edges of each follower, so that each import reads which edges exist. */
  private static final int LOW_CAP = 1;

  /** The write after that of the accounts. */
  private static final int FIRST_OF_THE_EDGES = 2;

  @TempDir private Path folder = Path.of("");
  private final VerifyWorld world = new VerifyWorld();

  /** The second imports that reported other skipped edges than one that was not cut off. */
  private final List<String> otherReports = new ArrayList<>();

  /** The number of edges of each import, by the common part of their keys. */
  private final Map<String, Long> edgesOf = new HashMap<>();

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void secondImport_afterACutAtAnyWrite_completesTheFirst() {
    int tried = cutOffEverywhere();

    assertThat(tried).as("accounts, four lanes of edges, posts; each in three ways").isEqualTo(18);
    assertThat(otherReports).isEmpty();
    assertThat(edgesOf.values()).hasSize(19).containsOnly(13L);
    var verified = world.verify();
    assertThat(verified.isClean()).as(verified.render()).isTrue();
  }

  /**
   * Edges in a batch and quotas behind them are faster, and leave edges that no quota counts. The
   * first write of the edges is a batch, whichever lane sends it.
   */
  @Test
  void secondImport_whereEdgesAreWrittenApartFromTheirQuotas_leavesWrongQuotas() {
    UnaryOperator<Wire> writer = cut -> new EdgesFirst(cut, world.table().client());

    var isCutOff =
        isCutOff("c", writer.apply(new CrashPoint(FIRST_OF_THE_EDGES, Side.AFTER)), LOW_CAP);
    load("c", writer.apply(CrashPoint.counting()), LOW_CAP);

    assertThat(isCutOff).isTrue();
    assertThat(world.verify().render()).contains("/ QUOTA is 1, but 2 were counted");
  }

  /** Cuts an import off at each of its writes and runs it again. Returns the number of cuts. */
  private int cutOffEverywhere() {
    var all = CrashPoint.counting();
    var expected = load("n", all, CAP);
    int tried = 0;
    for (int at = 1; at <= all.writes(); at++) {
      for (var side : Side.values()) {
        var ids = side.name() + at;
        tried += isCutOff(ids, new CrashPoint(at, side), CAP) ? 1 : 0;
        var second = load(ids, CrashPoint.counting(), CAP);
        if (!second.refused().equals(named(expected.refused(), ids))) {
          otherReports.add(ids + ": " + second.refused());
        }
      }
    }
    for (var item : world.items()) {
      var key = KeyAttributes.key(item);
      if (key.partition().startsWith("FOLLOWEE#")) {
        edgesOf.merge(key.partition().replaceFirst("_\\d$", ""), 1L, Long::sum);
      }
    }
    return tried;
  }

  private boolean isCutOff(String ids, Wire wire, int cap) {
    try {
      load(ids, wire, cap);
      return false;
    } catch (Crash | ApiCallTimeoutException e) {
      return true;
    }
  }

  private ImportResult load(String ids, Wire wire, int cap) {
    var client = WiredClient.of(world.table().client(), wire);
    var table = new Table(client, PlatformSettings.TABLE, Retry.standard());
    try {
      var file = Files.writeString(folder.resolve(ids), graph(ids));
      return new GraphImport(table, Clock.systemUTC(), VerifyWorld.silent())
          .run(new EdgeFile(file), world::drain, 1, cap);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Six accounts; each follows two others, and one follows all, beyond the cap. */
  private static String graph(String ids) {
    var lines = new StringBuilder();
    for (int n = 0; n < 6; n++) {
      for (int m = 1; m <= (n == 0 ? 5 : 2); m++) {
        lines.append("%s_%d %s_%d%n".formatted(ids, n, ids, (n + m) % 6));
      }
    }
    return lines.toString();
  }

  private static List<String> named(List<String> refused, String ids) {
    return refused.stream().map(sentence -> sentence.replace("n_", ids + "_")).toList();
  }

  /** Writes the edges of a transaction in a batch, without conditions, and then the rest of it. */
  private record EdgesFirst(Wire cut, DynamoDbClient client) implements Wire {
    @Override
    @SuppressWarnings("unchecked")
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      if (!(request instanceof TransactWriteItemsRequest transaction)) {
        return cut.send(request, table);
      }
      var edges = new ArrayList<WriteRequest>();
      var rest = new ArrayList<TransactWriteItem>();
      for (var write : transaction.transactItems()) {
        if (Objects.requireNonNull(write.put().item().get("SK")).s().startsWith("FOLLOWER#")) {
          edges.add(WriteRequest.builder().putRequest(p -> p.item(write.put().item())).build());
        } else {
          rest.add(write);
        }
      }
      if (!edges.isEmpty()) {
        var batch =
            BatchWriteItemRequest.builder()
                .requestItems(Map.of(PlatformSettings.TABLE, edges))
                .build();
        var unused = cut.send(batch, client::batchWriteItem);
      }
      return cut.send((Q) transaction.toBuilder().transactItems(rest).build(), table);
    }
  }
}
