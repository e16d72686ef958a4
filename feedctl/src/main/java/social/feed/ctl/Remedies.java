package social.feed.ctl;

import java.io.EOFException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.util.stream.Stream;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/** What to tell a person about a failure: what happened and what to do. */
final class Remedies {
  private Remedies() {}

  /**
   * @param isOfAws whether the table is one of AWS, where no platform can be started
   */
  static String of(Throwable failure, boolean isOfAws) {
    return switch (failure) {
      case ResourceNotFoundException _ when isOfAws ->
          "This account has no such table in this region. Name both with --region and --table; the"
              + " table's name is the output TableName of its stack.";
      case SdkClientException e when isOfAws && refused(e) ->
          "DynamoDB does not answer in this region. Look at --region, at AWS_ENDPOINT_URL where it is"
              + " set, and at the network.";
      case ResourceNotFoundException _ ->
          "There is no such table at this endpoint. Start the platform with ./feed up, or name the"
              + " table with --table.";
      case SdkClientException e when refused(e) ->
          "Nothing answers at the DynamoDB endpoint. Start the platform with ./feed up, or name the"
              + " endpoint with --endpoint.";
      case UncheckedIOException e when e.getCause() instanceof EOFException ->
          "The graph ends in the middle of its compressed data. Get the file again, and run the import"
              + " once more; what was imported stays.";
      default -> failure.getMessage() == null ? failure.toString() : failure.getMessage();
    };
  }

  /** Whether nobody listens there. */
  static boolean refused(Throwable failure) {
    return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
        .anyMatch(ConnectException.class::isInstance);
  }
}
