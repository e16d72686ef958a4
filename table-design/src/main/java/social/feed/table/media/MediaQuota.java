package social.feed.table.media;

import social.feed.table.row.Media;

/**
 * What the files of an account may take, pending ones included.
 *
 * @param files the maximum number of files
 * @param bytes the maximum sum of their declared sizes
 */
public record MediaQuota(long files, long bytes) {
  /** Returns whether an account without other files can have a file. */
  public boolean admits(Media media) {
    return files > 0 && media.bytes() <= bytes;
  }
}
