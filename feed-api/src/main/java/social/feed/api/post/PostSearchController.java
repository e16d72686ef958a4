package social.feed.api.post;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Pattern;
import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.paging.PageBody;
import social.feed.api.edge.paging.PageOf;
import social.feed.api.edge.paging.PageParameters;
import social.feed.api.edge.paging.Pages;
import social.feed.api.edge.problem.MayBeMissing;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.UserIds;
import social.feed.api.edge.security.Viewer;
import social.feed.api.search.SearchTimes;
import social.feed.api.search.Searches;
import social.feed.search.PostQuery;

/** Public posts by their words. */
@RequiresToken
@Controller("/v1")
@Tag(name = "search")
class PostSearchController {
  private final Searches searches;
  private final PostHydration hydration;
  private final Pages pages;

  PostSearchController(Searches searches, PostHydration hydration, Pages pages) {
    this.searches = searches;
    this.hydration = hydration;
    this.pages = pages;
  }

  @Operation(
      summary = "Public posts with some words",
      description =
          "The most relevant first; newer posts are more relevant. All words must occur, without regard"
              + " to case and accents, and those in quotation marks next to each other; nothing else has"
              + " a meaning. `tag` has no number sign. `since` is inclusive, `until` is not, both are in"
              + " UTC. Blank words find nothing. `highlights` are the words in the text. A new post is found"
              + " after a moment; what the caller may not see is never shown, from the next request on. A page"
              + " reads at most 500 posts and the authors of those that it shows, at a read unit each, and may"
              + " then be short. A search ends after 1,000 posts. 404 `search_off` where"
              + " the deployment has no search.")
  @MayBeMissing
  @Get("/search/posts")
  PageBody<PostBody> searchPosts(
      Viewer viewer,
      @QueryValue @Pattern(regexp = Searches.TEXT, message = Searches.TEXT_MESSAGE) String q,
      @Nullable @QueryValue @Pattern(regexp = UserIds.PATTERN) String author,
      @Nullable @QueryValue @Pattern(regexp = Searches.TEXT, message = Searches.TEXT_MESSAGE)
          String tag,
      @Nullable @QueryValue @Pattern(regexp = SearchTimes.PATTERN, message = SearchTimes.MESSAGE)
          String since,
      @Nullable @QueryValue @Pattern(regexp = SearchTimes.PATTERN, message = SearchTimes.MESSAGE)
          String until,
      @PageOf(max = 50) PageParameters page) {
    PostQuery query =
        new PostQuery(q, author, normal(tag), SearchTimes.parse(since), SearchTimes.parse(until));
    var search = searches.begin(viewer.userId());
    return pages
        .list(viewer, "search-posts", query.toString())
        .bounded(request -> search.posts(query, request), search::mayGoOn)
        .hydrate(ids -> hydration.ofFound(viewer, ids))
        .filter(HydratedPosts::isFound)
        .present((posts, id) -> found(posts.body(id), q))
        .page(page);
  }

  private PostBody found(PostBody post, String words) {
    List<HighlightBody> highlights =
        searches.highlights(post.text(), words).stream().map(HighlightBody::of).toList();
    return post.found(highlights);
  }

  /** No post has a text that is no tag. */
  private static @Nullable String normal(@Nullable String tag) {
    return tag == null ? null : social.feed.table.post.Tag.normalize(tag).orElse(tag);
  }
}
