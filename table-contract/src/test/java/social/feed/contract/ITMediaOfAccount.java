package social.feed.contract;

import java.time.Instant;
import social.feed.table.access.AccessPattern;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.store.Condition;
import social.feed.table.media.MediaFiles;
import social.feed.table.row.Media;
import social.feed.table.row.MediaRef;
import social.feed.testkit.TestTable;

/** FEED-018: GSI1, newest first. */
class ITMediaOfAccount implements ListContract<MediaRef> {
  @Override
  public AccessPattern pattern() {
    return AccessPattern.FEED_018;
  }

  @Override
  public double unitsOfAFullPage() {
    return 1;
  }

  @Override
  public FilledList<MediaRef> list(TestTable table) {
    return new Owned(table, Names.fresh());
  }

  private record Owned(TestTable table, String ownerId) implements FilledList<MediaRef> {
    @Override
    public Page<MediaRef> page(PageRequest request) {
      return new MediaFiles(table.table()).of(ownerId, request);
    }

    @Override
    public MediaRef add(Instant time) {
      var media = new Media(Names.fresh(), ownerId, "image/png", 9, "f00d", null, time, 3, 2, null);
      table.table().put(media, Condition.absent());
      return new MediaRef(media.mediaId(), time);
    }

    @Override
    public void remove(MediaRef media) {
      new MediaFiles(table.table()).delete(media.mediaId(), ownerId);
    }
  }
}
