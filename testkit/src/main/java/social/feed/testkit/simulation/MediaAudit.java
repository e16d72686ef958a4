package social.feed.testkit.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.row.Media;
import social.feed.table.row.Picture;
import social.feed.table.row.Post;
import social.feed.table.row.PostMedia;
import social.feed.table.row.RowKind;
import social.feed.table.row.User;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Compares the rows of files with their posts, their profiles, their objects and the quota of their
 * owners.
 */
record MediaAudit(List<Map<String, AttributeValue>> items, Set<String> objects) {
  private static final AttributeValue NONE = AttributeValue.fromN("0");

  List<String> violations() {
    var violations = new ArrayList<String>();
    var files = new HashMap<String, Media>();
    var posts = new HashMap<String, Post>();
    var users = new HashMap<String, User>();
    var counted = new HashMap<String, Long>();
    for (var item : items) {
      switch (item.containsKey(RowKind.ATTRIBUTE) ? RowCodec.decode(item) : null) {
        case Media media -> files.put(media.mediaId(), media);
        case Post post -> posts.put(post.postId(), post);
        case User user -> {
          users.put(user.userId(), user);
          counted.put(user.userId(), Long.valueOf(item.getOrDefault(User.MEDIA_COUNT, NONE).n()));
        }
        case null, default -> {}
      }
    }
    for (var file : files.values()) {
      counted.merge(file.ownerId(), -1L, Long::sum);
      var post = file.postId() == null ? null : posts.get(file.postId());
      if (file.postId() != null
          && (post == null
              || post.files().stream().noneMatch(it -> it.mediaId().equals(file.mediaId())))) {
        violations.add(file.key() + " names a post that does not show it: " + file.postId());
      }
    }
    for (var file : files.values()) {
      var owner = users.get(file.ownerId());
      var picture = file.shownAs();
      if (picture != null
          && (owner == null
              || owner
                  .shown(picture)
                  .filter(shown -> shown.mediaId().equals(file.mediaId()))
                  .isEmpty())) {
        violations.add(file.key() + " is a picture that its owner does not show");
      }
    }
    for (var user : users.values()) {
      for (var picture : Picture.values()) {
        user.shown(picture)
            .map(PostMedia::mediaId)
            .filter(
                id -> !files.containsKey(id) || !files.get(id).isPictureOf(user.userId(), picture))
            .ifPresent(id -> violations.add(user.key() + " shows a file that is gone: " + id));
      }
    }
    for (var post : posts.values()) {
      post.files().stream()
          .map(PostMedia::mediaId)
          .filter(id -> !files.containsKey(id))
          .forEach(id -> violations.add(post.key() + " shows a file that is gone: " + id));
    }
    counted.forEach(
        (owner, over) -> {
          if (over != 0) {
            violations.add(owner + " has a quota of " + over + " files too many");
          }
        });
    objects.stream()
        .filter(id -> !files.containsKey(id))
        .forEach(id -> violations.add("objects without a row: " + id));
    return violations;
  }
}
