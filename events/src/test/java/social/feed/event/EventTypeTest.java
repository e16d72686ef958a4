package social.feed.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which types of events everyone may know, and who gets the others. */
class EventTypeTest {
  private static final Set<EventType> NOT_PUBLIC =
      EnumSet.of(EventType.ACCOUNT_SUSPICIOUS, EventType.NOTIFICATION_CREATED);

  @ParameterizedTest
  @EnumSource
  void type_withoutNames_isWantedIfItIsPublic(EventType type) {
    assertThat(type.isPublic()).isNotEqualTo(NOT_PUBLIC.contains(type));
    assertThat(type.isWantedBy(List.of())).isEqualTo(type.isPublic());
  }

  @ParameterizedTest
  @EnumSource
  void type_withNames_isWantedIfItIsNamed(EventType type) {
    var other = type == EventType.POST_CREATED ? EventType.POST_DELETED : EventType.POST_CREATED;

    assertThat(type.isWantedBy(List.of(other.eventName(), type.eventName()))).isTrue();
    assertThat(type.isWantedBy(List.of(other.eventName()))).isFalse();
    assertThat(type.isWantedBy(List.of("*"))).as("no name stands for all").isFalse();
  }

  @Test
  void names_ofTypesThatAreNotPublic_areRead() {
    assertThat(EventType.notPublic(List.of())).isEmpty();
    assertThat(EventType.notPublic(List.of("notification.created", "account.suspicious")))
        .isEqualTo(NOT_PUBLIC);
    for (var wrong : List.of("post.created", "account.suspicios", "*", "")) {
      assertThatExceptionOfType(IllegalArgumentException.class)
          .isThrownBy(() -> EventType.notPublic(List.of(wrong)))
          .withMessageContaining("account.suspicious, notification.created, not " + wrong);
    }
  }
}
