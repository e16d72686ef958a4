package social.feed.streams;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import social.feed.table.row.Comment;
import social.feed.table.row.Post;
import social.feed.table.row.TagTrend;
import social.feed.table.row.Visibility;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

/** Random actions of a few accounts, the same for one seed, with a model of the counts. */
final class History {
  private static final int PEOPLE = 6;

  private final Random random;
  private final SeedWorld world;
  private final List<Person> people = new ArrayList<>();
  private final List<Post> posts = new ArrayList<>();
  private final Set<List<String>> edges = new HashSet<>();
  private final Map<String, Set<String>> likes = new HashMap<>();
  private final Map<String, List<Comment>> comments = new HashMap<>();

  History(long seed, SeedWorld world) {
    this.random = new Random(seed);
    this.world = world;
    for (int i = 0; i < PEOPLE; i++) {
      people.add(world.user("p" + i));
    }
  }

  void run(int operations) {
    for (int i = 0; i < operations; i++) {
      step();
    }
  }

  private void step() {
    var person = any(people);
    switch (random.nextInt(10)) {
      case 0, 1 -> follow(person, any(people));
      case 2 -> unfollow(person, any(people));
      case 3 -> post(person);
      case 4, 5 -> likeAny(person);
      case 6 -> unlikeAny(person);
      case 7 -> commentAny(person);
      case 8 -> uncommentAny();
      default -> deleteSometimes();
    }
  }

  private void follow(Person follower, Person followee) {
    if (!follower.equals(followee)) {
      follower.follows(followee);
      edges.add(List.of(follower.id(), followee.id()));
    }
  }

  private void unfollow(Person follower, Person followee) {
    follower.unfollows(followee);
    edges.remove(List.of(follower.id(), followee.id()));
  }

  private void post(Person author) {
    var visibility = random.nextInt(5) == 0 ? any(List.of(Visibility.values())) : Visibility.PUBLIC;
    posts.add(author.posts("a #tag in it", visibility));
  }

  private void likeAny(Person person) {
    if (!posts.isEmpty()) {
      var post = any(posts);
      person.likes(post);
      likes.computeIfAbsent(post.postId(), _ -> new HashSet<>()).add(person.id());
    }
  }

  private void unlikeAny(Person person) {
    if (!posts.isEmpty()) {
      var post = any(posts);
      person.unlikes(post);
      likes.getOrDefault(post.postId(), new HashSet<>()).remove(person.id());
    }
  }

  private void commentAny(Person person) {
    if (!posts.isEmpty()) {
      var post = any(posts);
      comments
          .computeIfAbsent(post.postId(), _ -> new ArrayList<>())
          .add(person.comments(post, "well"));
    }
  }

  private void uncommentAny() {
    var there = comments.values().stream().filter(of -> !of.isEmpty()).toList();
    if (!there.isEmpty()) {
      var of = any(there);
      var comment = of.remove(random.nextInt(of.size()));
      world.comments.delete(comment.postId(), comment.commentId());
    }
  }

  private void deleteSometimes() {
    if (posts.size() > 3) {
      var post = posts.remove(random.nextInt(posts.size()));
      world.posts.delete(post.postId(), post.authorId(), post.createdAt());
      likes.remove(post.postId());
      comments.remove(post.postId());
    }
  }

  /** Every count that the model expects, by its name. */
  Map<String, Long> expected() {
    var counts = new TreeMap<String, Long>();
    for (var person : people) {
      counts.put(person.id() + " followers", edgesWith(1, person));
      counts.put(person.id() + " following", edgesWith(0, person));
      if (edgesWith(1, person) > 0) {
        counts.put(person.id() + " gained in 2026-03", edgesWith(1, person));
      }
      counts.put(
          person.id() + " posts",
          posts.stream().filter(post -> post.authorId().equals(person.id())).count());
    }
    for (var post : posts) {
      counts.put(
          post.postId() + " likes", (long) likes.getOrDefault(post.postId(), Set.of()).size());
      counts.put(
          post.postId() + " comments",
          (long) comments.getOrDefault(post.postId(), List.of()).size());
      if (post.visibility() == Visibility.PUBLIC) {
        counts.merge("tag used at " + TagTrend.hour(post.createdAt()), 1L, Long::sum);
      }
    }
    return counts;
  }

  private long edgesWith(int end, Person person) {
    return edges.stream().filter(edge -> edge.get(end).equals(person.id())).count();
  }

  private <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }
}
