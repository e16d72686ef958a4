package social.feed.ctl.verify;

import social.feed.table.row.Row;

/**
 * Something that should be otherwise.
 *
 * @param row where it was seen; checked again when the stream is drained
 * @param problem what is wrong, in a sentence
 */
public record Drift(Row row, String problem) {}
