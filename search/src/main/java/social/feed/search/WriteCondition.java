package social.feed.search;

import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which version an index must have for a write; null stands for no entry and no tombstone. */
public final class WriteCondition {
  private WriteCondition() {}

  /** A change may be written over earlier ones. */
  public static Predicate<@Nullable String> isBelow(String version) {
    return known -> known == null || known.compareTo(version) < 0;
  }

  /** A rebuild may write where the index still has what was read. */
  public static Predicate<@Nullable String> isStill(String version) {
    return known -> Objects.requireNonNullElse(known, SearchIndex.NO_VERSION).equals(version);
  }
}
