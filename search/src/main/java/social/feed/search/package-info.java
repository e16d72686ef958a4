/** The search of posts and accounts: what an index does, whatever it is made of. */
@NullMarked
package social.feed.search;

import org.jspecify.annotations.NullMarked;
