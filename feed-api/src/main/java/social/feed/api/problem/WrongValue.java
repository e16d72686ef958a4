package social.feed.api.problem;

/** What a converter of a variable refuses with. */
public final class WrongValue extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String expectation;

  /**
   * @param expectation what the variable takes, to be read after its name
   */
  public WrongValue(String expectation) {
    super(expectation, null, false, false);
    this.expectation = expectation;
  }

  String expectation() {
    return expectation;
  }
}
