package social.feed.search.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import social.feed.search.EntryKind;
import social.feed.search.IndexEntry;
import social.feed.search.IndexState;
import social.feed.search.IndexedAccount;
import social.feed.search.IndexedPost;
import social.feed.search.lucene.SearchTerms;

/**
 * The documents of an index on a server, and the mapping that makes the server cut and score them
 * as {@code LuceneIndex} does. Each place of a text is a line, with its terms between tabs.
 */
final class ServerDocuments {
  static final String VERSION = "version";
  private static final String FINGERPRINT = "fingerprint";
  static final String DELETED_AT = "deleted_at";
  static final String LIVE = "live";
  static final String ID = "id";
  static final String AUTHOR = "author";
  static final String TAG = "tag";
  static final String AT = "at";
  static final String TEXT = "text";
  static final String HANDLE = "handle";
  static final String WORD = "word";
  static final String BEGINNING = "beginning";

  /** What is stored; the rest can only be searched. */
  static final List<String> STORED = List.of(VERSION, FINGERPRINT);

  static final String PLACE = "\n";
  private static final String ALTERNATIVE = "\t";

  /** The score of BM25 without the rarity of a word, and with a typical length. */
  private static final String SIMILARITY =
      "return query.boost * doc.freq / (doc.freq + 1.2 * (0.25 + 0.75 * doc.length / 20.0));";

  /** The most characters of a place, far more than a text has. */
  private static final int MAX_PLACE = 10_000;

  private ServerDocuments() {}

  /** Returns the body that creates an index for entries of a kind. */
  static Map<String, Object> definition(EntryKind kind, String alias) {
    var keyword = Map.of("type", "keyword");
    var number = Map.of("type", "long");
    var unsearched = Map.of("type", "keyword", "index", false, "doc_values", false);
    var fields = new HashMap<String, Object>();
    fields.put(ID, keyword);
    fields.put(LIVE, Map.of("type", "boolean"));
    fields.put(DELETED_AT, number);
    STORED.forEach(field -> fields.put(field, unsearched));
    switch (kind) {
      case POST -> {
        fields.put(AUTHOR, keyword);
        fields.put(TAG, keyword);
        fields.put(AT, number);
        fields.put(TEXT, Map.of("type", "text", "analyzer", "terms", "similarity", "post"));
      }
      case ACCOUNT -> {
        fields.put(HANDLE, keyword);
        fields.put(WORD, keyword);
        fields.put(BEGINNING, keyword);
      }
    }
    var similarity = Map.of("type", "scripted", "script", Map.of("source", SIMILARITY));
    var places =
        Map.of(
            "type",
            "char_group",
            "tokenize_on_chars",
            List.of(PLACE),
            "max_token_length",
            MAX_PLACE);
    var alternatives =
        Map.of(
            "type",
            "pattern_capture",
            "preserve_original",
            false,
            "patterns",
            List.of("([^\\t]+)"));
    var terms = Map.of("type", "custom", "tokenizer", "places", "filter", List.of("alternatives"));
    return Map.of(
        "aliases",
        Map.of(alias, Map.of()),
        "settings",
        Map.of(
            "similarity",
            Map.of("post", similarity),
            "analysis",
            Map.of(
                "tokenizer", Map.of("places", places),
                "filter", Map.of("alternatives", alternatives),
                "analyzer", Map.of("terms", terms))),
        "mappings",
        Map.of("dynamic", "strict", "_source", Map.of("includes", STORED), "properties", fields));
  }

  static Map<String, Object> document(IndexEntry entry, String version) throws IOException {
    var document = new HashMap<String, Object>();
    document.put(ID, entry.id());
    document.put(LIVE, true);
    document.put(VERSION, version);
    document.put(FINGERPRINT, entry.fingerprint());
    switch (entry) {
      case IndexedPost post -> {
        document.put(AUTHOR, post.authorId());
        document.put(TAG, post.tags());
        document.put(AT, post.createdAt().toEpochMilli());
        document.put(
            TEXT,
            SearchTerms.places(post.text()).stream()
                .map(place -> String.join(ALTERNATIVE, place))
                .collect(Collectors.joining(PLACE)));
      }
      case IndexedAccount account -> {
        document.put(HANDLE, account.handle());
        document.put(WORD, SearchTerms.words(account));
        document.put(BEGINNING, SearchTerms.beginnings(account));
      }
    }
    return document;
  }

  static Map<String, Object> tombstone(String id, String version, long now) {
    return Map.of(
        ID, id, LIVE, false, VERSION, version, FINGERPRINT, IndexState.DELETED, DELETED_AT, now);
  }

  /** Returns what a document says that the server found. */
  static IndexState state(EntryKind kind, JsonNode found) {
    var stored = found.path("_source");
    return new IndexState(
        kind,
        found.path("_id").asText(),
        stored.path(VERSION).asText(),
        stored.path(FINGERPRINT).asText());
  }
}
