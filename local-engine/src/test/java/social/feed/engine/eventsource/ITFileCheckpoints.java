package social.feed.engine.eventsource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ITFileCheckpoints {

  private static final Checkpoint OPEN =
      new Checkpoint("123456789012345678901", false, new OpenWindow(0, 10, Map.of("n", "1")));
  private static final Checkpoint FINISHED = new Checkpoint(null, true, null);

  @TempDir Path folder;
  private Path file = Path.of("");

  @BeforeEach
  void nameFile() {
    file = folder.resolve("checkpoints.json");
  }

  @Test
  void save_reopened_readsTheSame() {
    Checkpoints written = Checkpoints.inFile(file);
    written.save("arn", "m", "shard-1", OPEN);
    written.save("arn", "m", "shard-2", FINISHED);
    written.save("arn", "other", "shard-1", FINISHED);
    written.save("old arn", "m", "shard-3", FINISHED);

    assertThat(Checkpoints.inFile(file).of("arn", "m"))
        .isEqualTo(Map.of("shard-1", OPEN, "shard-2", FINISHED));
  }

  @Test
  void forget_aMapping_keepsTheOthers() {
    Checkpoints written = Checkpoints.inFile(file);
    written.save("arn", "m", "shard-1", OPEN);
    written.save("arn", "other", "shard-1", FINISHED);
    written.forget("arn", "m");

    assertThat(Checkpoints.inFile(file).of("arn", "m")).isEmpty();
    assertThat(Checkpoints.inFile(file).of("arn", "other")).hasSize(1);
  }

  @Test
  void keepOnly_someShards_deletesTheOthersOfThisMapping() {
    Checkpoints written = Checkpoints.inFile(file);
    written.save("arn", "m", "shard-1", FINISHED);
    written.save("arn", "m", "shard-2", OPEN);
    written.save("arn", "other", "shard-1", FINISHED);
    written.keepOnly("arn", "m", Set.of("shard-2", "shard-3"));

    assertThat(Checkpoints.inFile(file).of("arn", "m")).isEqualTo(Map.of("shard-2", OPEN));
    assertThat(Checkpoints.inFile(file).of("arn", "other")).hasSize(1);
  }

  @Test
  void inFile_damaged_throwsWithFileAndRemedy() throws IOException {
    Checkpoints.inFile(file).save("arn", "m", "shard-1", OPEN);
    String good = Files.readString(file);
    String[] damages = {
      "",
      "null",
      "{}",
      "no json",
      good.substring(0, good.length() / 2),
      good.replace("\"format\":1", "\"format\":2"),
      good + good
    };
    for (String damaged : damages) {
      Files.writeString(file, damaged);

      assertThatThrownBy(() -> Checkpoints.inFile(file))
          .as(damaged)
          .isInstanceOf(CheckpointsUnreadableException.class)
          .hasMessageContaining(file.toString())
          .hasMessageContaining("or delete it");
    }
  }

  @Test
  void inFile_partialFileOfAKilledSave_isIgnored() throws IOException {
    Checkpoints.inFile(file).save("arn", "m", "shard-1", OPEN);
    Files.writeString(folder.resolve("checkpoints.json.next"), "{\"form");

    assertThat(Checkpoints.inFile(file).of("arn", "m")).containsEntry("shard-1", OPEN);
  }
}
