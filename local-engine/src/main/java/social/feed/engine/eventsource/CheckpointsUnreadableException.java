package social.feed.engine.eventsource;

import java.nio.file.Path;

/** Thrown when the checkpoint file is damaged or was written by another version. */
public final class CheckpointsUnreadableException extends RuntimeException {

  CheckpointsUnreadableException(Path file, Throwable cause) {
    super(
        "The checkpoints in %s cannot be read: %s. Restore the file, or delete it to have every record of the stream delivered again."
            .formatted(file, cause.getMessage()),
        cause);
  }
}
