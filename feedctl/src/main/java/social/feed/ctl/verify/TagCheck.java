package social.feed.ctl.verify;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.PostTag;
import social.feed.table.row.Row;

/**
 * Each post has exactly the tag rows that its tags ask for. One read unit a tag, and one a tag row;
 * {@link TagRepair} writes and deletes them.
 */
record TagCheck(TableScanner census, TagRepair repair) implements RowCheck {
  @Override
  public String name() {
    return "tag rows";
  }

  @Override
  public boolean concerns(Row row) {
    return row instanceof Post || row instanceof PostTag;
  }

  @Override
  public List<Drift> inspect(List<Row> rows) {
    Function<Row, Stream<Key>> needed = TagCheck::needed;
    var there = RelatedRows.at(rows.stream().flatMap(needed).toList(), census);
    return rows.stream()
        .flatMap(
            row -> row instanceof Post post ? missing(post, there) : surplus((PostTag) row, there))
        .toList();
  }

  private static Stream<Key> needed(Row row) {
    return row instanceof Post post
        ? tags(post).map(PostTag::key)
        : Stream.of(Post.key(((PostTag) row).postId()));
  }

  private static Stream<PostTag> tags(Post post) {
    return post.tags().stream().map(tag -> PostTag.of(post, tag));
  }

  private Stream<Drift> missing(Post post, RelatedRows there) {
    return tags(post)
        .filter(tag -> !there.isUnreadable(tag.key()))
        .filter(tag -> !there.get(tag.key(), PostTag.class).filter(tag::equals).isPresent())
        .map(
            tag ->
                new Drift(
                    post.key(), tag.key() + " is absent or another", () -> repair.write(tag)));
  }

  /** A tag row without its post is an orphan, which is another check's. */
  private Stream<Drift> surplus(PostTag tag, RelatedRows there) {
    return there.get(Post.key(tag.postId()), Post.class).stream()
        .filter(post -> !post.tags().contains(tag.tag()))
        .map(
            _ ->
                new Drift(
                    tag.key(),
                    tag.key() + " is a tag that its post does not have",
                    () -> repair.delete(tag)));
  }
}
