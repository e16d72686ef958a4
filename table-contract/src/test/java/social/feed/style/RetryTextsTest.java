package social.feed.style;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The texts that name what is repeated go into log lines. There, hashes replace the members in
 * keys, and nothing replaces the id of a member that stands alone.
 */
class RetryTextsTest {
  private static final Pattern TEXT =
      Pattern.compile("\\.(?:until|onRest)\\(\\s*(\"[^,;]*),", Pattern.DOTALL);

  private static final Pattern KEY = Pattern.compile("\\w+\\s*\\.key\\((?:[^()]|\\(\\))*\\)");
  private static final Pattern LITERAL = Pattern.compile("\"[^\"]*\"");
  private static final Pattern MEMBER =
      Pattern.compile("\\b(?!postId\\b|mediaId\\b|id\\b)(?:\\w+Id|\\w+Ids|handle)\\b|\\.id\\(\\)");

  private static List<String> texts(String source) {
    return TEXT.matcher(source).results().map(MatchResult::group).toList();
  }

  private static boolean namesAMember(String text) {
    var withoutKeys = KEY.matcher(LITERAL.matcher(text).replaceAll("")).replaceAll("");
    return MEMBER.matcher(withoutKeys).find();
  }

  @Test
  void texts_ofAllModules_nameMembersInKeysOnly() throws IOException {
    var texts =
        SourceFile.below(Path.of("..").toAbsolutePath().normalize()).stream()
            .filter(SourceFile::isMain)
            .flatMap(source -> texts(source.text()).stream())
            .toList();

    assertThat(texts).hasSizeGreaterThan(30).noneMatch(RetryTextsTest::namesAMember);
  }

  @Test
  void text_withAMemberThatStandsAlone_isFound() {
    for (var text : List.of("readerId", "user.id()", "follow.followerId()", "handle")) {
      assertThat(texts("table.retry().until(\n\"Feed of \" + %s, () -> x)".formatted(text)))
          .as(text)
          .hasSize(1)
          .allMatch(RetryTextsTest::namesAMember);
    }
    assertThat(texts(".onRest(\"Feed of \" + User.key(readerId) + \" of \" + postId, first)"))
        .hasSize(1)
        .noneMatch(RetryTextsTest::namesAMember);
  }
}
