package social.feed.api.media;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import social.feed.api.http.FeedServer;
import social.feed.table.kernel.id.Sha256;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.store.Condition;
import social.feed.table.row.Media;
import social.feed.testkit.SeedWorld.Person;

/** Writes rows of files as uploads leave them. */
final class UploadedFiles {
  private static final Instant AT = Instant.parse("2026-03-01T12:00:00Z");

  private final FeedServer server;
  private int number;

  UploadedFiles(FeedServer server) {
    this.server = server;
  }

  /** Returns the id of a new file that was announced with this content. */
  String pending(String ownerId, byte[] content) {
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    String id = TimeOrderedId.named(now, ownerId + number++);
    Media media =
        new Media(
            id,
            ownerId,
            "image/png",
            content.length,
            Sha256.hex(content),
            null,
            now,
            null,
            null,
            now.plus(Duration.ofHours(1)).getEpochSecond());
    server.table().table().put(media, Condition.absent());
    return id;
  }

  /** Returns the id of a new file, which is pending if it expires. */
  String file(Person owner, @Nullable Long expiresAt) {
    String id = TimeOrderedId.named(AT, owner.id() + number++);
    Media media =
        new Media(id, owner.id(), "image/png", 9, "0".repeat(64), "A cat", AT, 640, 480, expiresAt);
    server.table().table().put(media, Condition.absent());
    return id;
  }
}
