package social.feed.simulation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A server of OpenSearch, as far as the writes and the states of an index need one: indexes behind
 * aliases, and documents with sequence numbers, which are written on condition. A write that hung
 * often goes on just before the next write of its document.
 */
final class UnsteadyDocuments extends UnsteadyServer {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final Answer TOO_MANY = failure(429, "rejected_execution_exception");
  private static final Answer UNAVAILABLE = failure(503, "unavailable_shards_exception");

  private record Document(JsonNode source, long sequence) {}

  /** By the alias of the index and the id of the document. */
  private final Map<String, NavigableMap<String, Document>> indexes = new HashMap<>();

  private long writes;

  /**
   * @param chance true once in so many times
   * @param received what a planted client makes of an answer
   */
  UnsteadyDocuments(IntPredicate chance, UnaryOperator<Answer> received) {
    super(chance, received);
  }

  @Override
  Supplier<Answer> arrives(Request request, boolean isConfirmed) {
    if (request.method().equals("PUT") && happens(2)) {
      goOn(late -> late.path().equals(request.path()));
    }
    return () -> answer(request);
  }

  @Override
  Answer refusal() {
    return happens(2) ? TOO_MANY : UNAVAILABLE;
  }

  private static Answer failure(int status, String type) {
    return new Answer(status, "{\"error\":{\"type\":\"%s\"}}".formatted(type));
  }

  private synchronized Answer answer(Request request) {
    var path = request.path().split("/", -1);
    var last = path[path.length - 1];
    if (path.length == 2) {
      return create(json(request));
    }
    if (path[1].equals("_tasks")) {
      return new Answer(OK, "{\"completed\":true}");
    }
    if (path[2].equals("_alias")) {
      return new Answer(indexes.containsKey(last) ? OK : NOT_FOUND, "");
    }
    if (path[2].equals("_refresh")) {
      return new Answer(OK, "{}");
    }
    var documents = indexes.get(path[1]);
    if (documents == null) {
      return failure(NOT_FOUND, "index_not_found_exception");
    }
    return switch (path[2]) {
      case "_doc" ->
          request.method().equals("GET")
              ? read(documents.get(last))
              : write(documents, last, request);
      case "_search" -> search(documents, json(request));
      case "_delete_by_query" -> delete(documents, json(request));
      default -> throw new AssertionError(request);
    };
  }

  private Answer create(JsonNode definition) {
    var alias = definition.path("aliases").fieldNames().next();
    return indexes.putIfAbsent(alias, new TreeMap<>()) == null
        ? new Answer(OK, "{}")
        : failure(400, "resource_already_exists_exception");
  }

  private static Answer read(@Nullable Document document) {
    if (document == null) {
      return new Answer(NOT_FOUND, "{\"found\":false}");
    }
    var found = JSON.createObjectNode().put("found", true).put("_primary_term", 1);
    found.put("_seq_no", document.sequence()).set("_source", document.source());
    return new Answer(OK, found.toString());
  }

  private Answer write(NavigableMap<String, Document> documents, String id, Request request) {
    var known = documents.get(id);
    var sequence = known == null ? "" : String.valueOf(known.sequence());
    boolean isCreation = request.query().containsKey("op_type");
    if ((isCreation && known != null)
        || !request.query().getOrDefault("if_seq_no", sequence).equals(sequence)) {
      return failure(CONFLICT, "version_conflict_engine_exception");
    }
    documents.put(id, new Document(json(request), writes++));
    return new Answer(OK, "{}");
  }

  /** Answers a search for the entries behind an id. */
  private static Answer search(NavigableMap<String, Document> documents, JsonNode search) {
    var answer = JSON.createObjectNode();
    var hits = answer.putObject("hits").putArray("hits");
    documents
        .tailMap(search.path("search_after").path(0).asText(), false)
        .forEach(
            (id, document) -> {
              if (document.source().path("live").asBoolean()
                  && hits.size() < search.path("size").asInt()) {
                hits.addObject().put("_id", id).set("_source", document.source());
              }
            });
    return new Answer(OK, answer.toString());
  }

  private static Answer delete(NavigableMap<String, Document> documents, JsonNode query) {
    long before = query.findPath("lt").asLong();
    documents
        .values()
        .removeIf(document -> document.source().path("deleted_at").asLong(before) < before);
    return new Answer(OK, "{\"task\":\"node:1\"}");
  }

  private static JsonNode json(Request request) {
    try {
      return JSON.readTree(request.body());
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
