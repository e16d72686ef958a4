package social.feed.ctl.verify;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import social.feed.table.row.Post;
import social.feed.table.row.PostTag;
import social.feed.table.row.Row;
import social.feed.table.store.Table;

/** Each post has exactly the tag rows that its tags ask for. One read unit a tag. */
record TagCheck(Table table) implements Check {
  @Override
  public String name() {
    return "tag rows";
  }

  @Override
  public boolean concerns(Row row) {
    return row instanceof Post;
  }

  @Override
  public List<Drift> drifts(List<Row> rows) {
    var expected = new ArrayList<PostTag>();
    for (var row : rows) {
      if (row instanceof Post post) {
        post.tags().forEach(tag -> expected.add(PostTag.of(post, tag)));
      }
    }
    var there = new HashSet<>(table.getAll(expected.stream().map(PostTag::key).toList(), true));
    return rows.stream()
        .flatMap(
            row ->
                expected.stream()
                    .filter(tag -> tag.key().partition().equals(row.key().partition()))
                    .filter(tag -> !there.contains(tag))
                    .map(tag -> new Drift(row, tag.key() + " is absent or another")))
        .toList();
  }
}
