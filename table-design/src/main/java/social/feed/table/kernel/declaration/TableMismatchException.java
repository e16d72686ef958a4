package social.feed.table.kernel.declaration;

import java.util.List;

/** Thrown when a table with the configured name exists and differs from the declared one. */
public final class TableMismatchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> differences;

  public TableMismatchException(String table, List<String> differences) {
    super("Table " + table + " differs from the declared one: " + String.join("; ", differences));
    this.differences = List.copyOf(differences);
  }

  /** Returns one sentence per difference. */
  public List<String> differences() {
    return differences;
  }
}
