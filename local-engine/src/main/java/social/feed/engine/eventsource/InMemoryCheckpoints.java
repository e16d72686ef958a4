package social.feed.engine.eventsource;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

final class InMemoryCheckpoints implements Checkpoints {

  private record Owner(String streamArn, String mapping) {}

  private final Map<Owner, Map<String, Checkpoint>> byOwner = new HashMap<>();

  @Override
  public synchronized Map<String, Checkpoint> of(String streamArn, String mapping) {
    return Map.copyOf(byOwner.getOrDefault(new Owner(streamArn, mapping), Map.of()));
  }

  @Override
  public synchronized void save(
      String streamArn, String mapping, String shardId, Checkpoint checkpoint) {
    byOwner
        .computeIfAbsent(new Owner(streamArn, mapping), none -> new HashMap<>())
        .put(shardId, checkpoint);
  }

  @Override
  public synchronized void forget(String streamArn, String mapping) {
    byOwner.remove(new Owner(streamArn, mapping));
  }

  @Override
  public synchronized void keepOnly(String streamArn, String mapping, Set<String> shardIds) {
    byOwner
        .getOrDefault(new Owner(streamArn, mapping), new HashMap<>())
        .keySet()
        .retainAll(shardIds);
  }
}
