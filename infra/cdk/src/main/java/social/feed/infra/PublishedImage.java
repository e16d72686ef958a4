package social.feed.infra;

import java.util.regex.Pattern;
import software.amazon.awscdk.Arn;
import software.amazon.awscdk.ArnComponents;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.ecr.Repository;
import software.amazon.awscdk.services.ecr.RepositoryAttributes;
import software.amazon.awscdk.services.ecs.ContainerImage;
import software.constructs.Construct;

/**
 * An image of the API that exists in a registry. The same image can be deployed to one stage after
 * the other, and an earlier one again.
 *
 * @param name name of the image with its digest, such as {@code
 *     ACCOUNT.dkr.ecr.REGION.amazonaws.com/feed@sha256:…}
 */
record PublishedImage(String name) {
  private static final Pattern NAME =
      Pattern.compile(
          "(?<repository>[a-z0-9.-]+(:\\d+)?(/[a-z0-9._-]+)+)@(?<digest>sha256:[0-9a-f]{64})");

  private static final Pattern IN_ECR =
      Pattern.compile(
          "(?<account>\\d{12})\\.dkr\\.ecr\\.(?<region>[a-z0-9-]+)\\.amazonaws\\.com(\\.cn)?/(?<name>.+)");

  /**
   * @throws MissingInputException if the name has no digest. A tag may name another image later, so
   *     that a rollback or a new task would start something else
   */
  PublishedImage {
    if (!NAME.matcher(name).matches()) {
      throw new MissingInputException(
          ("%s must name a digest, REPOSITORY@sha256:… without a tag, not '%s'. `aws ecr"
                  + " describe-images` prints the digests of a repository.")
              .formatted(ApiInputs.IMAGE, name));
    }
  }

  /** Returns the image for a container, with the right to pull it from a repository of ECR. */
  ContainerImage in(Construct scope) {
    var parts = NAME.matcher(name);
    if (!parts.matches()) {
      throw new IllegalStateException(name);
    }
    var repository = IN_ECR.matcher(parts.group("repository"));
    if (!repository.matches()) {
      return ContainerImage.fromRegistry(name);
    }
    var arn =
        Arn.format(
            ArnComponents.builder()
                .service("ecr")
                .account(repository.group("account"))
                .region(repository.group("region"))
                .resource("repository")
                .resourceName(repository.group("name"))
                .build(),
            Stack.of(scope));
    return ContainerImage.fromEcrRepository(
        Repository.fromRepositoryAttributes(
            scope,
            "Repository",
            RepositoryAttributes.builder()
                .repositoryArn(arn)
                .repositoryName(repository.group("name"))
                .build()),
        parts.group("digest"));
  }
}
