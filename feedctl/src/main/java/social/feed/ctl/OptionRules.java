package social.feed.ctl;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * Rules that the options of a command must satisfy. A broken one ends the command with its text.
 *
 * @param spec the command
 */
record OptionRules(CommandSpec spec) {
  void require(boolean holds, String rule) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), rule);
    }
  }

  /** Requires a file that can be read, or none. */
  void requireReadable(String option, @Nullable Path file) {
    require(
        file == null || Files.isReadable(file) && !Files.isDirectory(file),
        option + ": cannot read the file " + file);
  }

  /** Requires a file that can be created or replaced, or none. */
  void requireWritable(String option, @Nullable Path file) {
    if (file != null) {
      var folder = file.toAbsolutePath().getParent();
      require(
          Files.exists(file)
              ? Files.isWritable(file) && !Files.isDirectory(file)
              : folder != null && Files.isWritable(folder),
          option + ": cannot write the file " + file);
    }
  }
}
