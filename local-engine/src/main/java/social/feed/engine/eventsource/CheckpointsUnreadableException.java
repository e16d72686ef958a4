package social.feed.engine.eventsource;

import java.nio.file.Path;

/** The checkpoint file is damaged or was written by another version. */
public final class CheckpointsUnreadableException extends RuntimeException {

  CheckpointsUnreadableException(Path file, Throwable cause) {
    super(
        "The checkpoints in %s cannot be read: %s. Restore the file, or delete it: then every record that the stream still has is delivered again."
            .formatted(file, cause.getMessage()),
        cause);
  }
}
