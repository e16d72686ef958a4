package social.feed.ctl;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import social.feed.ctl.graph.EdgeFile;
import social.feed.ctl.load.LoadReport;
import social.feed.ctl.load.LoadRun;
import social.feed.ctl.load.Mix;
import social.feed.ctl.load.SocialGraph;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.cost.UnitPrices;

/** {@code ./feed load}: sends a realistic load to a platform, and reports what it found. */
@Command(
    name = "load",
    description = {
      "Sends sessions of many accounts to a platform at a fixed average rate, and reports"
          + " latencies, errors, units and the lag of the lanes. Without --url it starts a platform"
          + " in memory, which ends with the command. Ctrl-C ends the load, and the report is still"
          + " written.",
      "Exits 0 if all is well. Exits 1 if a request was not sent, had no answer or was answered"
          + " with 5xx or any 4xx except 404, 409 and 429, if more than 5 % of all requests, or"
          + " more than half of an action's, had no success, if an effect was not seen within a"
          + " minute or a measurement of the lag failed, if verify finds drift, or if it was"
          + " stopped before the load. Exits 2 if the load could not run."
    },
    mixinStandardHelpOptions = true)
final class LoadCommand implements Callable<Integer> {
  private static final double MAX_RATE = 5_000;
  private static final int MAX_SECONDS = 3_600;
  private static final int MAX_IN_FLIGHT = 4_096;
  private static final int MAX_FOLLOWS = 1_000;
  private static final List<String> PROBES = List.of("load-probe-author", "load-probe-reader");

  @Spec private CommandSpec spec;

  @Option(
      names = "--rate",
      defaultValue = "50",
      description =
          "average requests a second, up to 5000; on a platform that is not local also the most before the load (default:"
              + " ${DEFAULT-VALUE})")
  private double rate;

  @Option(
      names = "--duration",
      defaultValue = "60",
      description = "seconds of the load, 1 to 3600 (default: ${DEFAULT-VALUE})")
  private int duration;

  @Option(
      names = "--warm-up",
      defaultValue = "10",
      description =
          "seconds of the same load with other requests before, 0 to 3600, which are not counted"
              + " (default: ${DEFAULT-VALUE})")
  private int warmUp;

  @Option(
      names = "--in-flight",
      defaultValue = "256",
      description =
          "the most requests that wait for their answer, 1 to 4096; further ones are late (default:"
              + " ${DEFAULT-VALUE})")
  private int inFlight;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description =
          "the same seed gives the same graph and the same requests (default: ${DEFAULT-VALUE})")
  private long seed;

  @Option(
      names = "--accounts",
      defaultValue = "1000",
      description = "accounts of the generated graph, 2 to 1000000 (default: ${DEFAULT-VALUE})")
  private int accounts;

  @Option(
      names = "--follows",
      defaultValue = "8",
      description =
          "accounts that each account of the generated graph follows, 1 to 1000, and with --accounts"
              + " times --follows at most 10000000; a third of the follows is returned (default:"
              + " ${DEFAULT-VALUE})")
  private int follows;

  @Option(names = "--graph", description = "file with the graph instead, as ./feed import reads it")
  private @Nullable Path graphFile;

  @Option(
      names = "--posts-per-user",
      defaultValue = "3",
      description = "posts of each account before the load, 1 to 50 (default: ${DEFAULT-VALUE})")
  private int posts;

  @Option(
      names = "--mix",
      description =
          "file of properties with other weights of the actions (docs/load.md), such as like=20")
  private @Nullable Path mixFile;

  @Mixin private LoadTargetOptions target = new LoadTargetOptions();

  @Option(names = "--report", description = "file for the report as HTML")
  private @Nullable Path report;

  @Option(names = "--json", description = "file for the report as JSON")
  private @Nullable Path json;

  @Option(
      names = "--dollars-a-million-reads",
      defaultValue = "" + UnitPrices.READS_IN_US_EAST_1,
      description = "price of read units; on demand in us-east-1 (default: ${DEFAULT-VALUE})")
  private double dollarsOfReads;

  @Option(
      names = "--dollars-a-million-writes",
      defaultValue = "" + UnitPrices.WRITES_IN_US_EAST_1,
      description = "price of write units; on demand in us-east-1 (default: ${DEFAULT-VALUE})")
  private double dollarsOfWrites;

  @Option(
      names = "--skip-verify",
      description = "do not verify the table of the platform that this command started")
  private boolean skipsVerify;

  @Override
  public Integer call() {
    check();
    var mix = mix();
    var tokens = target.tokens();
    try (var stop = new LoadStop()) {
      try {
        return load(stop, mix, tokens);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (RuntimeException e) {
        if (stop.isUnderWay()) {
          // A failure during a stop needs no message.
          return 1;
        }
        throw e;
      }
    }
  }

  private void check() {
    var rules = new OptionRules(spec);
    rules.require(rate > 0 && rate <= MAX_RATE, "--rate must be more than 0, and at most 5000");
    rules.require(duration >= 1 && duration <= MAX_SECONDS, "--duration must be 1 to 3600 seconds");
    rules.require(warmUp >= 0 && warmUp <= MAX_SECONDS, "--warm-up must be 0 to 3600 seconds");
    rules.require(inFlight >= 1 && inFlight <= MAX_IN_FLIGHT, "--in-flight must be 1 to 4096");
    rules.require(
        accounts >= 2 && accounts <= SocialGraph.MAX_ACCOUNTS, "--accounts must be 2 to 1000000");
    rules.require(
        follows >= 1
            && follows <= MAX_FOLLOWS
            && (long) accounts * follows <= SocialGraph.MAX_EDGES / 2,
        "--follows must be 1 to 1000, and --accounts times --follows at most 10000000");
    rules.require(posts >= 1 && posts <= LoadRun.MAX_POSTS, "--posts-per-user must be 1 to 50");
    rules.require(dollarsOfReads >= 0 && dollarsOfWrites >= 0, "A price must be 0 or more");
    for (var option : List.of("--accounts", "--follows")) {
      rules.require(graphFile == null || !isGiven(option), option + " has no effect with --graph");
    }
    rules.require(
        !skipsVerify || !target.isRunning(),
        "--skip-verify has no effect with --url: such a platform is not verified");
    rules.requireReadable("--graph", graphFile);
    rules.requireReadable("--mix", mixFile);
    rules.requireWritable("--report", report);
    rules.requireWritable("--json", json);
    target.check();
  }

  private boolean isGiven(String option) {
    return spec.commandLine().getParseResult().hasMatchedOption(option);
  }

  private Mix mix() {
    if (mixFile == null) {
      return Mix.standard();
    }
    var changes = new Properties();
    try (var reader = Files.newBufferedReader(mixFile)) {
      changes.load(reader);
      return Mix.of(changes);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + mixFile, e);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), mixFile + ": " + e.getMessage());
    }
  }

  private int load(LoadStop stop, Mix mix, Map<String, String> tokens) throws IOException {
    var generated = graphFile == null ? Files.createTempFile("feed-load", ".txt") : null;
    var edges = generated == null ? Objects.requireNonNull(graphFile) : generated;
    try {
      var probes = tokens.isEmpty() ? PROBES : tokens.keySet().stream().limit(2).toList();
      if (generated != null) {
        SocialGraph.generate(ids(tokens), follows, seed, generated);
      }
      var graph = SocialGraph.read(new EdgeFile(edges));
      var rules = new OptionRules(spec);
      rules.require(
          graph.ids().stream().noneMatch(probes::contains),
          "The graph must not contain the accounts " + probes + ", which measure the lag");
      rules.require(
          tokens.isEmpty() || tokens.keySet().containsAll(graph.ids()),
          "--tokens lacks accounts of the graph");
      try (var platform = target.open(stop)) {
        if (!target.isPrepared()) {
          try (var run = run(platform, tokens, graph, mix, probes, duration, seed)) {
            platform.create(run, edges);
          }
        }
        if (warmUp > 0) {
          try (var run = run(platform, tokens, graph, mix, probes, warmUp, seed + 1)) {
            run.prepare(new ConsoleProgress());
            var warmed = results(stop, run, "warm-up", run::warmUp);
            stop.hasEnded();
            if (warmed.isStopped()) {
              spec.commandLine().getOut().println("Stopped during the warm-up: no report.");
              return 1;
            }
          }
        }
        try (var run = run(platform, tokens, graph, mix, probes, duration, seed)) {
          run.prepare(new ConsoleProgress());
          return load(stop, platform, run, graph);
        }
      }
    } finally {
      if (generated != null) {
        Files.deleteIfExists(generated);
      }
    }
  }

  private List<String> ids(Map<String, String> tokens) {
    return tokens.isEmpty()
        ? IntStream.range(0, accounts).mapToObj(i -> "u" + i).toList()
        : tokens.keySet().stream().skip(2).limit(accounts).toList();
  }

  private LoadRun run(
      LoadTarget platform,
      Map<String, String> tokens,
      SocialGraph graph,
      Mix mix,
      List<String> probes,
      int seconds,
      long seeded) {
    var settings = new LoadRun.Settings(rate, Duration.ofSeconds(seconds), inFlight, posts, seeded);
    var run = new LoadRun(platform.apis(), tokens, graph, mix, settings, probes);
    if (!platform.isLocal()) {
      run.pacePreparation();
    }
    return run;
  }

  private LoadRun.Results results(
      LoadStop stop,
      LoadRun run,
      String what,
      Function<Consumer<LoadRun.Live>, LoadRun.Results> running) {
    stop.ends(run);
    try (var view = new LoadView(what, spec.commandLine().getErr())) {
      return running.apply(view);
    }
  }

  private int load(LoadStop stop, LoadTarget platform, LoadRun run, SocialGraph graph) {
    var out = spec.commandLine().getOut();
    out.printf(
        "%,.1f requests a second for %,d s on %s; %,d accounts, %,d follows, seed %d.%n",
        rate,
        duration,
        LoadTargetOptions.joined(platform.apis()),
        graph.size(),
        graph.edges(),
        seed);
    if (run.authorsWithoutPosts() > 0) {
      out.printf(
          "%,d authors have no posts. Requests for these name posts of others.%n",
          run.authorsWithoutPosts());
    }
    out.flush();
    var _ = platform.drained();
    var before = platform.behind();
    var results = results(stop, run, "load", run::run);
    if (results.load().scheduled() == 0) {
      out.println("Stopped before the load: no report.");
      return 1;
    }
    var described =
        new LoadReport.Run(
            target.description(),
            graphFile == null ? "generated graph" : "graph of " + graphFile.getFileName(),
            graph,
            run.settings(),
            new UnitPrices(dollarsOfReads, dollarsOfWrites));
    // What follows can take long, and can fail.
    var _ = write(LoadReport.of(described, results, LoadReport.After.NOTHING));
    var after = results.isStopped() ? LoadReport.After.NOTHING : after(platform, before);
    var found = LoadReport.of(described, results, after);
    var unwritten = write(found);
    out.print(found.summary());
    out.flush();
    if (!unwritten.isEmpty()) {
      throw new IllegalStateException(String.join("\n", unwritten));
    }
    return found.isClean() ? 0 : 1;
  }

  private LoadReport.After after(LoadTarget platform, Optional<ConsumedUnits> before) {
    var drained = platform.drained();
    var start = before.orElse(ConsumedUnits.NONE);
    var behind =
        platform
            .behind()
            .map(now -> new ConsumedUnits(now.read() - start.read(), now.write() - start.write()));
    return new LoadReport.After(
        drained, behind, skipsVerify ? Optional.empty() : platform.verified());
  }

  /** Writes the files. Returns a message for each that cannot be written. */
  private List<String> write(LoadReport found) {
    return Stream.of(write(report, found::html), write(json, found::json))
        .flatMap(Optional::stream)
        .toList();
  }

  private static Optional<String> write(@Nullable Path file, Supplier<String> text) {
    if (file != null) {
      try {
        Files.writeString(file, text.get());
      } catch (IOException e) {
        return Optional.of("Cannot write the file %s: %s".formatted(file, e));
      }
    }
    return Optional.empty();
  }
}
