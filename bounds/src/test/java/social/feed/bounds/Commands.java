package social.feed.bounds;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine;
import social.feed.ctl.Main;
import social.feed.engine.LocalQueue;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.deadletter.SqsDeadLetters;
import social.feed.streams.deadletter.StreamEvents;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.row.Erasure;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.Like;

/** The commands of {@code ./feed}, run in this JVM on the table of a world. */
final class Commands {
  static final String FIX = "feed verify, with --fix, of one lost claim";

  /** Exit codes of a command that ran: no problem in the data, and a problem. */
  private static final Set<Integer> RAN = Set.of(0, 1);

  private Commands() {}

  /** Returns the commands that are measured, in the order in which a world measures them. */
  static List<Operation> operations() {
    return List.of(
        new Operation("feed verify", world -> withPlatform(world, "verify")),
        new Operation(FIX, Commands::fix),
        new Operation("feed erasure", world -> command(world, "erasure", erased(world))),
        new Operation(
            "feed erasure, with --prove",
            world -> command(world, "erasure", "--prove", erased(world))),
        new Operation("feed import, of two edges", Commands::twoEdges),
        new Operation("feed dlq list", world -> withDeadLetter(world, "list", false)),
        new Operation("feed dlq show", world -> withDeadLetter(world, "show", true)),
        new Operation("feed dlq drop", world -> withDeadLetter(world, "drop", true)));
  }

  /** The commands that are not measured, with the reason. */
  static Map<String, String> omitted() {
    var reasons = new LinkedHashMap<String, String>();
    reasons.put("feed up", "starts the platform and reads no row");
    reasons.put("feed rehearse", "starts and stops an empty platform of its own");
    for (var command : List.of("redrive", "replay")) {
      reasons.put("feed dlq " + command, "applies effects one by one: see the effects");
    }
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

  /**
   * Repairs a row, so the table is read before the repair and once more after it. The repair of a
   * count would wait for the lanes of the multiplexer, which do not run here.
   */
  private static Runnable fix(MeasuredWorld world) {
    world.table().table().deleteAll(List.of(HandleClaim.key(Population.TARGET)));
    return withPlatform(world, "verify", "--fix");
  }

  /** A like whose author could not be notified. */
  private static DeadLetter deadLetter(MeasuredWorld world) {
    var post = world.population().subjectsPost();
    var like = new Like(post.postId(), Population.TARGET, Population.SUBJECT, post.createdAt());
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
    return DeadLetter.of("PostInteraction", "it failed", StreamEvents.read(event).getFirst());
  }

  /**
   * Runs a command with a queue that holds one dead letter.
   *
   * @param isNamed whether the command takes the id of a dead letter
   */
  private static Runnable withDeadLetter(MeasuredWorld world, String name, boolean isNamed) {
    var queue = LocalQueue.start();
    var deadLetter = deadLetter(world);
    try (var client = queue.newClient()) {
      var url = queue.createQueue("dead-letters").toString();
      new SqsDeadLetters(client, url).send(deadLetter);
      var all = new ArrayList<>(List.of("dlq", name, "--queue-url", url));
      if (isNamed) {
        all.add(deadLetter.id());
      }
      var arguments = all.toArray(String[]::new);
      return () -> {
        try (queue) {
          run(arguments).run();
        }
      };
    }
  }

  private static String erased(MeasuredWorld world) {
    var id = world.population().account();
    world.population().put(Erasure.of(id, world.population().now));
    return id;
  }

  private static Runnable twoEdges(MeasuredWorld world) {
    try {
      var edges = Files.createTempFile("edges", ".txt");
      Files.writeString(edges, "71 72\n72 71\n");
      var run = withPlatform(world, "import", "--edges", edges.toString());
      return () -> {
        run.run();
        delete(edges);
      };
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

  /** Runs a command with a server that answers as a platform whose stream is drained. */
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
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
          });
      server.start();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Runnable command(MeasuredWorld world, String... arguments) {
    var all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--endpoint", world.table().endpoint().toString()));
    all.addAll(List.of("--table", world.table().table().name()));
    return run(all.toArray(String[]::new));
  }

  private static Runnable run(String... arguments) {
    return () -> {
      var text = new StringWriter();
      var command = Main.commandLine();
      command.setOut(new PrintWriter(text)).setErr(new PrintWriter(text));
      int code = command.execute(arguments);
      if (!RAN.contains(code)) {
        throw new AssertionError(code + " " + text);
      }
    };
  }
}
