package social.feed.search;

import java.util.List;

/** What an index knows of an account. */
public record IndexedAccount(String id, String handle, String name) implements IndexEntry {
  @Override
  public EntryKind kind() {
    return EntryKind.ACCOUNT;
  }

  @Override
  public List<String> content() {
    return List.of(handle, name);
  }
}
