package social.feed.search;

/** What an index knows of an account. */
public record IndexedAccount(String id, String handle, String name) {}
