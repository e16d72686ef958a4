package social.feed.infra;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Where the bytes of images are. */
enum MediaKind {
  /** Nowhere: the API has no routes of media. */
  NONE,

  /** In a bucket of the data stack. */
  S3;

  static final String MEDIA = "media";

  /**
   * Returns the kind with this label.
   *
   * @throws MissingInputException if there is no such kind
   */
  private static MediaKind named(String name) {
    return Arrays.stream(values())
        .filter(kind -> kind.label().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new MissingInputException(
                    "%s must be one of %s, not %s"
                        .formatted(
                            MEDIA,
                            Arrays.stream(values())
                                .map(MediaKind::label)
                                .collect(Collectors.joining(", ")),
                            name)));
  }

  /** Returns the kind in the context of an app. */
  static MediaKind of(InputContext context) {
    return named(context.value(MEDIA, NONE.label()));
  }

  /** Returns the name in lower case. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
