package social.feed.api.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import social.feed.table.row.RowKind;
import social.feed.testkit.GeneratedPage;

/**
 * Which kinds of rows an export has, and why it leaves out the others. A new kind fails here until
 * it is in one of the two lists.
 */
class ExportKindsPageTest {
  /** The kinds of lines of the rows of an account. */
  static final Map<RowKind, Set<String>> LINES =
      Map.ofEntries(
          Map.entry(RowKind.USER, Set.of("profile")),
          Map.entry(RowKind.POST, Set.of("post")),
          Map.entry(RowKind.COMMENT, Set.of("comment")),
          Map.entry(RowKind.LIKE, Set.of("like")),
          Map.entry(RowKind.FOLLOW, Set.of("following", "follower")),
          // Only the end of a slow-down.
          Map.entry(RowKind.FOLLOW_QUOTA, Set.of("slow_down")),
          Map.entry(RowKind.KEPT_HISTORY, Set.of("kept_history")),
          Map.entry(RowKind.BLOCK, Set.of("block")),
          Map.entry(RowKind.MUTE, Set.of("mute")),
          Map.entry(RowKind.ACTIVITY, Set.of("activity")),
          Map.entry(RowKind.NOTIFICATION, Set.of("notification")),
          Map.entry(RowKind.MEDIA, Set.of("media")));

  /**
   * Kinds of which an export has nothing.
   *
   * @param reason as the page has it
   */
  private record LeftOut(String reason, RowKind... kinds) {}

  private static final List<LeftOut> LEFT_OUT =
      List.of(
          new LeftOut(
              "private to the account that blocks, or that follows specially",
              RowKind.BLOCKED_BY,
              RowKind.SPECIAL_FOLLOWER,
              RowKind.ANNOUNCEMENT,
              RowKind.ANNOUNCEMENT_PART),
          new LeftOut("its reasons count blocks by other accounts", RowKind.SUSPECT),
          new LeftOut(
              "hashes of accounts that the caller follows, which are lines of their own; kept for a week",
              RowKind.FOLLOW_OPENING),
          new LeftOut(
              "repeats other lines: the handle, the tags of a post, the followers of a month, and which notifications are read",
              RowKind.HANDLE_CLAIM,
              RowKind.POST_TAG,
              RowKind.TOP_AUTHOR,
              RowKind.INBOX),
          new LeftOut("posts of other accounts", RowKind.FEED_ENTRY),
          new LeftOut("names no account", RowKind.TAG_USES, RowKind.TAG_TREND),
          new LeftOut(
              "how posts are delivered and removed",
              RowKind.PULLED_AUTHOR,
              RowKind.PULL_REVISION,
              RowKind.RECENT_DELIVERY,
              RowKind.FAN_OUT_PLAN,
              RowKind.FAN_OUT_CHUNK,
              RowKind.POST_CLEAN_UP),
          new LeftOut(
              "marks of changes that were applied, and of repairs",
              RowKind.EFFECT_MARK,
              RowKind.FENCE),
          new LeftOut("the key of a request is a secret", RowKind.IDEMPOTENCY_RECORD),
          new LeftOut(
              "an account that is being erased gets no export",
              RowKind.ERASURE,
              RowKind.ERASURE_ALARM,
              RowKind.ERASURE_SWEEP,
              RowKind.PENDING_ERASURE,
              RowKind.ERASURE_PACE,
              RowKind.WAITING_ERASURE),
          new LeftOut("objects of a deleted file, until they are removed", RowKind.MEDIA_REMOVAL),
          new LeftOut(
              "belongs to the deployment, and has secrets",
              RowKind.WEBHOOK,
              RowKind.WEBHOOK_DELIVERIES,
              RowKind.WEBHOOK_REGISTRY));

  static Set<String> allLines() {
    return LINES.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
  }

  @Test
  void kinds_areExportedOrLeftOutForAReason() {
    var decided =
        Stream.concat(
                LINES.keySet().stream(), LEFT_OUT.stream().flatMap(out -> Stream.of(out.kinds())))
            .toList();

    assertThat(decided).containsExactlyInAnyOrderElementsOf(EnumSet.allOf(RowKind.class));
  }

  @Test
  void page_saysWhatIsLeftOutAndWhy() {
    var page = new StringBuilder("\n| row | why |\n|---|---|\n");
    for (var out : LEFT_OUT) {
      page.append(
              Arrays.stream(out.kinds())
                  .map(kind -> "`" + kind + "`")
                  .collect(Collectors.joining(", ", "| ", " | ")))
          .append(out.reason())
          .append(" |\n");
    }
    GeneratedPage.named("erasure.md")
        .has("These kinds of [rows](table.md) have no line:\n", page.toString());
  }
}
