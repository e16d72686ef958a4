package social.feed.api.post;

import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.validation.validator.constraints.ConstraintValidator;
import io.micronaut.validation.validator.constraints.ConstraintValidatorContext;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.inject.Singleton;
import jakarta.validation.Constraint;
import jakarta.validation.Payload;
import jakarta.validation.constraints.Pattern;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.paging.PageBody;
import social.feed.api.edge.paging.PageOf;
import social.feed.api.edge.paging.PageParameters;
import social.feed.api.edge.paging.Pages;
import social.feed.api.edge.problem.MayBeMissing;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.UserIds;
import social.feed.api.edge.security.Viewer;
import social.feed.api.user.AccountLookup;
import social.feed.table.access.AccessPattern;
import social.feed.table.post.Posts;

/** Posts of an author, and posts with a tag. */
@RequiresToken
@Controller("/v1")
@Tag(name = "posts")
class PostListController {
  private final Posts posts;
  private final AccountLookup accounts;
  private final PostHydration hydration;
  private final Pages pages;

  PostListController(Posts posts, AccountLookup accounts, PostHydration hydration, Pages pages) {
    this.posts = posts;
    this.accounts = accounts;
    this.hydration = hydration;
    this.pages = pages;
  }

  @Operation(summary = "Posts of an author", description = "Newest first.")
  @MayBeMissing
  @Get("/users/{id}/posts")
  PageBody<PostBody> listPostsOfAuthor(
      Viewer viewer,
      @PathVariable @Pattern(regexp = UserIds.PATTERN) String id,
      @PageOf(AccessPattern.FEED_002) PageParameters page) {
    accounts.open(viewer, id);
    return pages
        .list(viewer, AccessPattern.FEED_002, id)
        .skeleton(request -> posts.ofAuthor(id, request))
        .hydrate(references -> hydration.ofList(viewer, references))
        .filter(HydratedPosts::isListed)
        .present(HydratedPosts::body)
        .page(page);
  }

  @Operation(
      summary = "Public posts with a tag",
      description = "Newest first. The tag is normalized: NFKC, lower case.")
  @Get("/tags/{tag}/posts")
  PageBody<PostBody> listPostsWithTag(
      Viewer viewer,
      @PathVariable @PostListController.TagName String tag,
      @PageOf(AccessPattern.FEED_007) PageParameters page) {
    String normal = social.feed.table.post.Tag.normalize(tag).orElseThrow();
    return pages
        .list(viewer, AccessPattern.FEED_007, normal)
        .skeleton(request -> posts.withTag(normal, request))
        .hydrate(references -> hydration.ofList(viewer, references))
        .filter(HydratedPosts::isListed)
        .present(HydratedPosts::body)
        .page(page);
  }

  /** Requires a text that a tag can have. */
  @Constraint(validatedBy = {})
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.PARAMETER)
  public @interface TagName {
    String message() default "is not a tag";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};
  }

  @Singleton
  static final class Check implements ConstraintValidator<TagName, String> {

    @Override
    public boolean isValid(
        @Nullable String tag,
        AnnotationValue<TagName> annotation,
        ConstraintValidatorContext context) {
      return tag == null || social.feed.table.post.Tag.normalize(tag).isPresent();
    }
  }
}
