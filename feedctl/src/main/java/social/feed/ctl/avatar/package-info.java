/** The avatars of an import: the files of a folder, uploaded as each account would. */
@NullMarked
package social.feed.ctl.avatar;

import org.jspecify.annotations.NullMarked;
