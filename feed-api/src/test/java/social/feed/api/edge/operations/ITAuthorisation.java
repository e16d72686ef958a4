package social.feed.api.edge.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import social.feed.api.edge.operations.Authorisation.Caller;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Key;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

/** Every route for every kind of caller, each in a separate world. */
@ExtendWith(FeedServerExtension.class)
class ITAuthorisation {
  private final FeedServer server;
  private final RightRequests requests;
  private final Person owner;
  private final Person other;

  ITAuthorisation(FeedServer server, SeedWorld world) {
    this.server = server;
    this.requests = new RightRequests(server, world);
    this.owner = requests.owner();
    this.other = requests.other();
  }

  private Map<String, Document.Operation> operations() {
    return RightRequests.operations(server);
  }

  @Test
  void route_ofTheDocument_hasARow() {
    assertThat(Authorisation.all().stream().map(Authorisation::operation))
        .containsExactlyInAnyOrderElementsOf(operations().keySet());
  }

  static Stream<Arguments> cells() {
    return Authorisation.all().stream()
        .flatMap(
            row ->
                Stream.of(Caller.values())
                    .map(
                        caller ->
                            Arguments.of(row.operation(), caller, row.statuses().get(caller))));
  }

  @ParameterizedTest
  @MethodSource("cells")
  void route_forACaller_isAnsweredAsDecided(String operation, Caller caller, int expected) {
    stand(caller);
    Api api =
        switch (caller) {
          case ANONYMOUS -> server.anonymous();
          case OPERATOR -> server.asOperator(person(caller));
          case SELF, OTHER, FOLLOWER, BLOCKED -> server.as(person(caller));
        };

    Answer answer = requests.send(api, operation, person(caller));

    assertThat(answer.status()).as(answer.text()).isEqualTo(expected);
    assertThat(answer.header("Cache-Control").orElse("")).isIn("no-store", "private, no-cache");
    assertThat(answer.header("X-Content-Type-Options")).hasValue("nosniff");
    assertThat(Objects.requireNonNull(operations().get(operation)).statuses())
        .as("documented")
        .contains("" + expected);
  }

  /** The operations that an erased account may still request, with their statuses. */
  private static final Map<String, Integer> NOT_REFUSED =
      Map.ofEntries(
          Map.entry("post /v1/dev/tokens", 200),
          Map.entry("delete /v1/users/me", 202),
          Map.entry("post /v1/notifications/read-all", 204),
          Map.entry("post /v1/notifications/{id}/read", 404),
          Map.entry("post /v1/operator/suspicious/{id}/dismiss", 404),
          Map.entry("put /v1/operator/suspicious/{id}/slow-down", 404),
          Map.entry("delete /v1/operator/suspicious/{id}/slow-down", 404),
          Map.entry("post /v1/webhooks", 404),
          Map.entry("patch /v1/webhooks/{id}", 404),
          Map.entry("delete /v1/webhooks/{id}", 404),
          Map.entry("post /v1/webhooks/{id}/test", 404));

  @Test
  void routes_forAnErasedAccount_writeNothing() {
    other.follows(owner);
    Api erased = server.as(other);
    assertThat(erased.delete("/v1/users/me").status()).isEqualTo(202);
    Set<Key> before = naming(other);

    for (String operation : operations().keySet()) {
      Answer answer = requests.send(erased, operation, other);
      if (operation.startsWith("get ")) {
        assertThat(answer.status()).as(operation).isIn(200, 404, 409);
      } else if (NOT_REFUSED.containsKey(operation)) {
        assertThat(answer.status()).as(operation).isEqualTo(NOT_REFUSED.get(operation));
      } else {
        assertThat(answer.status()).as(operation + answer.text()).isEqualTo(409);
        assertThat(answer.code()).as(operation).isEqualTo("account_erased");
      }
    }

    assertThat(naming(other)).isEqualTo(before);
  }

  private Set<Key> naming(Person person) {
    Set<Key> keys = new HashSet<>();
    new TableScanner(server.table().table())
        .items()
        .flatMap(List::stream)
        .map(TableScanner.Stored.class::cast)
        .filter(stored -> stored.row().referencedAccounts().contains(person.id()))
        .forEach(stored -> keys.add(stored.key()));
    return keys;
  }

  private void stand(Caller caller) {
    switch (caller) {
      case ANONYMOUS, SELF, OTHER, OPERATOR -> {}
      case FOLLOWER -> other.follows(owner);
      case BLOCKED -> {
        other.follows(owner);
        owner.blocks(other);
      }
    }
  }

  private Person person(Caller caller) {
    return caller == Caller.SELF ? owner : other;
  }
}
