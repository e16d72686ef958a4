package social.feed.search.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import social.feed.search.AccountHit;
import social.feed.search.AccountPosition;
import social.feed.search.EntryKind;
import social.feed.search.Highlight;
import social.feed.search.IndexEntry;
import social.feed.search.IndexState;
import social.feed.search.IndexedAccount;
import social.feed.search.IndexedPost;
import social.feed.search.PostHit;
import social.feed.search.PostQuery;
import social.feed.search.SearchIndex;
import social.feed.search.SearchPosition;
import social.feed.search.SearchTimeoutException;
import social.feed.search.WriteCondition;
import social.feed.search.lucene.SearchTerms;

/**
 * An index on a server of OpenSearch, for any number of processes. Posts and accounts are two
 * indexes of the server, which are created if absent.
 *
 * <p>Texts are cut into terms here, as {@code LuceneIndex} cuts them. So both find the same, and
 * the server needs no plug-in. It keeps terms, not texts.
 *
 * <p>A write reads the version, and writes on condition that nothing was written meanwhile: two
 * requests. All requests of a write together have the time of one. A search ends after its limit,
 * also where the server does not answer. Once an index was there it is not created by a write
 * again: one that was deleted is empty, and all calls fail until {@link #at} creates it for a
 * rebuild.
 */
public final class OpenSearchIndex implements SearchIndex {
  /** The beginning of the names of the platform's indexes on a server. */
  public static final String NAME = "feed";

  /** The longest time of a search of the platform. */
  public static final Duration LONGEST_SEARCH = Duration.ofSeconds(2);

  private static final Map<String, String> ONLY_STORED = Map.of("_source", "version,fingerprint");

  /** Shorter than a call may take. */
  private static final String TASK_POLL = "5s";

  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;

  /** Ends the name of an index. Everything but its creation uses an alias without it. */
  private static final String GENERATION = "-1";

  /**
   * A server makes an index for a write by itself, without the mapping. It makes no alias, so a
   * write to an index that was deleted fails.
   */
  private static final Map<String, String> ONLY_IF_CREATED = Map.of("require_alias", "true");

  /** More than writers of one entry meet each other. */
  private static final int ATTEMPTS = 20;

  private final SearchServer server;
  private final InstantSource clock;
  private final Duration limit;
  private final Map<EntryKind, String> names;
  private volatile boolean exists;

  OpenSearchIndex(SearchServer server, String name, InstantSource clock, Duration limit) {
    this.server = server;
    this.clock = clock;
    this.limit = limit;
    // In this order, since rights name the path of both.
    this.names =
        new EnumMap<>(
            Map.of(EntryKind.POST, name + "-posts", EntryKind.ACCOUNT, name + "-accounts"));
  }

  /**
   * Opens the index on a server, and creates it there if absent.
   *
   * @param url such as {@code http://localhost:9200}, or with {@code user:password@}
   * @param name the beginning of the names of its two indexes there
   * @param limit the longest time of a search
   * @throws IOException if the server does not answer or refuses
   */
  public static OpenSearchIndex at(URI url, String name, InstantSource clock, Duration limit)
      throws IOException {
    return at(ServerAddress.of(url), name, clock, limit);
  }

  /** As {@link #at(URI, String, InstantSource, Duration)}, also on a domain of AWS. */
  public static OpenSearchIndex at(
      ServerAddress address, String name, InstantSource clock, Duration limit) throws IOException {
    var index = later(address, name, clock, limit);
    try {
      index.createAbsent();
      return index;
    } catch (IOException | RuntimeException e) {
      index.close();
      throw e;
    }
  }

  /**
   * Opens the index on a server without a request. The first write creates it there if absent;
   * until then searches fail.
   */
  public static OpenSearchIndex later(
      ServerAddress address, String name, InstantSource clock, Duration limit) {
    return new OpenSearchIndex(SearchServer.at(address), name, clock, limit);
  }

  void createAbsent() throws IOException {
    createAbsent(server::deadline);
  }

  /**
   * @param deadline returns that of each request
   */
  private void createAbsent(LongSupplier deadline) throws IOException {
    if (!exists) {
      for (var kind : EntryKind.values()) {
        create(kind, deadline);
      }
      exists = true;
    }
  }

  private void create(EntryKind kind, LongSupplier deadline) throws IOException {
    var alias = Objects.requireNonNull(names.get(kind));
    var path = "/" + alias + GENERATION;
    if (hasAlias(path, alias, deadline)) {
      return;
    }
    var definition = ServerDocuments.definition(kind, alias);
    var answer = server.callUntil(deadline.getAsLong(), "PUT", path, Map.of(), definition);
    if (!answer.isFailure()) {
      return;
    }
    switch (answer.errorType()) {
      case "resource_already_exists_exception" -> {
        // Another process may have created it at the same moment.
        if (!hasAlias(path, alias, deadline)) {
          throw new IOException(
              "The search server at %s has an index %s%s without its alias %s. Delete that index there, then run ./feed reindex"
                  .formatted(server, alias, GENERATION, alias));
        }
      }
      case "invalid_alias_name_exception" ->
          throw new IOException(
              ("The search server at %s has an index %s that an earlier version made, or the server by"
                      + " itself. Delete that index there, then run ./feed reindex")
                  .formatted(server, alias));
      default -> throw server.refused(answer);
    }
  }

  private boolean hasAlias(String path, String alias, LongSupplier deadline) throws IOException {
    var place = path + "/_alias/" + alias;
    var answer = server.callUntil(deadline.getAsLong(), "HEAD", place, Map.of(), null);
    if (answer.isFailure() && answer.status() != NOT_FOUND) {
      throw server.refused(answer);
    }
    return !answer.isFailure();
  }

  private String path(EntryKind kind, String rest) {
    return "/" + names.get(kind) + "/" + rest;
  }

  @Override
  public void putPost(IndexedPost post, String version) throws IOException {
    put(post, version);
  }

  @Override
  public void putAccount(IndexedAccount account, String version) throws IOException {
    put(account, version);
  }

  private void put(IndexEntry entry, String version) throws IOException {
    var document = ServerDocuments.document(entry, version);
    var _ = write(entry.kind(), entry.id(), document, WriteCondition.isBelow(version));
  }

  @Override
  public void deletePost(String id, String version) throws IOException {
    delete(EntryKind.POST, id, version);
  }

  @Override
  public void deleteAccount(String id, String version) throws IOException {
    delete(EntryKind.ACCOUNT, id, version);
  }

  private void delete(EntryKind kind, String id, String version) throws IOException {
    var tombstone = ServerDocuments.tombstone(id, version, clock.millis());
    var _ = write(kind, id, tombstone, WriteCondition.isBelow(version));
  }

  @Override
  public boolean replace(IndexEntry entry, String version) throws IOException {
    return write(
        entry.kind(),
        entry.id(),
        ServerDocuments.document(entry, version),
        WriteCondition.isStill(version));
  }

  @Override
  public boolean remove(EntryKind kind, String id, String version) throws IOException {
    return write(
        kind,
        id,
        ServerDocuments.tombstone(id, version, clock.millis()),
        WriteCondition.isStill(version));
  }

  /** Writes if what the index has permits it, and is not written meanwhile. */
  private boolean write(
      EntryKind kind, String id, Map<String, Object> document, Predicate<@Nullable String> permits)
      throws IOException {
    long deadline = server.deadline();
    createAbsent(() -> deadline);
    var place = path(kind, "_doc/" + URLEncoder.encode(id, StandardCharsets.UTF_8));
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      var known = server.callUntil(deadline, "GET", place, ONLY_STORED, null);
      boolean isKnown = known.body().path("found").asBoolean();
      if (known.isFailure() && known.status() != NOT_FOUND) {
        throw server.refused(known);
      }
      var version =
          isKnown ? known.body().path("_source").path(ServerDocuments.VERSION).asText() : null;
      if (!permits.test(version)) {
        return false;
      }
      var condition = new TreeMap<>(ONLY_IF_CREATED);
      if (isKnown) {
        condition.put("if_seq_no", known.body().path("_seq_no").asText());
        condition.put("if_primary_term", known.body().path("_primary_term").asText());
      } else {
        condition.put("op_type", "create");
      }
      var answer = server.callUntil(deadline, "PUT", place, condition, document);
      if (!answer.isFailure()) {
        return true;
      }
      if (answer.status() != CONFLICT) {
        throw server.refused(answer);
      }
    }
    throw new IOException("Others write " + id + " all the time");
  }

  @Override
  public List<IndexState> states(EntryKind kind, Collection<String> ids) throws IOException {
    if (ids.isEmpty()) {
      return List.of();
    }
    SearchIndex.checkStates(ids.size());
    var found =
        server.require("POST", path(kind, "_mget"), ONLY_STORED, Map.of("ids", List.copyOf(ids)));
    var states = new ArrayList<IndexState>();
    for (var each : found.path("docs")) {
      if (each.has("error")) {
        // It looks like an entry that is absent.
        throw server.refused(NOT_FOUND, each);
      }
      if (each.path("found").asBoolean()) {
        states.add(ServerDocuments.state(kind, each));
      }
    }
    return states;
  }

  @Override
  public List<IndexState> statesAfter(EntryKind kind, String after, int limit) throws IOException {
    SearchIndex.checkStates(limit);
    refresh();
    return statesAfter(kind, List.of(ServerQueries.IS_LIVE), after, limit);
  }

  @Override
  public List<IndexState> statesOf(String authorId, String after, int limit) throws IOException {
    SearchIndex.checkStates(limit);
    return statesAfter(
        EntryKind.POST,
        List.of(ServerQueries.IS_LIVE, ServerQueries.ofAuthor(authorId)),
        after,
        limit);
  }

  private List<IndexState> statesAfter(
      EntryKind kind, List<Map<String, Object>> filters, String after, int limit)
      throws IOException {
    var search = search(limit);
    search.put("query", Map.of("bool", Map.of("filter", filters)));
    search.put("sort", List.of(Map.of(ServerDocuments.ID, "asc")));
    search.put("_source", ServerDocuments.STORED);
    if (!after.isEmpty()) {
      search.put("search_after", List.of(after));
    }
    var states = new ArrayList<IndexState>();
    for (var hit : hits(server.require("POST", searchOf(kind), Map.of(), search))) {
      states.add(ServerDocuments.state(kind, hit));
    }
    return states;
  }

  /** Begins a search, which does not count its hits. */
  private Map<String, Object> search(int hits) {
    var search = new HashMap<String, Object>();
    search.put("size", hits);
    search.put("_source", false);
    search.put("track_total_hits", false);
    return search;
  }

  private String searchOf(EntryKind kind) {
    return path(kind, "_search");
  }

  /**
   * Sends a search of a user. The server ends it after the limit, if it can: it looks at the time
   * only while it visits hits. The caller waits no longer in any case.
   */
  private JsonNode limitedHits(EntryKind kind, Map<String, Object> search) throws IOException {
    search.put("timeout", limit.toMillis() + "ms");
    return hits(server.search(searchOf(kind), search, limit));
  }

  /** Part of the hits would look like all of them. */
  private JsonNode hits(JsonNode found) throws IOException {
    if (found.path("timed_out").asBoolean()) {
      throw new SearchTimeoutException(limit);
    }
    if (found.path("_shards").path("failed").asInt() > 0) {
      throw new IOException("A part of the index does not answer: " + found.path("_shards"));
    }
    return found.path("hits").path("hits");
  }

  /** May take much longer than a call: the server does it in a task, which is asked for its end. */
  @Override
  public void forgetDeletions(Instant before) throws IOException {
    refresh();
    var older =
        Map.of("range", Map.of(ServerDocuments.DELETED_AT, Map.of("lt", before.toEpochMilli())));
    for (var kind : EntryKind.values()) {
      var started =
          server.require(
              "POST",
              path(kind, "_delete_by_query"),
              Map.of("conflicts", "proceed", "refresh", "true", "wait_for_completion", "false"),
              Map.of("query", older));
      awaitEnd(started.path("task").asText());
    }
  }

  private void awaitEnd(String task) throws IOException {
    var patience = Map.of("wait_for_completion", "true", "timeout", TASK_POLL);
    while (true) {
      var answer = server.call("GET", "/_tasks/" + task, patience, null);
      if (answer.body().path("completed").asBoolean()) {
        requireSuccess(answer);
        return;
      }
      // After its time a call fails, and the task goes on.
      if (!isStillRunning(answer)) {
        throw server.refused(answer);
      }
    }
  }

  private static boolean isStillRunning(SearchServer.Answer answer) {
    var type = answer.body().path("error").path("type").asText();
    return type.contains("timeout");
  }

  private static void requireSuccess(SearchServer.Answer ended) throws IOException {
    var failed = ended.body().path("error");
    if (!failed.isMissingNode()) {
      throw new IOException("Deletions were not forgotten: " + failed.path("reason").asText());
    }
  }

  @Override
  public void refresh() throws IOException {
    server.require("POST", "/" + String.join(",", names.values()) + "/_refresh", Map.of(), null);
  }

  /** Does nothing: the server confirms a write when it is durable. */
  @Override
  public void commit() {}

  @Override
  public List<PostHit> findPosts(PostQuery query, @Nullable SearchPosition after, int limit)
      throws IOException {
    SearchIndex.checkLimit(limit);
    int passed = after == null ? 0 : after.passed();
    int hits = Math.min(limit, MAX_DEPTH - passed);
    var groups = SearchTerms.groups(query.words());
    if (hits <= 0 || (groups.isEmpty() && !query.words().isBlank())) {
      return List.of();
    }
    var asOf = after == null ? Instant.ofEpochMilli(clock.millis()) : after.asOf();
    var search = search(hits);
    search.put("query", ServerQueries.posts(query, groups, asOf));
    search.put("sort", List.of(Map.of("_score", "desc"), Map.of(ServerDocuments.ID, "desc")));
    if (after != null) {
      search.put("search_after", List.of(after.score(), after.id()));
    }
    var found = new ArrayList<PostHit>();
    for (var hit : limitedHits(EntryKind.POST, search)) {
      float score = (float) hit.path("sort").path(0).asDouble();
      var id = hit.path("sort").path(1).asText();
      found.add(new PostHit(id, new SearchPosition(asOf, score, id, passed + found.size() + 1)));
    }
    return List.copyOf(found);
  }

  @Override
  public List<AccountHit> findAccounts(String words, @Nullable AccountPosition after, int limit)
      throws IOException {
    SearchIndex.checkWords(words);
    SearchIndex.checkLimit(limit);
    int passed = after == null ? 0 : after.passed();
    int hits = Math.min(limit, MAX_DEPTH - passed);
    var terms = SearchTerms.nearby(words);
    if (hits <= 0 || terms.isEmpty()) {
      return List.of();
    }
    var search = search(hits);
    search.put("query", ServerQueries.accounts(terms));
    search.put(
        "sort",
        List.of(
            Map.of("_score", "desc"),
            Map.of(ServerDocuments.HANDLE, "asc"),
            Map.of(ServerDocuments.ID, "asc")));
    if (after != null) {
      search.put("search_after", List.of(after.score(), after.handle(), after.id()));
    }
    var found = new ArrayList<AccountHit>();
    for (var hit : limitedHits(EntryKind.ACCOUNT, search)) {
      float score = (float) hit.path("sort").path(0).asDouble();
      var handle = hit.path("sort").path(1).asText();
      var id = hit.path("sort").path(2).asText();
      int count = passed + found.size() + 1;
      found.add(new AccountHit(id, new AccountPosition(score, handle, id, count)));
    }
    return List.copyOf(found);
  }

  @Override
  public List<Highlight> highlights(String text, String words) throws IOException {
    return SearchTerms.highlights(text, words);
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
