package social.feed.image;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A Dockerfile, one instruction a line.
 *
 * @param instructions in their order
 */
record Dockerfile(List<Instruction> instructions) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * A line.
   *
   * @param name such as {@code COPY}
   * @param arguments all that follows
   */
  record Instruction(String name, String arguments) {
    static Instruction of(String line) {
      if (line.endsWith("\\")) {
        throw new IllegalArgumentException("An instruction is one line: " + line);
      }
      var parts = line.split("\\s+", 2);
      return new Instruction(parts[0], parts[1]);
    }

    List<String> words() {
      return List.of(arguments.split("\\s+"));
    }

    /**
     * The command of an instruction that has one, without its options.
     *
     * @throws IllegalArgumentException for one that a shell would run: it would not hand on
     *     signals, and what is not there fails late
     */
    List<String> command() {
      try {
        var json = arguments.substring(Math.max(0, arguments.indexOf('[')));
        return List.of(JSON.readValue(json, String[].class));
      } catch (JsonProcessingException e) {
        throw new IllegalArgumentException(name + " is to name a program: " + arguments, e);
      }
    }
  }

  static Dockerfile read(Path file) throws IOException {
    return parse(Files.readString(file));
  }

  static Dockerfile parse(String text) {
    return new Dockerfile(
        text.lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty() && !line.startsWith("#"))
            .map(Instruction::of)
            .toList());
  }

  /** The one instruction of a name. */
  Instruction only(String name) {
    var found = instructions.stream().filter(it -> it.name().equals(name)).toList();
    if (found.size() != 1) {
      throw new IllegalArgumentException(found.size() + " instructions " + name);
    }
    return found.getFirst();
  }
}
