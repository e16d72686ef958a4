package social.feed.infra;

import java.util.regex.Pattern;
import software.constructs.Construct;

/**
 * A table that no stack has made, such as one that was restored from a backup.
 *
 * @param name its name
 * @param streamLabel what the ARN of its stream ends in: the time at which it was switched on
 */
record ExistingTable(String name, String streamLabel) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{3,255}");
  private static final Pattern LABEL =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}");

  /**
   * @throws MissingInputException when one is missing: the lanes would work on one table and the
   *     API on another
   */
  ExistingTable {
    if (!NAME.matcher(name).matches() || !LABEL.matcher(streamLabel).matches()) {
      throw new MissingInputException(
          ("%s and %s are given together, the name of a table and the LatestStreamLabel that aws"
                  + " dynamodb describe-table prints it, not '%s' and '%s'")
              .formatted(Inputs.TABLE_NAME, Inputs.STREAM_LABEL, name, streamLabel));
    }
  }

  /** Where it is, in the account and region of a scope. */
  TableAddress address(Construct scope) {
    return new TableAddress(name, TableAddress.arn(scope, name) + "/stream/" + streamLabel);
  }
}
