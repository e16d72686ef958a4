package social.feed.api.edge.problem;

/** What a converter of a variable refuses with. */
public final class InvalidValueException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String expectation;

  /**
   * @param expectation what the variable takes, to be read after its name
   */
  public InvalidValueException(String expectation) {
    super(expectation, null, false, false);
    this.expectation = expectation;
  }

  String expectation() {
    return expectation;
  }
}
