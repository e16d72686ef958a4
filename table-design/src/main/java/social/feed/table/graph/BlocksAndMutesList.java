package social.feed.table.graph;

import social.feed.table.row.Keys;

/** The lists of a user's blocks and mutes. */
public enum BlocksAndMutesList {
  /** The accounts that the user blocks. */
  BLOCKS(Keys.BLOCKS),
  /** The accounts that the user blocks, and those that block the user. */
  BLOCKS_BOTH_WAYS(Keys.BLOCKS_BOTH_WAYS),
  /** The accounts that the user mutes, with those whose mute has ended. */
  MUTES(Keys.MUTES);

  private final String prefix;

  BlocksAndMutesList(String prefix) {
    this.prefix = prefix;
  }

  /** The prefix of the list's sort keys. */
  String prefix() {
    return prefix;
  }
}
