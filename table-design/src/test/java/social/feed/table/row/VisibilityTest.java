package social.feed.table.row;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VisibilityTest {
  @ParameterizedTest
  @CsvSource({
    "PUBLIC,    true,  true,  true",
    "PUBLIC,    true,  false, true",
    "PUBLIC,    false, true,  true",
    "PUBLIC,    false, false, true",
    "FOLLOWERS, true,  true,  true",
    "FOLLOWERS, true,  false, true",
    "FOLLOWERS, false, true,  true",
    "FOLLOWERS, false, false, false",
    "PRIVATE,   true,  true,  true",
    "PRIVATE,   true,  false, true",
    "PRIVATE,   false, true,  false",
    "PRIVATE,   false, false, false"
  })
  void allows_everyCase_isTheTruthTable(
      Visibility visibility, boolean author, boolean follower, boolean allowed) {
    assertThat(visibility.allows(author, follower)).isEqualTo(allowed);
  }

  @Test
  void values_areThoseOfTheTruthTable() {
    assertThat(Visibility.values())
        .containsExactly(Visibility.PUBLIC, Visibility.FOLLOWERS, Visibility.PRIVATE);
  }
}
