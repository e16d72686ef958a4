package social.feed.testkit.fault;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/** The frequency of each kind of fault, in a thousand calls that it can affect. */
public record FaultMix(Map<FaultKind, Integer> perThousand) {
  private static final int[] TIMES = {0, 1, 5};

  public FaultMix {
    perThousand = Map.copyOf(perThousand);
  }

  public static FaultMix none() {
    return new FaultMix(Map.of());
  }

  /** Returns a mix of one kind. */
  public static FaultMix only(FaultKind kind, int perThousand) {
    return new FaultMix(Map.of(kind, perThousand));
  }

  /** Returns a mix of all kinds with one frequency. */
  public static FaultMix all(int perThousand) {
    var mix = new EnumMap<FaultKind, Integer>(FaultKind.class);
    for (var kind : FaultKind.values()) {
      mix.put(kind, perThousand);
    }
    return new FaultMix(mix);
  }

  /**
   * Returns a random variation: each kind has no faults, the same frequency, or five times that
   * frequency.
   */
  public FaultMix varied(RandomGenerator random) {
    var varied = new EnumMap<FaultKind, Integer>(FaultKind.class);
    for (var kind : FaultKind.values()) {
      int times = TIMES[random.nextInt(TIMES.length)];
      varied.put(kind, times * perThousand.getOrDefault(kind, 0));
    }
    return new FaultMix(varied);
  }

  /** Returns the mix with only the given kinds. */
  public FaultMix only(Set<FaultKind> kinds) {
    var mix = new EnumMap<FaultKind, Integer>(FaultKind.class);
    perThousand.forEach(
        (kind, chance) -> {
          if (kinds.contains(kind)) {
            mix.put(kind, chance);
          }
        });
    return new FaultMix(mix);
  }

  /** Returns the mix without the given kinds. */
  public FaultMix without(Set<FaultKind> kinds) {
    return only(EnumSet.complementOf(EnumSet.copyOf(kinds)));
  }

  /** Returns the mix with all frequencies multiplied. */
  public FaultMix times(int factor) {
    var mix = new EnumMap<FaultKind, Integer>(FaultKind.class);
    perThousand.forEach((kind, chance) -> mix.put(kind, factor * chance));
    return new FaultMix(mix);
  }

  boolean strikes(FaultKind kind, RandomGenerator random) {
    int chance = perThousand.getOrDefault(kind, 0);
    return chance > 0 && random.nextInt(1_000) < chance;
  }
}
