package social.feed.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import social.feed.table.kernel.cost.ItemSize;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.schema.FeedTable;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.Comment;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.IdempotencyRecord;
import social.feed.table.row.Inbox;
import social.feed.table.row.Keys;
import social.feed.table.row.Like;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;
import social.feed.table.row.PostTag;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.Row;
import social.feed.table.row.RowKind;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.TestTable;

/**
 * Each declared cost of a verification is what a hundred more rows cost, in units as AWS bills
 * them. Most related rows are absent, since reading what is absent costs the same; the accounts are
 * there, since the erasure of an absent one is read as well. A small table is one page of the walk,
 * so rows of different partitions share reads here that they do not share in a large one; each case
 * says how many.
 */
class ITVerificationCost {
  private static final int FEW = 20;
  private static final int MANY = 120;
  private static final double TOLERANCE = 2;
  private static final long LATER = 4_000_000_000L;
  private static final Map<String, String> NO_MARKS = Map.of();

  private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.MILLIS);
  private static final Instant POSTED = NOW.minus(Duration.ofDays(10));
  private static final Instant FOLLOWED = NOW.minus(Duration.ofDays(20));

  private final List<Row> rows = new ArrayList<>();

  /**
   * A way in which a table grows.
   *
   * @param fixed the rows that are there whatever the size
   * @param each the rows of a number
   * @param partitions the kinds whose rows are in a partition of their own
   * @param shared the reads of these rows that a single page saves
   */
  private record Growth(
      List<Row> fixed, IntFunction<List<Row>> each, List<RowKind> partitions, int shared) {}

  private static Arguments growth(String name, Growth growth) {
    return Arguments.of(name, growth);
  }

  static Stream<Arguments> growths() {
    var post = post("author");
    return Stream.of(
        growth(
            "claims",
            new Growth(List.of(), i -> List.of(new HandleClaim("h" + id(i), id(i))), List.of(), 0)),
        growth("accounts", new Growth(List.of(), ITVerificationCost::account, List.of(), 0)),
        growth(
            "unread notifications of an account",
            new Growth(List.of(inbox("reader")), i -> List.of(unread("reader", i)), List.of(), 0)),
        growth(
            // The erasure of an author is read once for post and profile, and the account once.
            "posts with a tag",
            new Growth(
                List.of(),
                i -> List.of(post(id(i)), PostTag.of(post(id(i)), "sea"), user(id(i))),
                List.of(),
                2)),
        growth(
            // As those of authors above.
            "likes of a post",
            new Growth(
                List.of(post),
                i -> List.of(Like.of(post, id(i), POSTED), user(id(i))),
                List.of(),
                2)),
        growth(
            "comments on a post",
            new Growth(List.of(post), i -> List.of(comment(post, i), user(id(i))), List.of(), 2)),
        growth(
            // The erasure of a follower is read once for edge and profile, and the account once.
            "followers of an account",
            new Growth(
                List.of(user("author"), rank("author")),
                i -> List.of(edge(id(i), "author"), user(id(i))),
                List.of(),
                2)),
        growth(
            // The follower's erasure, account and activity are read once; the erasure of a followed
            // account once for edge, profile and rank, and the account once.
            "follows of an account",
            new Growth(
                List.of(user("reader")),
                i -> List.of(edge("reader", id(i)), user(id(i)), rank(id(i))),
                List.of(RowKind.FOLLOW),
                6)),
        growth(
            // The erasure of a reader is read once for edge, entry and profile, and the account
            // once.
            "readers of a post",
            new Growth(
                List.of(post, user("author"), rank("author")),
                i -> List.of(edge(id(i), "author"), FeedEntry.of(post.ref(), id(i)), user(id(i))),
                List.of(),
                3)),
        growth(
            // The erasure of an author is read once for post, edge, entry, profile and rank, that
            // of a reader once for edge, entry and profile, and each account once.
            "posts with a reader",
            new Growth(
                List.of(),
                ITVerificationCost::read,
                List.of(RowKind.FOLLOW, RowKind.FEED_ENTRY),
                9)),
        growth(
            "rows that expire",
            new Growth(List.of(), ITVerificationCost::temporary, List.of(), 0)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("growths")
  void cost_isWhatMoreRowsCost(String name, Growth growth) {
    double measured;
    try (var table = TestTable.start()) {
      double few = cost(table, growth, 0, FEW);
      measured = cost(table, growth, FEW, MANY) - few;
    }

    double declared = -(double) growth.shared() * (MANY - FEW);
    for (int i = FEW; i < MANY; i++) {
      for (var row : growth.each().apply(i)) {
        declared += declared(row, growth.partitions().contains(row.kind()) ? 1 : 0);
      }
    }
    assertThat(measured)
        .as(name)
        .isCloseTo(declared, withinPercentage(TOLERANCE))
        // So a unit more or less in a declared cost is found.
        .isNotCloseTo(declared + MANY - FEW, withinPercentage(TOLERANCE))
        .isNotCloseTo(declared - MANY + FEW, withinPercentage(TOLERANCE));
  }

  private double cost(TestTable table, Growth growth, int from, int to) {
    rows.clear();
    rows.addAll(growth.fixed());
    IntStream.range(from, to).mapToObj(growth.each()).forEach(rows::addAll);
    table.table().putAll(rows);
    try (var bill = table.bill()) {
      // A whole verification would read what differs once more.
      new Inspection(table.table(), Clock.systemUTC(), Optional.empty(), TrendingTags.HALF_LIFE)
          .walk(_ -> {});
      return bill.take().units().read();
    }
  }

  private static double declared(Row row, int partitions) {
    var item = RowCodec.encode(row);
    return VerificationCost.of(row.kind())
        .units(1, partitions, ItemSize.of(item), index -> bytes(index, row));
  }

  private static long bytes(Index index, Row row) {
    var item = RowCodec.encode(row);
    return FeedTable.DECLARATION.indexes().stream()
        .filter(declared -> declared.name().equals(index.indexName()))
        .mapToLong(declared -> ItemSize.of(FeedTable.DECLARATION.entry(declared, item)))
        .sum();
  }

  // Rows

  private static String id(int number) {
    return "account-%04d".formatted(number);
  }

  private static User user(String id) {
    return new User(id, "h" + id, "A name", null, FOLLOWED, 0, 0, 0, 0, false, 0, NO_MARKS);
  }

  /** The rows of an account in its own partition, with a notification from another one. */
  private static List<Row> account(int number) {
    var id = id(number);
    return List.of(
        user(id),
        new FollowQuota(id, 0, 0),
        FeedActivity.at(id, FOLLOWED),
        inbox(id),
        unread(id, number));
  }

  private static Inbox inbox(String account) {
    return new Inbox(account, 0, NO_MARKS, true, null, null, LATER, 1, 1, null, null, null);
  }

  private static Notification unread(String account, int number) {
    return new Notification(
        account,
        "01KAJPTR0000000000000%05d".formatted(number),
        NotificationType.LIKE,
        "actor" + number,
        post("author").postId(),
        POSTED,
        false,
        LATER,
        true);
  }

  private static Post post(String author) {
    return SamplePosts.by(author, POSTED).tags(List.of("sea")).build();
  }

  private static Comment comment(Post post, int number) {
    return new Comment(
        post.postId(),
        "01KAJPTR0000000000000%05d".formatted(number),
        id(number),
        post.authorId(),
        "A comment",
        POSTED);
  }

  /** A post, its author, and its only reader. */
  private static List<Row> read(int number) {
    var post = post(id(number));
    var reader = "reader" + number;
    return List.of(
        post,
        PostTag.of(post, "sea"),
        user(post.authorId()),
        rank(post.authorId()),
        edge(reader, post.authorId()),
        FeedEntry.of(post.ref(), reader),
        user(reader));
  }

  private static TopAuthor rank(String account) {
    return TopAuthor.empty(Keys.month(FOLLOWED), account);
  }

  /** An edge that was backfilled and found nothing. */
  private static Follow edge(String follower, String followee) {
    return new Follow(follower, followee, FOLLOWED, FOLLOWED, null, false, null);
  }

  private static List<Row> temporary(int number) {
    var post = "01KAJPTR0000000000000%05d".formatted(number);
    return List.of(
        ProcessedEvent.ofPost(post, ProcessedEvent.CREATED, NOW),
        new IdempotencyRecord("a" + number, "k", "f", post, 201, "x".repeat(400), LATER),
        FanOutPlan.served(post, 1, 0, NOW, LATER),
        new FanOutChunk(
            post, 4, 1, "b" + number, "c" + number, 500, "x", null, null, 0, 0, null, LATER),
        PulledAuthor.from("d" + number, FOLLOWED));
  }
}
