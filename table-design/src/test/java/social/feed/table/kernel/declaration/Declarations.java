package social.feed.table.kernel.declaration;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Small declarations for tests. */
final class Declarations {
  private Declarations() {}

  static TableDeclaration of(List<IndexDeclaration> indexes) {
    return new TableDeclaration("PK", "SK", "expires_at", indexes, true, true);
  }

  static IndexDeclaration index(String name, Set<String> projected) {
    return new IndexDeclaration(name, "", name + "PK", name + "SK", new TreeSet<>(projected));
  }
}
