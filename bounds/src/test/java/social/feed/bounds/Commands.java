package social.feed.bounds;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.fasterxml.jackson.databind.node.TextNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import picocli.CommandLine;
import social.feed.ctl.Main;
import social.feed.search.EntryKind;
import social.feed.search.SearchIndex;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.deadletter.SqsDeadLetters;
import social.feed.streams.deadletter.StreamEvents;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Update;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.Erasure;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.Post;
import social.feed.verify.LaneWait;
import social.feed.verify.RepairLoop;

/** The commands of {@code ./feed}, run in this JVM on the table of a world. */
final class Commands {
  private static final String VERIFY = "feed verify";
  private static final String FIX = "feed verify, with --fix, of one lost claim";
  private static final String FIX_BEHIND = "feed verify, with --fix, of a count whose fence waits";

  /** The commands that read as {@link #FIX_BEHIND} does, over HTTP. */
  static final Set<String> VERIFICATIONS = Set.of(VERIFY, FIX);

  /** Exit codes of a command that ran: no problem in the data, and a problem. */
  private static final Set<Integer> RAN = Set.of(0, 1);

  /** Commands that look for problems in the data. */
  private static final Set<String> MAY_FIND = Set.of("verify", "erasure");

  private Commands() {}

  /** Returns the commands that are measured, in the order in which a world measures them. */
  static List<Operation> operations() {
    return List.of(
        new Operation(VERIFY, world -> withPlatform(world, "verify")),
        new Operation(
            "feed reindex, of an equal index", world -> reindex(world, " 0 written, 0 removed")),
        new Operation("feed reindex, of an empty index", Commands::reindexOfEmpty),
        new Operation(FIX, Commands::fix),
        new Operation(FIX_BEHIND, Commands::fixBehind),
        new Operation("feed erasure", world -> command(world, "erasure", erased(world))),
        new Operation(
            "feed erasure, with --prove",
            world -> withPlatform(world, "erasure", "--prove", erased(world))),
        new Operation("feed import, of two edges", Commands::twoEdges),
        new Operation("feed dlq list", world -> withDeadLetter(world, "list", false)),
        new Operation("feed dlq show", world -> withDeadLetter(world, "show", true)),
        new Operation("feed dlq drop", world -> withDeadLetter(world, "drop", true)),
        new Operation("feed dlq redrive, of one like", Commands::redrive),
        new Operation("feed dlq replay, of a batch of one like", Commands::replay));
  }

  /** The commands that are not measured, with the reason. */
  static Map<String, String> omitted() {
    var reasons = new LinkedHashMap<String, String>();
    reasons.put("feed up", "starts the platform and reads no row");
    reasons.put("feed load", "sends requests to the API: see the routes");
    reasons.put("feed demo", "sends requests to the API for a minute: see the routes");
    reasons.put("feed listen", "receives webhooks and reads no row");
    reasons.put("feed rehearse", "starts and stops an empty platform of its own");
    reasons.put("feed plan", "computes from the declared costs and reads no row");
    reasons.put("feed suspicion", "computes from a file and reads no row");
    return reasons;
  }

  /** Returns the names of all commands without subcommands, hidden ones included. */
  static Set<String> declared() {
    var names = new TreeSet<String>();
    collect("feed", Main.commandLine(), names);
    return names;
  }

  /** Returns the command of an operation, without its variant. */
  static String commandOf(Operation operation) {
    return operation.name().replaceFirst(",.*", "");
  }

  private static void collect(String name, CommandLine command, Set<String> names) {
    if (command.getSubcommands().isEmpty()) {
      names.add(name);
    }
    command.getSubcommands().forEach((sub, it) -> collect(name + " " + sub, it, names));
  }

  /** The API of the world has the index, as the local platform's has. */
  private static Runnable reindex(MeasuredWorld world, String expected) {
    return command(
        world,
        output -> output.contains(expected),
        "reindex",
        "--per-second",
        "1000000000",
        "--url",
        world.api().toString());
  }

  private static Runnable reindexOfEmpty(MeasuredWorld world) {
    try {
      var index = world.search();
      int entries = 0;
      for (var kind : EntryKind.values()) {
        var page = index.statesAfter(kind, "", SearchIndex.MAX_STATES);
        while (!page.isEmpty()) {
          for (var entry : page) {
            entries += index.remove(kind, entry.id(), entry.version()) ? 1 : 0;
          }
          page = index.statesAfter(kind, page.getLast().id(), SearchIndex.MAX_STATES);
        }
      }
      index.commit();
      index.refresh();
      return reindex(world, " %,d written, 0 removed".formatted(entries));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Repairs a row, so the table is read before the repair and once more after it. */
  private static Runnable fix(MeasuredWorld world) {
    world.table().table().deleteAll(List.of(HandleClaim.key(Population.TARGET)));
    return withPlatform(world, "verify", "--fix");
  }

  /**
   * Finds a count that is wrong, and leaves it alone: the lanes of the multiplexer do not run here,
   * so none passes the fences. The command would wait at least ten seconds for them.
   */
  private static Runnable fixBehind(MeasuredWorld world) {
    var table = world.table().table();
    table.update(
        world.population().subjectsPost().key(),
        new Update().set(Post.COMMENTS_COUNT, 1),
        Condition.present());
    return () -> {
      var report =
          new RepairLoop(
                  table,
                  Clock.systemUTC(),
                  Optional.empty(),
                  TrendingTags.HALF_LIFE,
                  new LaneWait(table, Duration.ZERO, _ -> {}))
              .run(() -> {}, _ -> {}, _ -> {});
      if (report.unsettled() != 1) {
        throw new AssertionError(report.render());
      }
    };
  }

  /** A like whose author could not be notified. */
  private static DeadLetter deadLetter(MeasuredWorld world) {
    return DeadLetter.of("Engage", "it failed", liked(world, 0));
  }

  /** The record of a like of the target's post. */
  private static DynamodbStreamRecord liked(MeasuredWorld world, int number) {
    var like = world.population().likeOfTarget(number);
    var image =
        RowCodec.encode(like).entrySet().stream()
            .map(e -> "\"%s\":{\"S\":\"%s\"}".formatted(e.getKey(), e.getValue().s()))
            .collect(Collectors.joining(",", "{", "}"));
    var event =
        """
        {"Records": [{"eventName": "INSERT", "dynamodb": \
        {"SequenceNumber": "%s", "Keys": %s, "NewImage": %s}}]}\
        """
            .formatted(Population.sequence(1), image, image);
    return StreamEvents.read(event).getFirst();
  }

  private static Runnable redrive(MeasuredWorld world) {
    return withDeadLetter(world, "redrive", true, onTable(world));
  }

  /** Replays a file as Lambda writes it, while there is a webhook. */
  private static Runnable replay(MeasuredWorld world) {
    var event = StreamEvents.write(List.of(liked(world, 1)));
    var batch = file("{\"payload\": %s}".formatted(TextNode.valueOf(event)));
    var url = world.newQueue();
    var run = command(world, "dlq", "replay", batch.toString(), "--sink-queue-url", url);
    return () -> {
      try (var client = world.queues().newClient()) {
        run.run();
        world.sent(
            client.receiveMessage(r -> r.queueUrl(url).maxNumberOfMessages(10)).messages().size());
      }
      delete(batch);
    };
  }

  /**
   * Runs a command with a queue that holds one dead letter.
   *
   * @param isNamed whether the command takes the id of a dead letter
   */
  private static Runnable withDeadLetter(
      MeasuredWorld world, String name, boolean isNamed, String... more) {
    var deadLetter = deadLetter(world);
    try (var client = world.queues().newClient()) {
      var url = world.newQueue();
      new SqsDeadLetters(client, url).send(deadLetter);
      var all = new ArrayList<>(List.of("dlq", name, "--queue-url", url));
      if (isNamed) {
        all.add(deadLetter.id());
      }
      all.addAll(List.of(more));
      return run(all.toArray(String[]::new));
    }
  }

  private static String erased(MeasuredWorld world) {
    var id = world.population().account();
    world.population().put(Erasure.of(id, world.population().now));
    return id;
  }

  private static Runnable twoEdges(MeasuredWorld world) {
    var edges = file("71 72\n72 71\n");
    var run = withPlatform(world, "import", "--edges", edges.toString());
    return () -> {
      run.run();
      delete(edges);
    };
  }

  private static Path file(String text) {
    try {
      return Files.writeString(Files.createTempFile("bounds", ".txt"), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Runs a command with a server that answers as a platform whose stream is drained, and which has
   * no search index and no store of files.
   */
  private static Runnable withPlatform(MeasuredWorld world, String... arguments) {
    return () -> {
      HttpServer platform = drained();
      try {
        var all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--url", "http://127.0.0.1:" + platform.getAddress().getPort()));
        command(world, all.toArray(String[]::new)).run();
      } finally {
        platform.stop(0);
      }
    };
  }

  private static HttpServer drained() {
    try {
      var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext(
          "/",
          exchange -> {
            var path = exchange.getRequestURI().getPath();
            boolean isAbsent =
                path.startsWith("/v1/dev/search") || path.startsWith("/v1/dev/media");
            var body = (isAbsent ? "" : "drained").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(isAbsent ? 404 : 200, isAbsent ? -1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
          });
      server.start();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Runnable command(MeasuredWorld world, String... arguments) {
    return command(world, _ -> true, arguments);
  }

  private static Runnable command(
      MeasuredWorld world, Predicate<String> isExpected, String... arguments) {
    var all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of(onTable(world)));
    return run(isExpected, all.toArray(String[]::new));
  }

  private static String[] onTable(MeasuredWorld world) {
    return new String[] {
      "--endpoint", world.table().endpoint().toString(), "--table", world.table().table().name()
    };
  }

  private static Runnable run(String... arguments) {
    return run(_ -> true, arguments);
  }

  private static Runnable run(Predicate<String> isExpected, String... arguments) {
    return () -> {
      var text = new StringWriter();
      var command = Main.commandLine();
      command.setOut(new PrintWriter(text)).setErr(new PrintWriter(text));
      int code = command.execute(arguments);
      boolean isDone = code == 0 || RAN.contains(code) && MAY_FIND.contains(arguments[0]);
      if (!isDone || !isExpected.test(text.toString())) {
        throw new AssertionError(code + " " + text);
      }
    };
  }
}
