package social.feed.testkit.simulation;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import social.feed.table.media.MediaStore;

/** A store of media in memory, which can fail to remove objects for a while. */
final class MediaInMemory implements MediaStore {
  private final Map<String, Map<String, byte[]>> files = new ConcurrentHashMap<>();
  private final AtomicInteger failures = new AtomicInteger();
  private volatile boolean isFailing;

  /** Lets removals fail from now on, or no longer. */
  void fail(boolean fails) {
    isFailing = fails;
  }

  @Override
  public boolean write(String mediaId, String name, InputStream content, long limit)
      throws IOException {
    files
        .computeIfAbsent(mediaId, _ -> new ConcurrentHashMap<>())
        .put(name, content.readAllBytes());
    return true;
  }

  @Override
  public Optional<InputStream> read(String mediaId, String name) {
    return Optional.ofNullable(files.getOrDefault(mediaId, Map.of()).get(name))
        .map(ByteArrayInputStream::new);
  }

  @Override
  public void remove(String mediaId, String name) {
    files.getOrDefault(mediaId, new ConcurrentHashMap<>()).remove(name);
  }

  @Override
  public void removeAll(String mediaId) throws IOException {
    if (isFailing) {
      // Sometimes it answers with an error, sometimes not at all.
      var failure = new IOException("The store fails");
      throw failures.getAndIncrement() % 2 == 0
          ? failure
          : new UnavailableException("The store does not answer", failure);
    }
    files.remove(mediaId);
  }

  @Override
  public Stream<String> mediaIds() {
    return files.keySet().stream();
  }

  @Override
  public Set<String> names(String mediaId) {
    return Set.copyOf(files.getOrDefault(mediaId, Map.of()).keySet());
  }
}
