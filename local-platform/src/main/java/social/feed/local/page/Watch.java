package social.feed.local.page;

import java.util.List;
import social.feed.table.row.Key;

/** Receives the calls of a request, or of effects that are applied together. */
interface Watch {
  /** Receives a call that has ended. */
  void ended(Call call);

  /** Returns the requests that cause a write of an item. */
  List<Trace> tracesOf(Key written);
}
