package social.feed.table.row;

/**
 * An account that a text names, resolved when the text was written.
 *
 * @param handle the handle in the text, without {@code @}
 * @param userId the account that had the handle then
 */
public record Mention(String handle, String userId) {}
