package social.feed.engine.eventsource;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

final class FileCheckpoints implements Checkpoints {

  private static final int FORMAT = 1;

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  record Key(String streamArn, String mapping, String shardId) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      return toString().compareTo(other.toString());
    }
  }

  record Entry(Key shard, Checkpoint checkpoint) {}

  record Content(int format, List<Entry> checkpoints) {
    Content {
      if (format != FORMAT) {
        throw new IllegalArgumentException("format " + format + " instead of " + FORMAT);
      }
      checkpoints = List.copyOf(checkpoints);
    }
  }

  private final Path file;
  private final Map<Key, Checkpoint> entries = new TreeMap<>();

  FileCheckpoints(Path file) {
    this.file = file.toAbsolutePath();
    if (Files.exists(file)) {
      read().checkpoints().forEach(entry -> entries.put(entry.shard(), entry.checkpoint()));
    }
  }

  private Content read() {
    try {
      return Optional.ofNullable(JSON.readValue(Files.readAllBytes(file), Content.class))
          .orElseThrow(() -> new IOException("its content is null"));
    } catch (IOException e) {
      throw new CheckpointsUnreadableException(file, e);
    }
  }

  @Override
  public synchronized Map<String, Checkpoint> of(String streamArn, String mapping) {
    return entries.entrySet().stream()
        .filter(entry -> belongs(entry.getKey(), streamArn, mapping))
        .collect(Collectors.toMap(entry -> entry.getKey().shardId(), Map.Entry::getValue));
  }

  @Override
  public synchronized void save(
      String streamArn, String mapping, String shardId, Checkpoint checkpoint) {
    entries.put(new Key(streamArn, mapping, shardId), checkpoint);
    write();
  }

  @Override
  public synchronized void forget(String streamArn, String mapping) {
    if (entries.keySet().removeIf(key -> belongs(key, streamArn, mapping))) {
      write();
    }
  }

  @Override
  public synchronized void keepOnly(String streamArn, String mapping, Set<String> shardIds) {
    if (entries
        .keySet()
        .removeIf(key -> belongs(key, streamArn, mapping) && !shardIds.contains(key.shardId()))) {
      write();
    }
  }

  private static boolean belongs(Key key, String streamArn, String mapping) {
    return key.streamArn().equals(streamArn) && key.mapping().equals(mapping);
  }

  private void write() {
    List<Entry> all =
        entries.entrySet().stream().map(e -> new Entry(e.getKey(), e.getValue())).toList();
    Path next = file.resolveSibling(file.getFileName() + ".next");
    try {
      writeSynced(next, JSON.writeValueAsBytes(new Content(FORMAT, all)));
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      syncFolder();
    } catch (JacksonException e) {
      throw new IllegalStateException("The checkpoints cannot be written as JSON", e);
    } catch (IOException e) {
      throw new UncheckedIOException("The checkpoints cannot be written to " + file, e);
    }
  }

  private static void writeSynced(Path next, byte[] content) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            next,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  /** Makes the rename durable, which requires a sync of the folder. */
  private void syncFolder() throws IOException {
    try (FileChannel folder = FileChannel.open(file.getParent(), StandardOpenOption.READ)) {
      folder.force(true);
    }
  }
}
