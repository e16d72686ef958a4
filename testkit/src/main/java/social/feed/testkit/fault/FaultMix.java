package social.feed.testkit.fault;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/** How often each kind of fault comes, of a thousand calls that can have it. */
public record FaultMix(Map<FaultKind, Integer> perThousand) {
  private static final int[] TIMES = {0, 1, 5};

  public FaultMix {
    perThousand = Map.copyOf(perThousand);
  }

  public static FaultMix none() {
    return new FaultMix(Map.of());
  }

  /** Only one kind, as often as that. */
  public static FaultMix only(FaultKind kind, int perThousand) {
    return new FaultMix(Map.of(kind, perThousand));
  }

  /** Every kind, each as often as that. */
  public static FaultMix all(int perThousand) {
    var mix = new EnumMap<FaultKind, Integer>(FaultKind.class);
    for (var kind : FaultKind.values()) {
      mix.put(kind, perThousand);
    }
    return new FaultMix(mix);
  }

  /** Another mix of these kinds: each not at all, as often as here, or five times as often. */
  public FaultMix varied(RandomGenerator random) {
    var varied = new EnumMap<FaultKind, Integer>(FaultKind.class);
    for (var kind : FaultKind.values()) {
      int times = TIMES[random.nextInt(TIMES.length)];
      varied.put(kind, times * perThousand.getOrDefault(kind, 0));
    }
    return new FaultMix(varied);
  }

  /** These kinds alone. */
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

  /** All kinds but these. */
  public FaultMix without(Set<FaultKind> kinds) {
    return only(EnumSet.complementOf(EnumSet.copyOf(kinds)));
  }

  /** The same kinds, so many times as often. */
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
