package social.feed.table.erasure;

/** What another system has of an account whose rows are gone, such as a search index. */
@FunctionalInterface
public interface ErasureTraces {
  /** Of a platform whose accounts are in no other system. */
  ErasureTraces NONE = _ -> false;

  /** Of a system that cannot be asked here. An erasure then waits for a sweep that can ask it. */
  ErasureTraces UNKNOWN = _ -> true;

  /**
   * Returns whether the system has something of an account, and has it removed.
   *
   * @throws RuntimeException if it does not answer; an erasure then waits
   */
  boolean areLeft(String userId);

  /** Returns what is asked for the accounts of one part of a sweep, which share some work. */
  default ErasureTraces ofPart() {
    return this;
  }
}
