package social.feed.table.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;

class PseudonymsTest {
  private static final String MEMBER = "some_one-Q7";

  /** The page of operations says how to compute it: {@code printf %s alice | sha256sum}. */
  @Test
  void member_isTheBeginningOfItsHash() {
    assertThat(Pseudonyms.ofMember("alice")).isEqualTo("2bd806c97f0e00af");
  }

  @Test
  void items_haveHashesOfBothKeys() {
    var post = new Key("POST#1", "META");

    assertThat(Pseudonyms.ofItem(post))
        .hasSize(16)
        .isNotEqualTo(Pseudonyms.ofItem(new Key("POST#1", "LIKE#a")))
        .isNotEqualTo(Pseudonyms.ofItem(new Key("POST#1M", "ETA")));
    assertThat(Pseudonyms.ofItems(List.of(post, post)))
        .isEqualTo(Pseudonyms.ofItem(post) + " " + Pseudonyms.ofItem(post));
  }

  /** Calls each method of the keys with a member, a handle and other values. */
  @Test
  void members_areHidden_inAllKeys() throws ReflectiveOperationException {
    int withMember = 0;
    for (var method : Keys.class.getDeclaredMethods()) {
      if (Modifier.isPublic(method.getModifiers()) && method.getReturnType() == String.class) {
        var arguments = Stream.of(method.getParameters()).map(PseudonymsTest::argument).toArray();
        if (List.of(arguments).contains(MEMBER)) {
          withMember++;
          assertThat(Pseudonyms.in(String.valueOf(method.invoke(null, arguments))))
              .as(method.toString())
              .doesNotContain(MEMBER)
              .contains("#");
        }
      }
    }
    assertThat(withMember).isGreaterThan(15);
  }

  private static Object argument(Parameter parameter) {
    if (parameter.getType() == String.class) {
      return parameter.getName().matches("(user|reader|author)Id|handle") ? MEMBER : "other";
    }
    return parameter.getType() == Instant.class ? (Object) Instant.EPOCH : (Object) 1;
  }

  @Test
  void text_keepsPosts() {
    assertThat(Pseudonyms.in("POST#01J / LIKE#" + MEMBER))
        .isEqualTo("POST#01J / LIKE#" + Pseudonyms.ofMember(MEMBER));
    assertThat(Pseudonyms.in("no key of alice")).isEqualTo("no key of alice");
  }

  @Test
  void post_isThatOfThePartition() {
    assertThat(Pseudonyms.postOf(new Key("POST#01J", "META"))).hasValue("01J");
    assertThat(Pseudonyms.postOf(new Key("FANOUT#01J#3", "FEED#a"))).hasValue("01J");
    assertThat(Pseudonyms.postOf(new Key("USER#a", "META"))).isEmpty();
  }
}
