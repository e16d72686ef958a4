package social.feed.api.post;

import social.feed.table.row.Post;
import social.feed.table.row.User;

/** A post with who wrote it. */
record AuthoredPost(Post post, User author) {}
