package social.feed.api.post;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.json.StrictStringLists;
import social.feed.api.edge.query.ResourceIds;
import social.feed.api.edge.text.Text;
import social.feed.api.edge.text.TextRule;

/**
 * A new post.
 *
 * @param text 1 to 500 characters; it contains at most 10 {@code #tags} and 10 {@code @handles}
 * @param visibility public by default
 * @param mediaRef reference to media stored elsewhere, 1 to 512 characters
 * @param media at most 4 completed files of the caller that no other post shows
 */
@Serdeable
@Schema(additionalProperties = Schema.AdditionalPropertiesValue.FALSE)
record PostRequest(
    @Schema(
            requiredMode = Schema.RequiredMode.REQUIRED,
            minLength = TextRule.MIN,
            maxLength = TextRule.POST_MAX,
            pattern = TextRule.LINES)
        @Text(TextRule.POST)
        String text,
    @Nullable PostVisibility visibility,
    @Nullable
        @Schema(
            minLength = TextRule.MIN,
            maxLength = TextRule.MEDIA_REF_MAX,
            pattern = TextRule.LINE)
        @Text(TextRule.MEDIA_REF)
        String mediaRef,
    @Nullable
        @Size(max = PostRequest.MEDIA_MAX)
        @Serdeable.Deserializable(using = StrictStringLists.class)
        List<@NotNull @Pattern(regexp = ResourceIds.PATTERN) String> media) {

  static final int MEDIA_MAX = 4;
}
