package social.feed.infra;

import software.amazon.awscdk.App;
import software.amazon.awscdk.Environment;
import software.amazon.awscdk.StackProps;
import software.amazon.awscdk.Tags;

/** All stacks of one stage, in the order in which they are deployed. */
final class FeedStacks {
  private final Inputs inputs;
  private final App app;

  private FeedStacks(App app, Inputs inputs) {
    this.app = app;
    this.inputs = inputs;
    Tags.of(app).add("application", "feed");
    Tags.of(app).add("stage", inputs.stage().label());
    new DataStack(app, name("data"), props("The table"), inputs.stage());
  }

  static void in(App app, Inputs inputs) {
    new FeedStacks(app, inputs);
  }

  private String name(String part) {
    return "feed-%s-%s".formatted(inputs.stage().label(), part);
  }

  /** A region and no account: the account is that of whoever deploys. */
  private StackProps props(String description) {
    return StackProps.builder()
        .env(Environment.builder().region(inputs.region()).build())
        .description(description)
        .analyticsReporting(false)
        .build();
  }
}
