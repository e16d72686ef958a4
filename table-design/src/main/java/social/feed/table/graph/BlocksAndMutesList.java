package social.feed.table.graph;

import social.feed.table.row.Keys;

/** The lists of a user's blocks and mutes. */
public enum BlocksAndMutesList {
  /** Whom the user blocks. */
  BLOCKS(Keys.BLOCKS),
  /** Whom the user blocks, and who blocks the user. */
  BLOCKS_BOTH_WAYS(Keys.BLOCKS_BOTH_WAYS),
  /** Whom the user mutes, those included whose mute has ended. */
  MUTES(Keys.MUTES);

  private final String prefix;

  BlocksAndMutesList(String prefix) {
    this.prefix = prefix;
  }

  /** What the sort keys of the list begin with. */
  String prefix() {
    return prefix;
  }
}
