package social.feed.search;

/**
 * What an index has at an id: an entry, or the tombstone of a deletion.
 *
 * @param version the version of the last write; {@link SearchIndex#NO_VERSION} for an entry that
 *     was rebuilt where the index had nothing
 * @param fingerprint that of the entry, or {@link #DELETED}
 */
public record IndexState(EntryKind kind, String id, String version, String fingerprint) {
  /** In place of a fingerprint. */
  public static final String DELETED = "";

  /** Whether searches cannot find it. */
  public boolean isDeleted() {
    return fingerprint.equals(DELETED);
  }
}
