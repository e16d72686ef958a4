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
import picocli.CommandLine;
import social.feed.ctl.Main;
import social.feed.table.row.Erasure;

/** The commands of {@code ./feed}, run in this JVM on the table of a world. */
final class Commands {
  /** Exit codes of a command that ran: no problem in the data, and a problem. */
  private static final Set<Integer> RAN = Set.of(0, 1);

  private Commands() {}

  /** Returns the commands that are measured, in the order in which a world measures them. */
  static List<Operation> operations() {
    return List.of(
        new Operation("feed verify", world -> withPlatform(world, "verify")),
        new Operation("feed erasure", world -> command(world, "erasure", erased(world))),
        new Operation(
            "feed erasure, with --prove",
            world -> command(world, "erasure", "--prove", erased(world))),
        new Operation("feed import, of two edges", Commands::twoEdges));
  }

  /** The commands that are not measured, with the reason. */
  static Map<String, String> omitted() {
    var reasons = new LinkedHashMap<String, String>();
    reasons.put("feed up", "starts the platform and reads no row");
    reasons.put("feed rehearse", "starts and stops an empty platform of its own");
    for (var command : List.of("list", "show", "drop")) {
      reasons.put("feed dlq " + command, "uses the queue, and no table");
    }
    for (var command : List.of("redrive", "replay")) {
      reasons.put("feed dlq " + command, "applies effects one by one: see the effects");
    }
    reasons.put(
        "feed verify, with --fix",
        "repeats the reads of `feed verify` until nothing is left; a repair costs what it writes");
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
    return () -> {
      var text = new StringWriter();
      var command = Main.commandLine();
      command.setOut(new PrintWriter(text)).setErr(new PrintWriter(text));
      int code = command.execute(all.toArray(String[]::new));
      if (!RAN.contains(code)) {
        throw new AssertionError(code + " " + text);
      }
    };
  }
}
