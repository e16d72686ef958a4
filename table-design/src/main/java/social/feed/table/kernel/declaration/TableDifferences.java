package social.feed.table.kernel.declaration;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Describes in sentences how an existing table differs from the declared one. */
public final class TableDifferences {
  private final List<String> sentences = new ArrayList<>();

  private TableDifferences() {}

  /** Returns one sentence per difference, none when both are the same table. */
  public static List<String> between(TableDeclaration declared, TableDeclaration found) {
    var differences = new TableDifferences();
    differences.compare("partition key", declared.partitionKey(), found.partitionKey());
    differences.compare("sort key", declared.sortKey(), found.sortKey());
    differences.compare("TTL attribute", declared.ttlAttribute(), found.ttlAttribute());
    differences.compareIndexes(byName(declared), byName(found));
    return List.copyOf(differences.sentences);
  }

  private static Map<String, IndexDeclaration> byName(TableDeclaration table) {
    var map = new LinkedHashMap<String, IndexDeclaration>();
    table.indexes().forEach(index -> map.put(index.name(), index));
    return map;
  }

  private void compareIndexes(
      Map<String, IndexDeclaration> declared, Map<String, IndexDeclaration> found) {
    declared.forEach(
        (name, index) -> {
          var other = found.get(name);
          if (other == null) {
            sentences.add("index " + name + " is missing");
          } else {
            compare(name + " partition key", index.partitionKey(), other.partitionKey());
            compare(name + " sort key", index.sortKey(), other.sortKey());
            compare(name + " projection", index.projected(), other.projected());
          }
        });
    found.keySet().stream()
        .filter(name -> !declared.containsKey(name))
        .forEach(name -> sentences.add("index " + name + " is not declared"));
  }

  private void compare(String property, Object declared, Object found) {
    if (!Objects.equals(declared, found)) {
      sentences.add(property + " is " + found + ", declared is " + declared);
    }
  }
}
