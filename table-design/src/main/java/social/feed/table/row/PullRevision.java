package social.feed.table.row;

import java.util.List;
import java.util.Set;

/**
 * The revision of the registry of pulled authors: {@code REGISTRY#PULL / REVISION}. Each change
 * that readers must see raises it after the row of the author, so a reader of an unchanged revision
 * needs no other row.
 *
 * @param revision how often it was raised
 */
@StoredAs(RowKind.PULL_REVISION)
public record PullRevision(long revision) implements Row {
  public static final String REVISION = "revision";
  public static final Key KEY = new Key(Keys.PULL_REGISTRY, "REVISION");

  @Override
  public Key key() {
    return KEY;
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.of();
  }

  @Override
  public List<Key> parents() {
    // It belongs to the registry as a whole.
    return List.of();
  }
}
