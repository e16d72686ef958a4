package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import social.feed.table.access.AccessPattern;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.FeedRef;
import social.feed.table.row.PostRef;
import social.feed.table.row.Visibility;
import social.feed.testkit.TestTable;

/** FEED-003: GSI3, newest first. */
class ITHomeFeedOfReader implements ListContract<FeedRef> {
  @Override
  public AccessPattern pattern() {
    return AccessPattern.FEED_003;
  }

  @Override
  public double unitsOfAFullPage() {
    return 1;
  }

  @Override
  public FilledList<FeedRef> list(TestTable table) {
    return new Feed(table, Names.fresh(), "author0001");
  }

  /** With ids of 36 characters, as those of Cognito. */
  @Test
  void page_withLongIds_costsHalfAUnitMore(TestTable table) {
    var feed = new Feed(table, UUID.randomUUID().toString(), UUID.randomUUID().toString());
    for (int i = 0; i <= pattern().maxPage(); i++) {
      var _ = feed.add(FIRST.plusMillis(i));
    }

    var page = Observed.of(table, () -> feed.page(PageRequest.first(pattern().maxPage())));

    assertThat(page.answer().items()).hasSize(pattern().maxPage());
    assertThat(page.cost()).isEqualTo(new ConsumedUnits(unitsOfAFullPage() + 0.5, 0));
  }

  private record Feed(TestTable table, String reader, String author, Random random)
      implements FilledList<FeedRef> {
    Feed(TestTable table, String reader, String author) {
      this(table, reader, author, new Random(reader.hashCode()));
    }

    @Override
    public Page<FeedRef> page(PageRequest request) {
      return new HomeFeeds(table.table()).stored(reader, request);
    }

    @Override
    public FeedRef add(Instant time) {
      var ref = new FeedRef(TimeOrderedId.random(time, random), author, time);
      new HomeFeeds(table.table()).deliver(List.of(entry(ref)));
      return ref;
    }

    @Override
    public void remove(FeedRef ref) {
      new HomeFeeds(table.table()).withdraw(List.of(entry(ref)));
    }

    private FeedEntry entry(FeedRef ref) {
      var post =
          new PostRef(
              ref.postId(), ref.authorId(), ref.createdAt(), Visibility.PUBLIC, 4, FanOutMode.PUSH);
      return FeedEntry.of(post, reader);
    }
  }
}
