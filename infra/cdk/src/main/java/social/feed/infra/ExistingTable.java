package social.feed.infra;

import java.util.Optional;
import java.util.regex.Pattern;
import software.constructs.Construct;

/**
 * A table that no stack has created, such as one that was restored from a backup.
 *
 * @param name name of the table
 * @param streamLabel label of its stream, the end of the stream's ARN: the time at which the stream
 *     was enabled
 */
record ExistingTable(String name, String streamLabel) {
  static final String TABLE_NAME = "tableName";
  static final String STREAM_LABEL = "streamLabel";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{3,255}");
  private static final Pattern LABEL =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}");

  /**
   * @throws MissingInputException if one is missing or malformed: the lanes would use one table and
   *     the API another
   */
  ExistingTable {
    if (!NAME.matcher(name).matches() || !LABEL.matcher(streamLabel).matches()) {
      throw new MissingInputException(
          ("Give both %s and %s: the name of a table, and the LatestStreamLabel that aws dynamodb"
                  + " describe-table prints for it. They are '%s' and '%s'.")
              .formatted(TABLE_NAME, STREAM_LABEL, name, streamLabel));
    }
  }

  /** Returns the table in the context of an app, or none where neither name nor label is given. */
  static Optional<ExistingTable> of(InputContext context) {
    var name = context.value(TABLE_NAME, "");
    var streamLabel = context.value(STREAM_LABEL, "");
    return name.isEmpty() && streamLabel.isEmpty()
        ? Optional.empty()
        : Optional.of(new ExistingTable(name, streamLabel));
  }

  /** Returns the address of the table in the account and region of a scope. */
  TableAddress address(Construct scope) {
    return new TableAddress(name, TableAddress.arn(scope, name) + "/stream/" + streamLabel);
  }
}
