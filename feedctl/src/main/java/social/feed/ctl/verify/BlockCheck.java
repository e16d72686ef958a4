package social.feed.ctl.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import social.feed.table.graph.BlockWriter;
import social.feed.table.kernel.store.ConditionalWrites;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Block;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Row;

/**
 * Each block is known on both sides, and nobody follows across it. Three read units a block, one
 * for the row of the other side. What somebody blocked is what counts: the rest is made to fit, and
 * a row of the other side without a block goes.
 */
record BlockCheck(TableScanner census, BlockWriter writes, ConditionalWrites corrections)
    implements RowCheck {
  @Override
  public String name() {
    return "blocks";
  }

  @Override
  public boolean concerns(Row row) {
    return row instanceof Block || row instanceof BlockedBy;
  }

  @Override
  public List<Drift> inspect(List<Row> rows) {
    var there = RelatedRows.at(rows.stream().flatMap(BlockCheck::partners).toList(), census);
    var drifts = new ArrayList<Drift>();
    for (var row : rows) {
      if (row instanceof Block block) {
        problem(block, there)
            .ifPresent(
                problem -> drifts.add(new Drift(row.key(), problem, () -> writes.mend(block))));
      } else if (row instanceof BlockedBy other && !there.has(other.mirrored().key())) {
        var problem = row.key() + " has no block on the other side";
        drifts.add(new Drift(row.key(), problem, () -> corrections.remove(row)));
      }
    }
    return drifts;
  }

  private static Stream<Key> partners(Row row) {
    return row instanceof Block block
        ? Stream.concat(Stream.of(block.mirrored().key()), edges(block))
        : Stream.of(((BlockedBy) row).mirrored().key());
  }

  private static Stream<Key> edges(Block block) {
    return Stream.of(
        Follow.key(block.userId(), block.blockedId()),
        Follow.key(block.blockedId(), block.userId()));
  }

  private static Optional<String> problem(Block block, RelatedRows there) {
    if (!there.has(block.mirrored().key())) {
      return Optional.of(block.key() + " is not known on the other side");
    }
    return edges(block)
        .filter(there::has)
        .findFirst()
        .map(edge -> block.key() + " has the edge " + edge + " across it");
  }
}
