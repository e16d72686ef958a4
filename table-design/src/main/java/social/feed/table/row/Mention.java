package social.feed.table.row;

/**
 * An account that a text names, as it was when the text was written.
 *
 * @param handle the handle in the text, without {@code @}
 * @param userId the account that had it then
 */
public record Mention(String handle, String userId) {}
