package social.feed.ctl.suspicion;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import social.feed.ctl.graph.EdgeFile;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Suspect;
import social.feed.table.row.SuspicionFinding;
import social.feed.table.row.SuspicionReason;
import social.feed.table.suspicion.OpeningSketch;
import social.feed.table.suspicion.SuspicionRules;

/**
 * Plants bots among the accounts of a follower graph, lets all of them follow, and decides with the
 * rules of the platform which of them are suspicious. Who follows whom is from the graph; when, in
 * which order, and who takes follows back or blocks is chosen at random. The same seed gives the
 * same result. Everything is in memory: some hundred bytes an edge.
 */
public final class SuspicionTrial {
  /** The most edges of a graph. */
  public static final long MAX_EDGES = 5_000_000;

  /** The fewest bots of a kind: one ring. */
  public static final int LEAST_BOTS = 20;

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final double UNFOLLOWED = 0.05;
  private static final double BLOCKED = 0.01;
  private static final String NAME_OF_BOTS = "bot-";

  /** The kinds of bots, and how many of each are planted. */
  private static final List<PlantedBot> BOTS =
      List.of(
          PlantedBot.RING,
          PlantedBot.MIXED_RING,
          PlantedBot.SLOW_RING,
          PlantedBot.CHURN,
          PlantedBot.UNWANTED,
          PlantedBot.BURST);

  private static final List<OrdinaryPace> PACES =
      List.of(OrdinaryPace.STEADY, OrdinaryPace.AT_ONCE, OrdinaryPace.SUGGESTED);

  private final Map<String, List<String>> following;
  private final List<String> mostFollowed;
  private final int bots;
  private final long seed;
  private final SuspicionRules rules;

  private SuspicionTrial(
      Map<String, List<String>> following,
      List<String> mostFollowed,
      int bots,
      long seed,
      SuspicionRules rules) {
    this.following = following;
    this.mostFollowed = mostFollowed;
    this.bots = bots;
    this.seed = seed;
    this.rules = rules;
  }

  /**
   * Reads a graph.
   *
   * @param bots how many of each kind are planted
   * @throws IllegalArgumentException for a graph with a bad line, with too few accounts or too many
   *     edges
   */
  public static SuspicionTrial of(EdgeFile file, int bots, long seed, SuspicionRules rules) {
    var following = new LinkedHashMap<String, Set<String>>();
    var followers = new HashMap<String, Integer>();
    long edges = 0;
    try (var lines = file.lines()) {
      for (var line : (Iterable<EdgeFile.Line>) lines::iterator) {
        switch (line) {
          case EdgeFile.Line.Bad bad ->
              throw new IllegalArgumentException(
                  "Line %,d of the graph is bad: %s".formatted(bad.number(), bad.reason()));
          case EdgeFile.Line.Edge(var follower, var followee) -> {
            following.computeIfAbsent(follower, _ -> new LinkedHashSet<>()).add(followee);
            followers.merge(followee, 1, Integer::sum);
            edges++;
          }
        }
        if (edges > MAX_EDGES) {
          throw new IllegalArgumentException(
              "The graph has more than %,d edges".formatted(MAX_EDGES));
        }
      }
    }
    if (followers.size() < PlantedBot.RING.follows()) {
      throw new IllegalArgumentException(
          "The graph must have at least %d followed accounts".formatted(PlantedBot.RING.follows()));
    }
    var lists = new LinkedHashMap<String, List<String>>();
    following.forEach((follower, list) -> lists.put(follower, List.copyOf(list)));
    var mostFollowed =
        followers.entrySet().stream()
            .sorted(
                Map.Entry.<String, Integer>comparingByValue()
                    .reversed()
                    .thenComparing(Map.Entry.comparingByKey()))
            .map(Map.Entry::getKey)
            .toList();
    return new SuspicionTrial(lists, mostFollowed, bots, seed, rules);
  }

  /** Returns the result for each pace of the ordinary accounts. */
  public List<TrialResult> results() {
    return PACES.stream().map(this::result).toList();
  }

  private TrialResult result(OrdinaryPace pace) {
    var world = new Accounts(rules, new Random(seed));
    // Bots and ordinary accounts come in turns, as they would register.
    var order = new ArrayList<Runnable>();
    following.forEach((id, list) -> order.add(() -> world.ordinary(id, list, pace, mostFollowed)));
    for (var bot : BOTS) {
      int size = bot.ringSize();
      for (int ring = 0; ring * size < bots; ring++) {
        var list = world.pick(mostFollowed, bot.follows());
        for (int member = 0; member < size && ring * size + member < bots; member++) {
          var id = NAME_OF_BOTS + BOTS.indexOf(bot) + "-" + (ring * size + member);
          order.add(() -> world.planted(id, bot, list, mostFollowed));
        }
      }
    }
    Collections.shuffle(order, new Random(seed + 1));
    order.forEach(Runnable::run);
    return world.result(pace, following.keySet(), BOTS);
  }

  /** All accounts of one try, each with a quota and, if it is suspicious, a row. */
  private static final class Accounts {
    private final SuspicionRules rules;
    private final Random random;
    private final Map<String, Suspect> suspects = new HashMap<>();
    private final Map<String, Set<String>> openings = new HashMap<>();
    private final Map<String, PlantedBot> planted = new LinkedHashMap<>();

    Accounts(SuspicionRules rules, Random random) {
      this.rules = rules;
      this.random = random;
    }

    List<String> pick(List<String> from, int count) {
      var list = new ArrayList<>(from);
      Collections.shuffle(list, random);
      return List.copyOf(list.subList(0, Math.min(count, list.size())));
    }

    void ordinary(String id, List<String> following, OrdinaryPace pace, List<String> suggestions) {
      var own = new ArrayList<>(following);
      Collections.shuffle(own, random);
      var list = new LinkedHashSet<>(suggestions.subList(0, pace.suggested()));
      list.addAll(own);
      run(id, List.copyOf(list), pace.perDay(), UNFOLLOWED, BLOCKED);
    }

    void planted(String id, PlantedBot bot, List<String> list, List<String> all) {
      planted.put(id, bot);
      var own = new LinkedHashSet<String>();
      for (var target : bot.ringSize() == 1 ? pick(all, bot.follows()) : list) {
        if (random.nextDouble() < bot.own()) {
          own.add(all.get(random.nextInt(all.size())));
        }
        own.add(target);
      }
      run(id, List.copyOf(own), bot.perDay(), bot.unfollowed(), bot.blocked());
    }

    /** Follows a list in its order from the day of the registration on. */
    private void run(String id, List<String> list, int perDay, double unfollowed, double blocked) {
      var quota = FollowQuota.none(id);
      for (int i = 0; i < list.size(); i++) {
        var now = START.plus(Duration.ofDays(i / perDay)).plusSeconds(i % perDay);
        var followee = list.get(i);
        var before = quota;
        quota = next(quota, quota.on(now).followedOnce().following(List.of(followee)));
        if (SuspicionRules.endsOpening(before, quota)) {
          open(quota, list.subList(0, i + 1));
        }
        double answer = random.nextDouble();
        if (answer < blocked) {
          quota = next(quota, quota.on(now).blockedOnce().related().unfollowing(followee));
        } else if (answer < blocked + unfollowed) {
          quota = next(quota, quota.on(now).unfollowedOnce().unfollowing(followee));
        }
      }
    }

    private FollowQuota next(FollowQuota before, FollowQuota after) {
      var findings = rules.crossed(before, after);
      if (!findings.isEmpty()) {
        note(after, findings);
      }
      return after;
    }

    private void note(FollowQuota quota, List<SuspicionFinding> findings) {
      var day = quota.day() == null ? START : quota.day();
      var all = rules.withAge(findings, START, day);
      if (rules.isListed(all)) {
        var evidence = new Suspect.Evidence(quota.userId(), quota.version(), day, all);
        suspects.merge(quota.userId(), Suspect.of(evidence), (row, _) -> row.with(evidence));
      }
    }

    private void open(FollowQuota quota, List<String> list) {
      var holders = new ArrayList<Set<String>>();
      for (var hash : OpeningSketch.of(list)) {
        var accounts = openings.computeIfAbsent(hash, _ -> new TreeSet<>());
        accounts.add(quota.userId());
        // As many as the stream reads.
        var read = new HashSet<>(Set.of(quota.userId()));
        accounts.stream().limit(2L * rules.sameOrder()).forEach(read::add);
        holders.add(read);
      }
      OpeningSketch.ring(holders, rules.sameOrder())
          .forEach(
              (member, value) ->
                  note(
                      new FollowQuota(member, 0, quota.version(), START, 0, 0, null, null, null),
                      List.of(
                          SuspicionFinding.of(
                              SuspicionReason.SAME_ORDER, value, rules.sameOrder()))));
    }

    TrialResult result(OrdinaryPace pace, Set<String> ordinary, List<PlantedBot> kinds) {
      var found = new LinkedHashMap<String, TrialResult.Found>();
      for (var kind : kinds) {
        var ids =
            planted.entrySet().stream()
                .filter(bot -> bot.getValue().equals(kind))
                .map(Map.Entry::getKey)
                .toList();
        found.put(
            kind.label(),
            new TrialResult.Found(
                ids.size(), ids.stream().filter(suspects::containsKey).count(), reasons(ids)));
      }
      return new TrialResult(
          pace.label(),
          new TrialResult.Found(
              ordinary.size(),
              ordinary.stream().filter(suspects::containsKey).count(),
              reasons(ordinary)),
          found);
    }

    private Set<SuspicionReason> reasons(Iterable<String> ids) {
      var reasons = EnumSet.noneOf(SuspicionReason.class);
      for (var id : ids) {
        var suspect = suspects.get(id);
        if (suspect != null) {
          suspect.findings().forEach(finding -> reasons.add(finding.reason()));
        }
      }
      return reasons;
    }
  }
}
