/** The stacks that are deployed to AWS, each in its own file. */
@NullMarked
package social.feed.infra;

import org.jspecify.annotations.NullMarked;
