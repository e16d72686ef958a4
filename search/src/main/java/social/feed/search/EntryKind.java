package social.feed.search;

/** What an index holds. */
public enum EntryKind {
  POST,
  ACCOUNT
}
