package social.feed.ctl.avatar;

import java.util.List;

/**
 * The result of an import of avatars.
 *
 * @param set the number of accounts that got an avatar
 * @param kept the number of accounts that had one before
 * @param refused a sentence for each file that is no avatar now
 */
public record AvatarResult(long set, long kept, List<String> refused) {}
