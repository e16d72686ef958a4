package social.feed.streams;

import java.util.List;

/** The content of the zip of the multiplexer. */
class ITPackage extends PackageContract {
  @Override
  protected List<String> has() {
    return List.of(
        "lib/feed-function-.*",
        "lib/streams-multiplexer-.*",
        "lib/table-design-.*",
        "lib/events-.*",
        "lib/jackson-databind-.*",
        "lib/kafka-clients-.*",
        "lib/eventbridge-.*",
        "lib/search-.*",
        "lib/httpcore5-h2-.*");
  }

  @Override
  protected List<String> hasNot() {
    return List.of(
        "feed-api", "kafka_2", "scala", "zstd", "lz4", "snappy", "lucene", "icu4j", "opensearch");
  }
}
