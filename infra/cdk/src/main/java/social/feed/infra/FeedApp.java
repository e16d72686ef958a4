package social.feed.infra;

import software.amazon.awscdk.App;

/** What the {@code cdk} command runs: writes the templates of one stage. */
public final class FeedApp {
  private FeedApp() {}

  /**
   * Exits with 2 when an input is missing.
   *
   * @param arguments none; inputs come as context of the CDK
   */
  public static void main(String[] arguments) {
    var app = new App();
    try {
      FeedStacks.in(app, Inputs.of(app.getNode()));
    } catch (MissingInputException e) {
      System.err.println(e.getMessage());
      System.exit(2);
    }
    app.synth();
  }
}
