package social.feed.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import social.feed.api.edge.text.TextRule;
import social.feed.table.post.PostText;

/** What a text of the longest length can name, as the page of bounds says. */
class TextCapsTest {
  private static final int MENTIONS = 100;
  private static final int TAGS = 167;
  private static final int FIRST_CHARACTER = 0x4e00;

  private static String words(int number, IntFunction<String> word) {
    return IntStream.range(0, number).mapToObj(word).collect(Collectors.joining(" "));
  }

  @Test
  void post_mentionsAtMostAHundredAccounts() {
    IntFunction<String> shortest = "@%03d"::formatted;

    assertThat(words(MENTIONS, shortest)).hasSizeLessThanOrEqualTo(TextRule.POST_MAX);
    assertThat(words(MENTIONS + 1, shortest)).hasSizeGreaterThan(TextRule.POST_MAX);
    assertThat(PostText.handles(words(MENTIONS, shortest))).hasSize(MENTIONS);
    assertThat(PostText.handles("@01")).isEmpty();
    assertThat(PostText.handles("@001@002")).hasSize(1);
  }

  @Test
  void post_hasAtMost167Tags() {
    IntFunction<String> shortest = i -> "#" + Character.toString(FIRST_CHARACTER + i);

    assertThat(words(TAGS, shortest)).hasSizeLessThanOrEqualTo(TextRule.POST_MAX);
    assertThat(words(TAGS + 1, shortest)).hasSizeGreaterThan(TextRule.POST_MAX);
    assertThat(PostText.tags(words(TAGS, shortest))).hasSize(TAGS);
    assertThat(PostText.tags("#a#b")).hasSize(1);
  }
}
