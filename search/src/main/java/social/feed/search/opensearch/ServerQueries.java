package social.feed.search.opensearch;

import static social.feed.search.opensearch.ServerDocuments.AT;
import static social.feed.search.opensearch.ServerDocuments.AUTHOR;
import static social.feed.search.opensearch.ServerDocuments.BEGINNING;
import static social.feed.search.opensearch.ServerDocuments.PLACE;
import static social.feed.search.opensearch.ServerDocuments.TAG;
import static social.feed.search.opensearch.ServerDocuments.TEXT;
import static social.feed.search.opensearch.ServerDocuments.WORD;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import social.feed.search.PostQuery;
import social.feed.search.lucene.Recency;
import social.feed.search.lucene.SearchTerms;

/** The queries of a server that find and order what {@code LuceneIndex} finds, in its order. */
final class ServerQueries {
  static final Map<String, Object> IS_LIVE = Map.of("term", Map.of(ServerDocuments.LIVE, true));

  /** {@link Recency#factor} as a script. */
  private static final String RECENCY =
      "_score * (1 + params.rise * params.half / (params.half + Math.max(0L, params.now - doc['at'].value)))";

  private ServerQueries() {}

  /**
   * Returns the query for posts.
   *
   * @param groups terms that must be neighbors, in groups that must all occur
   * @param asOf when the first page was read
   */
  static Object posts(PostQuery query, List<List<String>> groups, Instant asOf) {
    return scored(matching(query, groups), asOf);
  }

  /** Returns the query for accounts. */
  static Object accounts(List<SearchTerms.Nearby> terms) {
    return Map.of(
        "bool",
        Map.of(
            "filter", List.of(IS_LIVE), "must", terms.stream().map(ServerQueries::near).toList()));
  }

  /** Returns the query for all posts of an author. */
  static Map<String, Object> ofAuthor(String authorId) {
    return Map.of("term", Map.of(AUTHOR, authorId));
  }

  private static Object scored(Object query, Instant asOf) {
    var parameters =
        Map.of("rise", Recency.MOST - 1, "half", Recency.HALF, "now", asOf.toEpochMilli());
    var script = Map.of("source", RECENCY, "params", parameters);
    return Map.of("script_score", Map.of("query", query, "script", script));
  }

  private static Object matching(PostQuery query, List<List<String>> groups) {
    var filters = new ArrayList<Object>();
    filters.add(IS_LIVE);
    if (query.authorId() != null) {
      filters.add(Map.of("term", Map.of(AUTHOR, query.authorId())));
    }
    if (query.tag() != null) {
      filters.add(Map.of("term", Map.of(TAG, query.tag())));
    }
    var times = new HashMap<String, Object>();
    if (query.since() != null) {
      times.put("gte", query.since().toEpochMilli());
    }
    if (query.until() != null) {
      times.put("lt", query.until().toEpochMilli());
    }
    if (!times.isEmpty()) {
      filters.add(Map.of("range", Map.of(AT, times)));
    }
    var words = new ArrayList<Object>();
    for (var group : groups) {
      words.add(
          group.size() == 1
              ? Map.of("term", Map.of(TEXT, group.getFirst()))
              : Map.of("match_phrase", Map.of(TEXT, String.join(PLACE, group))));
    }
    if (words.isEmpty()) {
      words.add(Map.of("match_all", Map.of()));
    }
    return Map.of("bool", Map.of("filter", filters, "must", words));
  }

  /** The word itself, a word that begins with it, or one that begins with something like it. */
  private static Object near(SearchTerms.Nearby near) {
    var ways = new ArrayList<Object>();
    ways.add(weighted(Map.of("term", Map.of(WORD, near.word())), SearchTerms.EXACT));
    ways.add(weighted(Map.of("term", Map.of(BEGINNING, near.beginning())), SearchTerms.BEGINNING));
    if (near.errors() > 0) {
      var fuzzy =
          Map.of(
              "value",
              near.beginning(),
              "fuzziness",
              near.errors(),
              "prefix_length",
              1,
              "max_expansions",
              near.near(),
              "transpositions",
              true);
      ways.add(weighted(Map.of("fuzzy", Map.of(BEGINNING, fuzzy)), SearchTerms.MISSPELLED));
    }
    return Map.of("dis_max", Map.of("queries", ways, "tie_breaker", 0));
  }

  private static Object weighted(Object query, int weight) {
    return Map.of("constant_score", Map.of("filter", query, "boost", weight));
  }
}
