package social.feed.ctl;

import java.io.EOFException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.util.stream.Stream;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/** Messages about failures: what happened and what to do. */
final class Remedies {
  private Remedies() {}

  /**
   * Returns the message for a failure.
   *
   * @param isOfAws whether the table is one of AWS, where no platform can be started
   */
  static String of(Throwable failure, boolean isOfAws) {
    return switch (failure) {
      case ResourceNotFoundException _ when isOfAws ->
          "The table does not exist in this account and region. Name both with --region and --table;"
              + " the table's name is the output TableName of its stack.";
      case SdkClientException e when isOfAws && refused(e) ->
          "DynamoDB does not answer in this region. Check --region, AWS_ENDPOINT_URL if it is set, and"
              + " the network.";
      case ResourceNotFoundException _ ->
          "The table does not exist at this endpoint. Start the platform with ./feed up, or name the"
              + " table with --table.";
      case SdkClientException e when refused(e) ->
          "The DynamoDB endpoint does not answer. Start the platform with ./feed up, or name the"
              + " endpoint with --endpoint.";
      case UncheckedIOException e when e.getCause() instanceof EOFException ->
          "The file ends in the middle of its compressed data. Download it again, and run the import"
              + " again; imported rows stay.";
      default -> failure.getMessage() == null ? failure.toString() : failure.getMessage();
    };
  }

  /** Returns whether the connection was refused. */
  static boolean refused(Throwable failure) {
    return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
        .anyMatch(ConnectException.class::isInstance);
  }
}
