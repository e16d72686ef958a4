package social.feed.ctl.avatar;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import social.feed.ctl.graph.ImportProgress;
import social.feed.ctl.load.ApiCalls;
import social.feed.ctl.load.ApiCalls.Answer;
import social.feed.table.kernel.id.Sha256;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.User;
import social.feed.table.user.Users;

/**
 * Sets the avatars of accounts from the images of a folder, through the API, as each account would.
 * So each image passes the checks of an upload, loses its metadata, and counts for the quota.
 *
 * <p>An account that has an avatar keeps it, so a stopped import can be repeated. A file that an
 * earlier run uploaded within a day is used and not sent again, because an upload has the same
 * idempotency key in each run. Holds no image in memory. An account costs half a read unit where it
 * has an avatar, and otherwise as much as an upload and a change of the profile.
 */
public final class AvatarImport {
  /** Fewer than the platform lets wait. It decodes one image at a time. */
  private static final int AT_ONCE = 4;

  private static final int CHUNK = 100;

  private static final int NOT_FOUND = 404;
  private static final int SERVER_ERROR = 500;

  private final ApiCalls api;
  private final Users users;
  private final ImportProgress progress;

  /**
   * @param api the API of the platform of the table, which issues tokens for development
   */
  public AvatarImport(ApiCalls api, Table table, ImportProgress progress) {
    this.api = api;
    this.users = new Users(table);
    this.progress = progress;
  }

  /** The API refuses a file. Other files may be accepted. */
  private static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    RefusedException(String reason) {
      super(reason);
    }
  }

  /**
   * Sets what is missing.
   *
   * @throws IllegalStateException if the platform stores no images or does not answer; what was set
   *     until then stays
   */
  public AvatarResult run(AvatarFolder folder) {
    var refused = Collections.synchronizedList(new ArrayList<>(folder.refused()));
    var set = new AtomicLong();
    long kept = 0;
    var accounts = List.copyOf(folder.images().keySet());
    try (var step = progress.step("avatars", accounts.size())) {
      for (int from = 0; from < accounts.size(); from += CHUNK) {
        var chunk = accounts.subList(from, Math.min(from + CHUNK, accounts.size()));
        var found = users.getAll(chunk);
        chunk.stream()
            .filter(id -> !found.containsKey(id))
            .forEach(id -> refused.add(id + " has no account"));
        var missing = found.values().stream().filter(user -> user.avatar() == null).toList();
        kept += found.size() - missing.size();
        step.advance(chunk.size() - missing.size());
        ParallelCalls.mapUntilFailure(
            missing.stream().map(User::userId).sorted().toList(),
            AT_ONCE,
            id -> {
              var image = folder.images().get(id);
              if (image != null) {
                set(id, image).ifPresentOrElse(refused::add, set::incrementAndGet);
              }
              step.advance(1);
              return id;
            });
      }
    }
    return new AvatarResult(set.get(), kept, List.copyOf(refused));
  }

  /** Returns why a file is refused, empty if it is the avatar now. */
  private Optional<String> set(String id, AvatarFolder.Image image) {
    try {
      api.signIn(id);
      var body = announcement(image);
      var key = "avatar." + Sha256.hex(body);
      var media = uploaded(id, image, body, Map.of("Idempotency-Key", key));
      if (media.isEmpty()) {
        // The upload of an earlier run ended, or its file was deleted.
        media = uploaded(id, image, body, Map.of());
      }
      var file = media.orElseThrow(() -> new RefusedException("The upload was deleted meanwhile"));
      accepted(
          ApiCalls.patiently(
              () -> api.send(id, "PATCH", "/v1/users/me", "{\"avatar\":\"" + file + "\"}")));
      return Optional.empty();
    } catch (RefusedException e) {
      return Optional.of("%s: %s".formatted(image.file().getFileName(), e.getMessage()));
    } catch (IOException e) {
      throw new IllegalStateException(
          "The platform does not answer while %s is uploaded. Run the import again: %s"
              .formatted(image.file(), e),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }

  /** Returns the id of a completed file, empty if the announced upload no longer exists. */
  private Optional<String> uploaded(
      String id, AvatarFolder.Image image, String body, Map<String, String> headers)
      throws IOException, InterruptedException, RefusedException {
    var announced = ApiCalls.patiently(() -> api.send(id, "POST", "/v1/media", body, headers));
    if (announced.status() == NOT_FOUND) {
      throw new IllegalStateException(
          "The platform stores no images: POST /v1/media is HTTP " + announced.code());
    }
    accepted(announced);
    var upload = announced.tree();
    var sent =
        ApiCalls.patiently(
            () ->
                api.upload(
                    upload.path("address").asText(),
                    Map.of("Content-Type", image.contentType()),
                    image.file()));
    // An address of a completed file is gone, and the file is used.
    if (sent.status() != NOT_FOUND) {
      accepted(sent);
    }
    var completed =
        ApiCalls.patiently(() -> api.send(id, "POST", "/v1/media/" + announced.id() + "/complete"));
    return completed.status() == NOT_FOUND
        ? Optional.empty()
        : Optional.of(accepted(completed).id());
  }

  private static String announcement(AvatarFolder.Image image) throws RefusedException {
    try {
      long bytes = Files.size(image.file());
      if (bytes == 0) {
        throw new RefusedException("The file is empty");
      }
      return "{\"content_type\":\"%s\",\"bytes\":%d,\"sha256\":\"%s\"}"
          .formatted(image.contentType(), bytes, digest(image.file()));
    } catch (IOException e) {
      throw new RefusedException("The file cannot be read: " + e);
    }
  }

  private static String digest(Path file) throws IOException {
    var digest = Sha256.begin();
    try (var out = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
      Files.copy(file, out);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /**
   * Returns an answer that is no refusal. An account that sends too much, or no longer exists, says
   * nothing about the others.
   *
   * @throws IllegalStateException if the platform cannot accept any file now
   */
  private static Answer accepted(Answer answer) throws RefusedException {
    if (answer.isOk()) {
      return answer;
    }
    if (answer.status() >= SERVER_ERROR) {
      throw new IllegalStateException(
          "The platform does not accept avatars now: HTTP %s. Run the import again later."
              .formatted(answer.code()));
    }
    var problem = answer.tree();
    var reason = problem.path("detail").asText(problem.path("title").asText());
    throw new RefusedException("%s (%s)".formatted(reason, answer.code()));
  }
}
