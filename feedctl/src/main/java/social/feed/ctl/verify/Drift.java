package social.feed.ctl.verify;

import social.feed.table.row.Key;

/**
 * Something that should be otherwise.
 *
 * @param row where it was seen; checked again when the stream is drained
 * @param problem what is wrong, in a sentence
 * @param repair what puts it right
 */
record Drift(Key row, String problem, Repair repair) {}
