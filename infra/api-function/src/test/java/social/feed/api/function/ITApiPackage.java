package social.feed.api.function;

import java.util.List;
import social.feed.streams.PackageContract;

/** The content of the API's zip. */
class ITApiPackage extends PackageContract {
  @Override
  protected List<String> has() {
    return List.of(
        "lib/feed-api-function-.*", "lib/feed-api-\\d.*", "lib/table-design-.*", "lib/events-.*");
  }

  @Override
  protected List<String> hasNot() {
    return List.of("streams-multiplexer", "lucene", "icu4j", "opensearch");
  }
}
