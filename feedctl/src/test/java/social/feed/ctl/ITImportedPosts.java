package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.ctl.graph.EdgeFile;
import social.feed.ctl.graph.GraphImport;
import social.feed.ctl.graph.ImportResult;
import social.feed.local.PlatformSettings;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.post.Posts;
import social.feed.table.row.User;
import social.feed.table.user.Users;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.fault.WiredClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** No import writes a post of an earlier one again, whatever accounts its file has. */
class ITImportedPosts {
  @TempDir private Path folder = Path.of("");
  private final VerifyWorld world = new VerifyWorld();
  private final Users users = new Users(world.table());

  @AfterEach
  void stop() {
    world.close();
  }

  private ImportResult load(String graph, int posts) {
    return load(world.table(), Clock.systemUTC(), graph, posts);
  }

  private ImportResult load(Table table, Clock clock, String graph, int posts) {
    try {
      var file = Files.writeString(Files.createTempFile(folder, "edges", ".txt"), graph);
      return new GraphImport(table, clock, VerifyWorld.silent())
          .run(new EdgeFile(file), world::drain, posts, 100);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Clock after(Duration time) {
    return Clock.offset(Clock.systemUTC(), time);
  }

  private void register(String id, Instant at) {
    users.register(User.registered(id, "handle" + id, id, null, at));
  }

  private long posts(String id) {
    world.drain();
    return users.get(id).orElseThrow().postsCount();
  }

  @Test
  void fileWithAnOlderAccount_addsPostsOfThatAccountAlone() {
    register("old", Fault.now().minus(Duration.ofDays(60)));
    assertThat(load("1 2\n2 3\n", 2).posts()).isEqualTo(6);

    var second = load("1 2\n2 3\nold 1\n", 2);
    var third = load("1 2\n2 3\n", 2);

    assertThat(second.posts()).isEqualTo(2);
    assertThat(third.posts()).isZero();
    assertThat(posts("1")).isEqualTo(2);
    assertThat(world.verify().isClean()).as(world.verify().render()).isTrue();
  }

  @Test
  void fileOfTheAccountsOfTwoOthers_addsNoPosts() {
    assertThat(load("1 2\n", 1).posts()).isEqualTo(2);
    assertThat(load(world.table(), after(Duration.ofMinutes(5)), "3 4\n", 1).posts()).isEqualTo(2);

    assertThat(load("1 2\n3 4\n1 4\n", 1).posts()).isZero();

    assertThat(posts("3")).isEqualTo(1);
    assertThat(world.verify().isClean()).as(world.verify().render()).isTrue();
  }

  /** The second import begins after the first one has looked for accounts, and ends before it. */
  @Test
  void twoImportsOfAFileAtOnce_writeEachPostOnce() {
    var graph = "1 2\n2 3\n3 1\n";
    var later = after(Duration.ofMinutes(5));
    var between =
        new BeforeTheFirstWrite(
            () -> assertThat(load(world.table(), later, graph, 2).posts()).isEqualTo(6));
    var client = WiredClient.of(world.table().client(), between);

    var first =
        load(
            new Table(client, PlatformSettings.TABLE, Retry.standard()),
            Clock.systemUTC(),
            graph,
            2);

    assertThat(first.accounts() + first.edges() + first.posts()).isZero();
    assertThat(posts("1")).isEqualTo(2);
    assertThat(world.verify().isClean()).as(world.verify().render()).isTrue();
  }

  /** Does something before the first write of an import. */
  private static final class BeforeTheFirstWrite implements Wire {
    private final AtomicBoolean isDone = new AtomicBoolean();
    private final Runnable something;

    BeforeTheFirstWrite(Runnable something) {
      this.something = something;
    }

    @Override
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      if (request instanceof TransactWriteItemsRequest && isDone.compareAndSet(false, true)) {
        something.run();
      }
      return table.apply(request);
    }
  }

  /** It counted the times of all posts from the oldest account of the file. */
  @Test
  void importOfTheVersionBefore_isCompleted() {
    var oldest = Fault.now().minus(Duration.ofDays(40));
    register("1", Fault.now().minus(Duration.ofDays(5)));
    register("2", oldest);
    var at = oldest.plus(Duration.ofHours(20)).plusMillis("1".hashCode());
    new Posts(world.table())
        .create(SamplePosts.by("1", at).id(TimeOrderedId.named(at, "import", "1", "0")).build());

    var completed = load("1 2\n", 2);
    var repeated = load("1 2\n", 2);

    assertThat(completed.posts()).as("one of 1, two of 2").isEqualTo(3);
    assertThat(repeated.posts()).isZero();
    assertThat(posts("1")).isEqualTo(2);
  }

  /** Its posts would be in the future, or at another time in each import. */
  @Test
  void accountOfTheLastDay_getsItsPostsFromALaterImport() {
    register("new", Fault.now());

    var first = load("new 1\n", 1);
    var tomorrow = after(Duration.ofDays(1));
    var later = load(world.table(), tomorrow, "new 1\n", 1);
    var repeated = load(world.table(), tomorrow, "new 1\n", 1);

    assertThat(first.posts()).isEqualTo(1);
    assertThat(first.refused())
        .containsExactly("new gets no posts yet: it registered less than 23 hours ago");
    assertThat(later.posts()).isEqualTo(1);
    assertThat(later.refused()).isEmpty();
    assertThat(repeated.posts()).isZero();
    assertThat(posts("new")).isEqualTo(1);
  }
}
