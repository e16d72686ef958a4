package social.feed.infra;

import software.amazon.awscdk.App;

/** The program that the {@code cdk} command runs. It writes the templates of one stage. */
public final class FeedApp {
  private FeedApp() {}

  /**
   * Writes the templates. Exits with 2 if an input is missing.
   *
   * @param arguments none; inputs are CDK context values
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
