package social.feed.ctl;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import social.feed.ctl.avatar.AvatarFolder;
import social.feed.ctl.avatar.AvatarImport;
import social.feed.ctl.avatar.AvatarResult;
import social.feed.ctl.graph.EdgeFile;
import social.feed.ctl.graph.GraphImport;
import social.feed.ctl.graph.ImportResult;
import social.feed.ctl.load.ApiCalls;
import social.feed.table.kernel.store.Table;

/** {@code ./feed import}: loads a follower graph into the running platform. */
@Command(
    name = "import",
    description = {
      "Loads a follower graph, 'follower followee' a line, into the running platform. Run an"
          + " interrupted import again to complete it.",
      "Exits 0 if everything was loaded, 1 if lines, edges, posts or images were skipped, which"
          + " are listed, 2 if the table or the platform does not answer; both are checked before"
          + " anything is written."
    },
    mixinStandardHelpOptions = true)
final class ImportCommand implements Callable<Integer> {
  private static final long MAX_CAP = 1_000_000_000;
  private static final int SHOWN = 100;
  private static final AvatarResult NO_AVATARS = new AvatarResult(0, 0, List.of());

  @Spec private CommandSpec spec;

  @Mixin private TableOptions options = new TableOptions();

  @Option(
      names = "--edges",
      required = true,
      description =
          "file with the graph, and not a pipe, because it is read twice; gzip is recognized, empty"
              + " lines and lines that begin with '#' are ignored")
  private Path edges = Path.of("");

  @Option(
      names = "--posts-per-user",
      defaultValue = "0",
      description =
          "the number of imported posts that each account has afterwards, 0 to 1000; a later import"
              + " adds missing ones. An account that registered less than 23 hours ago gets none yet"
              + " (default: ${DEFAULT-VALUE})")
  private int posts;

  @Option(
      names = "--cap",
      defaultValue = "5000",
      description =
          "the most accounts one user may follow, 1 to 1 000 000 000; edges beyond it are skipped"
              + " and listed (default: ${DEFAULT-VALUE})")
  private long cap;

  @Option(
      names = "--avatars",
      paramLabel = "DIR",
      description =
          "folder with an image for each account, named ID.jpg, .jpeg, .png or .gif; each is"
              + " uploaded as the account would, and an account that has an avatar keeps it")
  private @Nullable Path avatars;

  @Override
  public Integer call() {
    var command = spec.commandLine();
    if (!Files.isReadable(edges) || Files.isDirectory(edges)) {
      throw new ParameterException(command, "Cannot read the file " + edges);
    }
    if (!Files.isRegularFile(edges)) {
      // A pipe is empty when it is read for the second time.
      throw new ParameterException(
          command,
          edges + " is a pipe or a device, and --edges is read twice. Write a file first.");
    }
    if (posts < 0 || posts > GraphImport.MAX_POSTS) {
      throw new ParameterException(
          command, "--posts-per-user must be 0 to " + GraphImport.MAX_POSTS + ", not " + posts);
    }
    if (cap < 1 || cap > MAX_CAP) {
      throw new ParameterException(command, "--cap must be 1 to " + MAX_CAP + ", not " + cap);
    }
    if (avatars != null && !(Files.isDirectory(avatars) && Files.isReadable(avatars))) {
      throw new ParameterException(command, "Cannot read the folder " + avatars);
    }
    var stream = options.stream();
    var table = options.open();
    var progress = new ConsoleProgress();
    var run = new GraphImport(table, Clock.systemUTC(), progress);
    ImportResult result;
    try (var hold = new StreamHold(stream)) {
      result = run.run(new EdgeFile(edges), () -> drain(hold, stream, progress), posts, cap);
    }
    var pictures = avatars == null ? NO_AVATARS : avatars(avatars, table, progress);
    if (pictures.set() > 0) {
      stream.drain(progress);
    }
    var out = command.getOut();
    out.print(summary(result));
    if (avatars != null) {
      out.print(summary(pictures));
    }
    out.println("The multiplexer has caught up: counts and feeds are complete.");
    out.flush();
    boolean isComplete =
        result.survey().bad() == 0 && result.refused().isEmpty() && pictures.refused().isEmpty();
    return isComplete ? 0 : 1;
  }

  private AvatarResult avatars(Path folder, Table table, ConsoleProgress progress) {
    try (var api = new ApiCalls(options.url(), Map.of())) {
      return new AvatarImport(api, table, progress).run(AvatarFolder.of(folder));
    }
  }

  private static String summary(AvatarResult pictures) {
    var text = new StringBuilder();
    pictures.refused().stream()
        .limit(SHOWN)
        .forEach(sentence -> text.append("  %s%n".formatted(sentence)));
    if (pictures.refused().size() > SHOWN) {
      text.append("  and %,d more%n".formatted(pictures.refused().size() - SHOWN));
    }
    text.append(
        "Avatars: %,d set, %,d accounts had one, %,d files refused.%n"
            .formatted(pictures.set(), pictures.kept(), pictures.refused().size()));
    return text.toString();
  }

  private static void drain(StreamHold hold, PlatformStream stream, ConsoleProgress progress) {
    hold.close();
    stream.drain(progress);
  }

  private static String summary(ImportResult result) {
    var survey = result.survey();
    var text = new StringBuilder();
    text.append(
        "Read %,d edges between %,d accounts; %,d bad lines.%n"
            .formatted(survey.edges(), survey.accounts().size(), survey.bad()));
    survey
        .examples()
        .forEach(
            bad ->
                text.append(
                    "  line %,d: %s: %s%n".formatted(bad.number(), bad.reason(), bad.text())));
    if (survey.bad() > survey.examples().size()) {
      text.append("  and %,d more%n".formatted(survey.bad() - survey.examples().size()));
    }
    Stream.concat(result.renamed().stream(), result.refused().stream())
        .forEach(sentence -> text.append("  ").append(sentence).append("%n".formatted()));
    text.append(
        "New: %,d accounts, %,d edges, %,d posts.%n"
            .formatted(result.accounts(), result.edges(), result.posts()));
    return text.toString();
  }
}
