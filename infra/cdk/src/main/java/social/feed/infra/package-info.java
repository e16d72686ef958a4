/** What is deployed to AWS: one file a stack. */
@NullMarked
package social.feed.infra;

import org.jspecify.annotations.NullMarked;
