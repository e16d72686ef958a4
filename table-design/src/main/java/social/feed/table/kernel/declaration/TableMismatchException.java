package social.feed.table.kernel.declaration;

import java.util.List;

/** A table of the wanted name exists and is not the declared one. */
public final class TableMismatchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> differences;

  public TableMismatchException(String table, List<String> differences) {
    super("Table " + table + " is not the declared one: " + String.join("; ", differences));
    this.differences = List.copyOf(differences);
  }

  /** One sentence a difference. */
  public List<String> differences() {
    return differences;
  }
}
