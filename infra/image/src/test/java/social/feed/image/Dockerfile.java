package social.feed.image;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A Dockerfile with one instruction on each line.
 *
 * @param instructions the instructions in order
 */
record Dockerfile(List<Instruction> instructions) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * An instruction.
   *
   * @param name such as {@code COPY}
   * @param arguments the rest of the line
   */
  record Instruction(String name, String arguments) {
    static Instruction of(String line) {
      if (line.endsWith("\\")) {
        throw new IllegalArgumentException("An instruction must be on one line: " + line);
      }
      var parts = line.split("\\s+", 2);
      return new Instruction(parts[0], parts[1]);
    }

    List<String> words() {
      return List.of(arguments.split("\\s+"));
    }

    /**
     * Returns the command of an instruction, without the options of the instruction.
     *
     * @throws IllegalArgumentException for a command in shell form: the shell would not forward
     *     signals, and a missing program would fail late
     */
    List<String> command() {
      try {
        var json = arguments.substring(Math.max(0, arguments.indexOf('[')));
        return List.of(JSON.readValue(json, String[].class));
      } catch (JsonProcessingException e) {
        throw new IllegalArgumentException(
            name + " must name a program in JSON form: " + arguments, e);
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

  /** Returns the only instruction with this name. */
  Instruction only(String name) {
    var found = instructions.stream().filter(it -> it.name().equals(name)).toList();
    if (found.size() != 1) {
      throw new IllegalArgumentException(found.size() + " instructions " + name);
    }
    return found.getFirst();
  }
}
