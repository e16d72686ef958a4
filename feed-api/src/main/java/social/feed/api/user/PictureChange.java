package social.feed.api.user;

import io.micronaut.core.type.Argument;
import io.micronaut.serde.Decoder;
import io.micronaut.serde.Deserializer;
import io.micronaut.serde.annotation.Serdeable;
import io.micronaut.serde.exceptions.InvalidFormatException;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.query.ResourceIds;

/**
 * A picture of a changed profile: the id of a file, or null in JSON, which removes the picture. An
 * absent field of a body has no change.
 *
 * @param mediaId absent to remove the picture
 */
@Serdeable.Deserializable(using = PictureChange.Reader.class)
record PictureChange(@Nullable String mediaId) {
  private static final Pattern ID = Pattern.compile(ResourceIds.PATTERN);

  Optional<String> file() {
    return Optional.ofNullable(mediaId);
  }

  /** Reads null as a value. */
  @Singleton
  static final class Reader implements Deserializer<PictureChange> {
    @Override
    public PictureChange deserialize(
        Decoder decoder, DecoderContext context, Argument<? super PictureChange> type)
        throws IOException {
      var node = decoder.decodeNode();
      if (node.isNull()) {
        return new PictureChange(null);
      }
      if (!node.isString()) {
        throw new InvalidFormatException("not a string", null, node.getValue());
      }
      if (!ID.matcher(node.getStringValue()).matches()) {
        throw new InvalidFormatException("not an id", null, node.getStringValue());
      }
      return new PictureChange(node.getStringValue());
    }

    @Override
    public PictureChange deserializeNullable(
        Decoder decoder, DecoderContext context, Argument<? super PictureChange> type)
        throws IOException {
      return decoder.decodeNull() ? new PictureChange(null) : deserialize(decoder, context, type);
    }
  }
}
