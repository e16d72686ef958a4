package social.feed.streams.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;
import social.feed.search.AccountHit;
import social.feed.search.PostHit;
import social.feed.search.PostQuery;
import social.feed.search.lucene.LuceneIndex;
import social.feed.table.kernel.id.TimeOrderedId;

/** What the sink writes for the events of a post and of an account, on a real index. */
class SearchSinkTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final String POST = TimeOrderedId.named(NOW, "post");

  private static DomainEvent ofPost(
      EventType type, String version, Map<String, ? extends Object> more) {
    var data = new TreeMap<String, Object>(more);
    data.put("post_id", POST);
    data.put("author_id", "ada");
    return new DomainEvent(type, NOW, "post:" + POST, version, "ada", data);
  }

  private static DomainEvent ofAccount(
      EventType type, String version, Map<String, ? extends Object> more) {
    var data = new TreeMap<String, Object>(more);
    data.put("user_id", "ada");
    return new DomainEvent(type, NOW, "account:ada", version, "ada", data);
  }

  private static final DomainEvent CREATED =
      ofPost(EventType.POST_CREATED, "1", Map.of("text", "tea", "tags", List.of("green")));
  private static final DomainEvent HIDDEN =
      ofPost(EventType.POST_VISIBILITY_CHANGED, "2", Map.of("is_public", false));
  private static final DomainEvent SHOWN =
      ofPost(EventType.POST_VISIBILITY_CHANGED, "3", Map.of("is_public", true, "text", "tea"));
  private static final DomainEvent DELETED = ofPost(EventType.POST_DELETED, "4", Map.of());

  private static List<String> foundAfter(
      List<DomainEvent> events, UnaryOperator<DomainEvent> delivery) throws IOException {
    try (var index = LuceneIndex.inMemory(InstantSource.fixed(NOW))) {
      var sink = new SearchSink(index);
      for (var event : events) {
        sink.publish(delivery.apply(event));
        sink.publish(delivery.apply(event));
      }
      return index.findPosts(PostQuery.of("tea"), null, 10).stream().map(PostHit::id).toList();
    }
  }

  private static void assertInAnyOrder(
      List<DomainEvent> events, List<String> found, UnaryOperator<DomainEvent> delivery)
      throws IOException {
    for (var order : ordersOf(events)) {
      assertThat(foundAfter(order, delivery)).isEqualTo(found);
    }
  }

  private static List<List<DomainEvent>> ordersOf(List<DomainEvent> events) {
    if (events.isEmpty()) {
      return List.of(List.of());
    }
    var orders = new ArrayList<List<DomainEvent>>();
    for (var first : events) {
      var others = events.stream().filter(event -> event != first).toList();
      for (var order : ordersOf(others)) {
        var all = new ArrayList<>(List.of(first));
        all.addAll(order);
        orders.add(all);
      }
    }
    return orders;
  }

  @Test
  void post_inAnyOrderAndRepeated_isAsItsLastEventSays() throws IOException {
    assertInAnyOrder(List.of(CREATED, HIDDEN), List.of(), event -> event);
    assertInAnyOrder(List.of(CREATED, HIDDEN, SHOWN), List.of(POST), event -> event);
    assertInAnyOrder(List.of(CREATED, HIDDEN, SHOWN, DELETED), List.of(), event -> event);
  }

  @Test
  void post_isFoundByItsTagAndByNoOther() throws IOException {
    try (var index = LuceneIndex.inMemory(InstantSource.fixed(NOW))) {
      new SearchSink(index).publish(CREATED);
      assertThat(index.findPosts(new PostQuery("", null, "green", null, null), null, 10))
          .extracting(PostHit::id)
          .containsExactly(POST);
      assertThat(index.findPosts(new PostQuery("", null, "tea", null, null), null, 10)).isEmpty();
    }
  }

  /** An event whose row was gone or private when it was read has no text. */
  @Test
  void post_withoutText_isRemoved() throws IOException {
    var late = ofPost(EventType.POST_CREATED, "2", Map.of());
    assertInAnyOrder(List.of(CREATED, late), List.of(), event -> event);
  }

  /** The check above finds a sink that does not pass on the version. */
  @Test
  void versions_thatAreNew_areFound() {
    var deliveries = new int[1];
    UnaryOperator<DomainEvent> faulty =
        event ->
            new DomainEvent(
                event.type(),
                event.at(),
                event.entity(),
                "%09d".formatted(++deliveries[0]),
                event.actor(),
                new TreeMap<>(event.data()));
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> assertInAnyOrder(List.of(CREATED, DELETED), List.of(), faulty));
  }

  @Test
  void account_changedAndErased_isFoundByItsNameUntilThen() throws IOException {
    try (var index = LuceneIndex.inMemory(InstantSource.fixed(NOW))) {
      var sink = new SearchSink(index);
      sink.publish(
          ofAccount(
              EventType.ACCOUNT_CHANGED, "2", Map.of("handle", "ada", "display_name", "New")));
      sink.publish(
          ofAccount(
              EventType.ACCOUNT_REGISTERED, "1", Map.of("handle", "ada", "display_name", "Old")));
      assertThat(index.findAccounts("new", null, 10))
          .extracting(AccountHit::id)
          .containsExactly("ada");
      assertThat(index.findAccounts("old", null, 10)).isEmpty();

      sink.publish(ofAccount(EventType.ACCOUNT_ERASED, "3", Map.of()));
      assertThat(index.findAccounts("ada", null, 10)).isEmpty();
    }
  }

  /** The consumer then puts the message back. */
  @Test
  void index_thatFails_failsTheEvent() throws IOException {
    var index = LuceneIndex.inMemory(InstantSource.fixed(NOW));
    index.close();
    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(() -> new SearchSink(index).publish(CREATED));
  }
}
