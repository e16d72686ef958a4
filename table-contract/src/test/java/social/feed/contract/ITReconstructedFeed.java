package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.home.FeedView;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageFiller;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.FeedRef;
import social.feed.table.row.Keys;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.PagingLaw;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** Posts that feeds do not store are read from their authors, without a visible boundary. */
@ExtendWith(EngineExtension.class)
class ITReconstructedFeed {
  /** More authors than are asked for a whole page each. */
  private static final int FOLLOWED = 250;

  private static final int PAGE = 50;

  private final TestTable table;
  private final SeedWorld world;
  private final Person reader;
  private final List<Person> authors;
  private final Random random = new Random(7);

  ITReconstructedFeed(TestTable table, SeedWorld world) {
    this.table = table;
    this.world = world;
    this.reader = world.user("reader");
    this.authors = Stream.of("ann", "bob", "cid").map(world::user).toList();
  }

  @Test
  void feed_forAnyEndOfItsStoredPart_isTheSameList() {
    follow(authors, Duration.ofHours(-1));
    var posts = posts(10);
    deliver(posts);

    Stream.concat(
            Stream.of(Instant.EPOCH, table.clock().instant()), posts.stream().map(Post::createdAt))
        .forEach(
            end -> PagingLaw.holds(r -> page(r, () -> end), FeedRefs.inOrder(posts, reader.id())));
  }

  @Test
  void feed_whoseStoredPartEndsElsewhereForEachPage_isTheSameList() {
    follow(authors, Duration.ofHours(-1));
    var posts = posts(24);
    deliver(posts);

    for (int size = 1; size <= 7; size++) {
      Supplier<Instant> anywhere = () -> posts.get(random.nextInt(posts.size())).createdAt();
      assertThat(PagingLaw.read(r -> page(r, anywhere), size))
          .as("in pages of %s", size)
          .isEqualTo(FeedRefs.inOrder(posts, reader.id()));
    }
  }

  @Test
  void past_containsExactlyTheEligiblePosts() {
    var before = post(authors.getFirst(), Visibility.PUBLIC, FanOutMode.PUSH);
    var filled = post(authors.getFirst(), Visibility.PUBLIC, FanOutMode.PUSH);
    var edge = reader.follows(authors.getFirst());
    world.follows.noteBackfilled(edge, filled.createdAt());
    var kept = author(authors.get(1), before.createdAt());
    var gone = author(authors.get(2), before.createdAt());
    reader.unfollowsKeepingHistory(authors.get(1));
    reader.unfollows(authors.get(2));
    post(authors.get(1), Visibility.PUBLIC, FanOutMode.PUSH);
    post(authors.getFirst(), Visibility.PRIVATE, FanOutMode.PUSH);
    // The registry does not cover it, so its author has it.
    var pulled = post(authors.getFirst(), Visibility.PUBLIC, FanOutMode.PULL);
    var forFollowers = post(authors.getFirst(), Visibility.FOLLOWERS, FanOutMode.PUSH);
    var own = post(reader, Visibility.PRIVATE, FanOutMode.PULL);

    var past = PagingLaw.read(r -> page(r, table.clock()::instant), 3);

    assertThat(past)
        .containsExactlyElementsOf(
            FeedRefs.inOrder(List.of(filled, kept, pulled, forFollowers, own), reader.id()));
    assertThat(past).doesNotContain(FeedRefs.of(before), FeedRefs.of(gone));
  }

  /** The post of the last millisecond that is retained is among those that are read. */
  @Test
  void past_beginsWhereRetainedPostsEnd() {
    follow(authors.subList(0, 1), Duration.ofHours(-1));
    var last = table.clock().instant();
    var kept =
        IntStream.range(0, 3)
            .mapToObj(_ -> post(authors.getFirst(), Visibility.PUBLIC, FanOutMode.PUSH, last))
            .toList();
    world.followWriter.unfollowKeepingHistory(reader.id(), authors.getFirst().id(), last);
    IntStream.rangeClosed(1, 40)
        .forEach(
            i -> post(authors.getFirst(), Visibility.PUBLIC, FanOutMode.PUSH, last.plusMillis(i)));
    var end = last.plusSeconds(1);

    assertThat(world.feeds.of(view(end), new PageRequest(10, Keys.at(end))).items())
        .containsExactlyElementsOf(FeedRefs.inOrder(kept, reader.id()));
    PagingLaw.holds(r -> page(r, () -> end), FeedRefs.inOrder(kept, reader.id()));
  }

  /** They are not in the stored feed either. */
  @Test
  void past_ofAnAuthorWhomTheReaderFollowsAgain_isWithoutThePostsBetween() {
    var ann = authors.getFirst();
    follow(List.of(ann), Duration.ZERO);
    var kept = post(ann, Visibility.PUBLIC, FanOutMode.PUSH);
    var last = table.clock().instant();
    var lastKept = post(ann, Visibility.PUBLIC, FanOutMode.PUSH, last);
    world.followWriter.unfollowKeepingHistory(reader.id(), ann.id(), last);
    post(ann, Visibility.PUBLIC, FanOutMode.PUSH, last.plusMillis(1));
    post(ann, Visibility.PUBLIC, FanOutMode.PUSH);
    post(ann, Visibility.PUBLIC, FanOutMode.PULL);
    var filled = post(ann, Visibility.PUBLIC, FanOutMode.PUSH);
    world.follows.noteBackfilled(reader.follows(ann), filled.createdAt());
    var later = post(ann, Visibility.PUBLIC, FanOutMode.PUSH);

    PagingLaw.holds(
        r -> page(r, table.clock()::instant),
        FeedRefs.inOrder(List.of(kept, lastKept, filled, later), reader.id()));
  }

  /** Without the count, a page would continue without limit behind posts that it filters out. */
  @Test
  void past_withoutVisiblePosts_returnsTheExaminedCount() {
    follow(authors, Duration.ofHours(-1));
    var hidden = IntStream.range(0, 6);
    hidden.forEach(_ -> post(authors.getFirst(), Visibility.PRIVATE, FanOutMode.PUSH));
    var end = table.clock().instant();

    var part = world.feeds.of(view(end), new PageRequest(4, Keys.at(end)));

    assertThat(part.slots()).isEmpty();
    assertThat(part.next()).isNotNull();
    assertThat(part.examined()).isEqualTo(4);
  }

  @Test
  void past_ofManyFollowed_isReadInParts() {
    var many = people("author", 230);
    follow(many, Duration.ofHours(-1));
    var posts = new ArrayList<Post>();
    many.forEach(author -> posts.add(post(author, Visibility.PUBLIC, FanOutMode.PUSH)));
    for (int i = 0; i < 30; i++) {
      posts.add(post(many.getFirst(), Visibility.PUBLIC, FanOutMode.PUSH));
    }

    assertThat(PagingLaw.read(r -> page(r, table.clock()::instant), 50))
        .isEqualTo(FeedRefs.inOrder(posts, reader.id()));
  }

  /** Most of the newest posts are of one of many authors, so a page has many of them. */
  @Test
  void past_withABusyAuthor_costsOneUnitAnAuthor() {
    var many = people("author", FOLLOWED);
    var posts = postsOfMany(many, PAGE);
    var view = view(table.clock().instant());

    var first = new ArrayList<Page<FeedRef>>();
    assertThat(billed(() -> first.add(shown(view, PageRequest.first(PAGE), _ -> true))))
        .isBetween((double) FOLLOWED, 1.2 * FOLLOWED);

    assertThat(first.getFirst().items()).hasSize(PAGE);
    assertThat(PagingLaw.read(r -> shown(view, r, _ -> true), PAGE))
        .isEqualTo(FeedRefs.inOrder(posts, reader.id()));
  }

  /** As where the reader mutes the author. */
  @Test
  void past_withABusyAuthorWhoIsHidden_costsAQueryMoreForEachPart() {
    var many = people("author", FOLLOWED);
    var posts = postsOfMany(many, 240);
    var view = view(table.clock().instant());
    Predicate<FeedRef> isShown = post -> !post.authorId().equals(many.getFirst().id());
    var expected =
        FeedRefs.inOrder(posts, reader.id()).stream().filter(isShown).limit(PAGE).toList();

    var first = new ArrayList<Page<FeedRef>>();
    assertThat(billed(() -> first.add(shown(view, PageRequest.first(PAGE), isShown))))
        .isBetween((double) FOLLOWED, 1.2 * FOLLOWED);

    assertThat(first.getFirst().items()).isEqualTo(expected);
  }

  @Test
  void past_ofWhichSomePostsAreHidden_isTheSameListWithoutThem() {
    follow(authors, Duration.ofHours(-1));
    var posts = posts(40);
    var view = view(table.clock().instant());
    var hidden = posts.stream().filter(_ -> random.nextInt(3) > 0).map(Post::postId).toList();
    Predicate<FeedRef> isShown = post -> !hidden.contains(post.postId());

    PagingLaw.holds(
        r -> shown(view, r, isShown),
        FeedRefs.inOrder(posts, reader.id()).stream().filter(isShown).toList());
  }

  /** Follows many authors, of whom the first one wrote nine of ten of the newest posts. */
  private List<Post> postsOfMany(List<Person> many, int newest) {
    follow(many, Duration.ofHours(-1));
    var posts = new ArrayList<Post>();
    many.forEach(author -> posts.add(drafted(author)));
    for (int i = 0; i < newest; i++) {
      posts.add(drafted(i % 10 == 9 ? many.get(i) : many.getFirst()));
    }
    table.table().putAll(posts);
    return posts;
  }

  private Post drafted(Person author) {
    return SamplePosts.of(author.id(), table.clock().instant(), FanOutMode.PUSH);
  }

  /** Returns the read units that AWS bills for calls. */
  private double billed(Runnable calls) {
    try (var _ = table.bill()) {
      return TestTable.costOf(calls).read();
    }
  }

  /** Reads a page as one request of the API does, with the posts that its reader may see. */
  private Page<FeedRef> shown(FeedView view, PageRequest request, Predicate<FeedRef> isShown) {
    return PageFiller.fill(
        request,
        world.feeds.of(view),
        slots -> slots.stream().filter(slot -> isShown.test(slot.item())).toList());
  }

  @Test
  void past_readsListEdgesRetainedPosts_andOnlyAuthorsWhosePostsReachBack() {
    follow(authors, Duration.ofHours(-1));
    deliver(posts(6));
    var end = table.clock().instant();
    table.clock().advance(Duration.ofHours(1));
    follow(people("late", 10), Duration.ZERO);

    assertThat(asked(() -> world.feeds.of(view(end), PageRequest.first(20))))
        .as("entries only")
        .containsExactly("Query GSI3");
    assertThat(asked(() -> world.feeds.of(view(end), new PageRequest(20, Keys.at(end)))))
        .containsExactlyInAnyOrder(
            "Query GSI_FOLLOWING",
            "Get 13",
            "Query table",
            "Query GSI1",
            "Query GSI1",
            "Query GSI1",
            "Query GSI1");
  }

  private List<String> asked(Runnable call) {
    table.requests().take();
    call.run();
    return table.requests().take().stream().map(ITReconstructedFeed::name).toList();
  }

  private static String name(SdkRequest request) {
    return switch (request) {
      case QueryRequest query ->
          "Query " + (query.indexName() == null ? "table" : query.indexName());
      case BatchGetItemRequest get ->
          "Get " + get.requestItems().values().iterator().next().keys().size();
      default -> request.toString();
    };
  }

  private List<Person> people(String name, int count) {
    return IntStream.range(0, count).mapToObj(i -> world.user(name + i)).toList();
  }

  private List<Post> posts(int count) {
    var posts = new ArrayList<Post>();
    for (int i = 0; i < count; i++) {
      var author = authors.get(random.nextInt(authors.size()));
      // Every second post shares the millisecond of the one before.
      var time = i % 2 == 1 ? posts.getLast().createdAt() : table.clock().instant();
      posts.add(post(author, Visibility.PUBLIC, FanOutMode.PUSH, time));
    }
    return posts;
  }

  private Post author(Person author, Instant since) {
    var edge = reader.follows(author);
    world.follows.noteBackfilled(edge, since);
    return post(author, Visibility.PUBLIC, FanOutMode.PUSH);
  }

  private Post post(Person author, Visibility visibility, FanOutMode delivery) {
    return post(author, visibility, delivery, table.clock().instant());
  }

  private Post post(Person author, Visibility visibility, FanOutMode delivery, Instant time) {
    var template = author.posts("x", visibility);
    author.deletes(template);
    var post =
        SamplePosts.by(author.id(), time)
            .randomId(random)
            .visibility(visibility)
            .delivery(delivery)
            .build();
    world.posts.create(post);
    return post;
  }

  private void follow(List<Person> people, Duration fedSince) {
    for (var person : people) {
      var edge = reader.follows(person);
      world.follows.noteBackfilled(edge, edge.createdAt().plus(fedSince));
    }
  }

  private void deliver(List<Post> posts) {
    world.feeds.deliver(posts.stream().map(p -> FeedEntry.of(p.ref(), reader.id())).toList());
  }

  private FeedView view(Instant end) {
    return new FeedView(reader.id(), List.of(), end);
  }

  /** Reads full pages as the API does, regardless of the parts. */
  private Page<FeedRef> page(PageRequest request, Supplier<Instant> end) {
    return PageFiller.fill(request, part -> world.feeds.of(view(end.get()), part), slots -> slots);
  }
}
