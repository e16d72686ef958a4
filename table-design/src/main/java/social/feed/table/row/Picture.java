package social.feed.table.row;

import java.util.Locale;

/** A picture of a profile. */
public enum Picture {
  AVATAR,
  BANNER;

  /** Returns the name of the picture, which is that of the account's attribute. */
  public String attribute() {
    return name().toLowerCase(Locale.ROOT);
  }
}
