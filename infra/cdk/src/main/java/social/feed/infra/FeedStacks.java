package social.feed.infra;

import software.amazon.awscdk.App;
import software.amazon.awscdk.Environment;
import software.amazon.awscdk.StackProps;
import software.amazon.awscdk.Tags;

/** All stacks of one stage, with the order of their deployment. */
final class FeedStacks {
  private final Inputs inputs;
  private final App app;

  private FeedStacks(App app, Inputs inputs) {
    this.app = app;
    // Set here and not in cdk.json, so that the templates are the same however they are
    // synthesized.
    app.getNode().setContext("aws:cdk:enable-asset-metadata", false);
    app.getNode().setContext("aws:cdk:enable-path-metadata", false);
    app.getNode().setContext("@aws-cdk/aws-iam:minimizePolicies", true);
    app.getNode().setContext("@aws-cdk/core:defaultCrossStackReferences", "strong");
    app.getNode().setContext("@aws-cdk/aws-s3:serverAccessLogsUseBucketPolicy", true);
    if (inputs.sinks().search().isOn()) {
      // A version of a function is published again when its layer changes.
      app.getNode().setContext("@aws-cdk/aws-lambda:recognizeLayerVersion", true);
    }
    this.inputs = inputs;
    Tags.of(app).add("application", "feed");
    Tags.of(app).add("stage", inputs.stage().label());
    var data = new DataStack(app, name("data"), props("Table, queues, bus"), inputs);
    var stream =
        new StreamStack(app, name("stream"), props("The stream's multiplexer"), inputs, data);
    var api = new ApiStack(app, name("api"), props("The REST API"), inputs, data);
    var watch =
        new MonitoringStack(
            app, name("watch"), props("Dashboard and alarms"), inputs, data, stream, api);
    // A value that is passed by parameter creates no dependency between stacks.
    stream.addStackDependency(data);
    api.addStackDependency(data);
    // The multiplexer would send rows of a new kind to the dead letters if the API came first.
    api.addStackDependency(stream);
    watch.addStackDependency(data);
    watch.addStackDependency(stream);
    watch.addStackDependency(api);
  }

  static void in(App app, Inputs inputs) {
    new FeedStacks(app, inputs);
  }

  private String name(String part) {
    return "feed-%s-%s".formatted(inputs.stage().label(), part);
  }

  /** Sets a region and no account, so that the account of the deployer is used. */
  private StackProps props(String description) {
    return StackProps.builder()
        .env(Environment.builder().region(inputs.region()).build())
        .description(description)
        .terminationProtection(inputs.stage() == Stage.PROD)
        .analyticsReporting(false)
        .build();
  }
}
