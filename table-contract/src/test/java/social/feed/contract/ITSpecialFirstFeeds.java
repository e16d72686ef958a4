package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.home.FeedView;
import social.feed.table.home.HomeFeeds;
import social.feed.table.home.SpecialFirstFeeds;
import social.feed.table.home.SpecialFirstFeeds.Placed;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageFiller;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.post.PostCleanUps;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.FeedRef;
import social.feed.table.row.Post;
import social.feed.table.row.PulledAuthor;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.OnlyEmbedded;
import social.feed.testkit.OnlyEmbedded.Reason;
import social.feed.testkit.PagingLaw;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.TestTable;

/** Specially followed authors come first, then all others: one list of two parts. */
@ExtendWith(EngineExtension.class)
class ITSpecialFirstFeeds {
  private static final int SHARDS = 4;

  private final TestTable table;
  private final SeedWorld world;
  private final SpecialFirstFeeds feeds;
  private final Person reader;
  private final Person ann;
  private final Person bob;
  private final List<Person> authors;
  private final List<PulledAuthor> pulled = new ArrayList<>();
  private final Random random = new Random(7);

  ITSpecialFirstFeeds(TestTable table, SeedWorld world) {
    this.table = table;
    this.world = world;
    this.feeds = new SpecialFirstFeeds(table.table(), new HomeFeeds(table.table()));
    this.reader = world.user("reader");
    this.ann = world.user("ann");
    this.bob = world.user("bob");
    this.authors = List.of(ann, bob, world.user("cid"), world.user("dot"));
    for (var author : authors) {
      var edge = reader.follows(author);
      world.follows.noteBackfilled(edge, edge.createdAt().minus(Duration.ofHours(1)));
    }
  }

  @Test
  void feed_startsWithSpecialAuthors_inPagesOfAnySize() {
    var posts = posts(14);
    PagingLaw.holds(r -> page(r, () -> Instant.EPOCH), FeedRefs.inOrder(posts, reader.id()));

    reader.marks(ann);
    reader.marks(bob);

    PagingLaw.holds(r -> page(r, () -> Instant.EPOCH), split(posts, Set.of(ann, bob)));
  }

  @Test
  void feed_whoseStoredPartEndsElsewhereForEachPage_isTheSameList() {
    var posts = posts(20);
    reader.marks(bob);
    var expected = split(posts, Set.of(bob));

    for (int size = 1; size <= 7; size++) {
      Supplier<Instant> anywhere = () -> posts.get(random.nextInt(posts.size())).createdAt();
      assertThat(PagingLaw.read(r -> page(r, anywhere), size))
          .as("in pages of %s", size)
          .isEqualTo(expected);
    }
  }

  @Test
  void feed_ofPulledAuthors_isTheSameList() {
    var celebrity = authors.get(2);
    pulled.add(PulledAuthor.from(celebrity.id(), table.clock().instant()));
    pulled.add(PulledAuthor.from(bob.id(), table.clock().instant()));
    var posts = posts(8);
    posts.add(pulledPost(celebrity));
    posts.add(pulledPost(bob));
    posts.addAll(posts(6));
    posts.add(pulledPost(celebrity));
    reader.marks(celebrity);

    PagingLaw.holds(r -> page(r, () -> Instant.EPOCH), split(posts, Set.of(celebrity)));
  }

  /** They are in the second part, so the first one would read them for nothing. */
  @Test
  void pulledPostsFromBeforeTheFollow_areNotReadInTheFirstPart() {
    var longAgo = table.clock().instant().minus(Duration.ofHours(3));
    pulled.add(PulledAuthor.from(ann.id(), longAgo));
    var before = post(ann, FanOutMode.PULL, longAgo.plusSeconds(1));
    var after = pulledPost(ann);
    reader.marks(ann);

    var first =
        feeds.of(new FeedView(reader.id(), pulled, Instant.EPOCH)).apply(PageRequest.first(5));

    assertThat(first.items()).containsExactly(new Placed(FeedRefs.of(after), true));
    assertThat(page(PageRequest.first(5), () -> Instant.EPOCH).items())
        .containsExactly(FeedRefs.of(after), FeedRefs.of(before));
  }

  @Test
  void feed_ofManySpecialAuthors_isReadInParts() {
    var many = new ArrayList<Person>();
    var posts = new ArrayList<Post>();
    for (int i = 0; i < 12; i++) {
      var author = world.user("author" + i);
      reader.follows(author);
      reader.marks(author);
      many.add(author);
      posts.add(post(author, FanOutMode.PUSH, table.clock().instant()));
    }
    for (int i = 0; i < 30; i++) {
      posts.add(post(many.getFirst(), FanOutMode.PUSH, table.clock().instant()));
    }
    deliver(posts);
    var rest = posts(5);

    assertThat(PagingLaw.read(r -> page(r, () -> Instant.EPOCH), 20))
        .isEqualTo(
            Stream.concat(
                    FeedRefs.inOrder(posts, reader.id()).stream(),
                    FeedRefs.inOrder(rest, reader.id()).stream())
                .toList());
  }

  /** Changes between two pages do not affect existing posts: each appears once, in order. */
  @Test
  @OnlyEmbedded(Reason.THOUSANDS_OF_CALLS)
  void feed_thatChangesBetweenPages_neitherSkipsNorRepeats() {
    for (int seed = 0; seed < 20; seed++) {
      reader.marks(ann);
      var posts = posts(12);
      var expected = split(posts, Set.of(ann));
      var seen = new ArrayList<FeedRef>();
      @Nullable String position = null;
      var tooLate = new ArrayList<FeedRef>();
      boolean isPast = false;
      var positions = new HashSet<String>();
      do {
        PagingLaw.continuesOnce(positions, position);
        var page = page(new PageRequest(1 + random.nextInt(4), position), () -> Instant.EPOCH);
        seen.addAll(page.items());
        position = page.next();
        isPast |= page.items().stream().anyMatch(ref -> !ref.authorId().equals(ann.id()));
        var late = change();
        posts.add(late);
        if (isPast && late.authorId().equals(ann.id())) {
          tooLate.add(FeedRefs.of(late));
        }
      } while (position != null);

      var ids = expected.stream().map(FeedRef::postId).toList();
      assertThat(seen.stream().filter(r -> ids.contains(r.postId())).toList())
          .as("posts from the start")
          .isEqualTo(expected);
      assertThat(seen).doesNotHaveDuplicates();
      assertThat(seen)
          .filteredOn(tooLate::contains)
          .as("posts in a part that was read before")
          .isEmpty();
      world.specialFollowWriter.unmark(reader.id(), bob.id());
      posts.forEach(this::remove);
    }
  }

  private Post change() {
    switch (random.nextInt(4)) {
      case 0 -> reader.marks(bob);
      case 1 -> reader.unmarks(ann);
      case 2 -> reader.unmarks(bob);
      default -> reader.marks(ann);
    }
    var post = post(authors.get(random.nextInt(2)), FanOutMode.PUSH, table.clock().instant());
    deliver(List.of(post));
    return post;
  }

  private void remove(Post post) {
    world.posts.delete(post.postId(), post.authorId(), post.createdAt());
    new PostCleanUps(table.table()).removeFromFeeds(post.postId(), SHARDS, 1_000);
  }

  /** A late delivery writes an entry from before the follow, which belongs in the second part. */
  @Test
  void postFromBeforeTheFollow_isInTheOtherPart() {
    var before = post(ann, FanOutMode.PUSH, table.clock().instant().minus(Duration.ofHours(2)));
    deliver(List.of(before));
    var posts = posts(4);
    reader.marks(ann);
    var expected = new ArrayList<>(split(posts, Set.of(ann)));
    expected.add(FeedRefs.of(before));

    PagingLaw.holds(r -> page(r, () -> Instant.EPOCH), expected);
  }

  /** The first part reads them from nowhere. The second part has those that the feed holds. */
  @Test
  void postsBetweenAKeptHistoryAndAFollow_areAsInThePlainFeed() {
    var kept = post(ann, FanOutMode.PUSH, table.clock().instant());
    reader.unfollowsKeepingHistory(ann);
    post(ann, FanOutMode.PUSH, table.clock().instant());
    var stored = post(ann, FanOutMode.PUSH, table.clock().instant());
    var filled = post(ann, FanOutMode.PUSH, table.clock().instant());
    world.follows.noteBackfilled(reader.follows(ann), filled.createdAt());
    deliver(List.of(kept, stored, filled));
    var other = post(bob, FanOutMode.PUSH, table.clock().instant());
    deliver(List.of(other));

    PagingLaw.holds(
        r -> page(r, () -> Instant.EPOCH),
        FeedRefs.inOrder(List.of(kept, stored, filled, other), reader.id()));
    reader.marks(ann);

    PagingLaw.holds(
        r -> page(r, () -> Instant.EPOCH),
        List.of(FeedRefs.of(filled), FeedRefs.of(kept), FeedRefs.of(other), FeedRefs.of(stored)));
  }

  @Test
  void firstPart_costsAUnitAndOneForEachSpecial_andThenHalfOneForEachOfThem() {
    posts(12);
    reader.marks(ann);
    reader.marks(bob);
    var view = new FeedView(reader.id(), List.of(), Instant.EPOCH);

    var first = Observed.of(table, () -> feeds.of(view).apply(PageRequest.first(2)));
    var second = Observed.of(table, () -> feeds.of(view).apply(new PageRequest(2, next(first))));

    // The local engine does not count absent retained posts: half a unit for each of the two.
    assertThat(first.cost().read()).isEqualTo(1 + 2 * 0.5 + 2 * 0.5);
    assertThat(second.cost().read()).isEqualTo(2 * 0.5);
  }

  private static String next(Observed<Page<Placed>> page) {
    return Objects.requireNonNull(page.answer().next());
  }

  private List<Post> posts(int count) {
    var posts = new ArrayList<Post>();
    for (int i = 0; i < count; i++) {
      var author = authors.get(random.nextInt(authors.size()));
      // Every second post shares the millisecond of the one before.
      var time = i % 2 == 1 ? posts.getLast().createdAt() : table.clock().instant();
      posts.add(post(author, FanOutMode.PUSH, time));
    }
    deliver(posts);
    return posts;
  }

  private Post pulledPost(Person author) {
    return post(author, FanOutMode.PULL, table.clock().instant());
  }

  private Post post(Person author, FanOutMode delivery, Instant time) {
    var post =
        SamplePosts.by(author.id(), time)
            .randomId(random)
            .feedShards(SHARDS)
            .delivery(delivery)
            .build();
    world.posts.create(post);
    return post;
  }

  private void deliver(List<Post> posts) {
    world.feeds.deliver(posts.stream().map(p -> FeedEntry.of(p.ref(), reader.id())).toList());
  }

  /** Reads pages as the API does. */
  private Page<FeedRef> page(PageRequest request, Supplier<Instant> end) {
    return PageFiller.fill(
        request,
        part -> feeds.of(new FeedView(reader.id(), pulled, end.get())).apply(part),
        slots ->
            slots.stream()
                .filter(slot -> slot.item().isInPlace())
                .map(slot -> slot.with(slot.item().reference()))
                .toList());
  }

  private List<FeedRef> split(List<Post> posts, Set<Person> special) {
    Predicate<FeedRef> isSpecial =
        ref -> special.stream().anyMatch(author -> author.id().equals(ref.authorId()));
    var all = FeedRefs.inOrder(posts, reader.id());
    return Stream.concat(
            all.stream().filter(isSpecial), all.stream().filter(Predicate.not(isSpecial)))
        .toList();
  }
}
