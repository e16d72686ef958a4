package social.feed.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.json.tree.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.testkit.PagingLaw;

/** Reads lists page by page. */
public final class Paged {
  private Paged() {}

  /** Asserts the paging contract: pages of every size concatenate to the same list. */
  public static void holds(Api caller, String path, List<String> expected) {
    for (int size = 1; size <= expected.size() + 1; size++) {
      assertThat(ids(caller, path, size)).as("in pages of %s", size).isEqualTo(expected);
    }
  }

  /**
   * Returns the ids of a whole list. Each page except the last is full, and only an empty list has
   * an empty page.
   */
  public static List<String> ids(Api caller, String path, int size) {
    return idsAfter(caller, path, size, null);
  }

  /** Returns the ids after a page. */
  public static List<String> idsAfter(
      Api caller, String path, int size, @Nullable String cursorOfPage) {
    List<String> all = new ArrayList<>();
    Set<String> cursors = new HashSet<>();
    @Nullable String cursor = cursorOfPage;
    do {
      PagingLaw.continuesOnce(cursors, cursor);
      Answer page = Expect.status(200, caller.get(path(path, size, cursor)));
      List<String> ids = ids(page);
      cursor = next(page);
      assertThat(ids).hasSizeLessThanOrEqualTo(size);
      assertThat(cursor == null || ids.size() == size).as("full: %s", page.text()).isTrue();
      assertThat(all.isEmpty() || !ids.isEmpty()).as("a cursor led to an empty page").isTrue();
      all.addAll(ids);
    } while (cursor != null);
    return all;
  }

  public static List<String> ids(Answer page) {
    List<String> ids = new ArrayList<>();
    for (JsonNode item : page.json().get("items").values()) {
      ids.add(identified(item).get("id").getStringValue());
    }
    return ids;
  }

  /** An item of the caller's likes or comments has its id one level deeper. */
  private static JsonNode identified(JsonNode item) {
    return Stream.of(item, item.get("comment"), item.get("post"))
        .filter(node -> node != null && node.get("id") != null)
        .findFirst()
        .orElseThrow();
  }

  public static @Nullable String next(Answer page) {
    JsonNode cursor = page.json().get("next_cursor");
    return cursor == null ? null : cursor.getStringValue();
  }

  public static String path(String path, int size, @Nullable String cursor) {
    String all = path + (path.contains("?") ? "&" : "?") + "limit=" + size;
    return cursor == null ? all : all + "&cursor=" + cursor;
  }

  /** Asserts the parameters that every list rejects. */
  public static void rejectsInvalidParameters(
      Api caller, Api other, String path, String foreign, int max) {
    String join = path.contains("?") ? "&" : "?";
    for (String limit : List.of("0", "-1", "" + (max + 1), "x", "")) {
      Expect.blames(400, "limit", caller.get(path + join + "limit=" + limit));
    }
    Expect.status(200, caller.get(path + join + "limit=" + max));
    String cursor = next(Expect.status(200, caller.get(path(path, 1, null))));
    assertThat(cursor).as("the list needs two items").isNotNull();
    Expect.status(200, caller.get(path(path, 1, cursor)));
    Expect.problem(400, "invalid_cursor", other.get(path(path, 1, cursor)));
    Expect.problem(400, "invalid_cursor", caller.get(path(foreign, 1, cursor)));
    Expect.problem(400, "invalid_cursor", caller.get(path(path, 1, cursor + "A")));
    Expect.problem(400, "invalid_cursor", caller.get(path(path, 1, "nonsense")));
    Expect.blames(400, "cursor", caller.get(path(path, 1, "")));
  }
}
