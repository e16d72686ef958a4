package social.feed.infra;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where posts and accounts are searched: nowhere, or in a domain of Amazon OpenSearch Service.
 *
 * @param isOn {@code search}: whether it is {@code opensearch}, and not {@code none}
 * @param layerZip {@code searchLayerZip}: path of the libraries that the functions need for it
 */
record SearchInputs(boolean isOn, Path layerZip) {
  static final String SEARCH = "search";
  static final String LAYER_ZIP = "searchLayerZip";

  static final String NONE = "none";
  static final String OPENSEARCH = "opensearch";

  /**
   * @throws MissingInputException if there is no such file
   */
  SearchInputs {
    if (isOn && !Files.isRegularFile(layerZip)) {
      throw new MissingInputException(
          "%s must be the path of the libraries of search. There is no file %s"
              .formatted(LAYER_ZIP, layerZip.toAbsolutePath()));
    }
  }

  /**
   * Returns the inputs in the context of an app.
   *
   * @throws MissingInputException if one of them has no possible value
   */
  static SearchInputs of(InputContext context) {
    String kind = context.value(SEARCH, NONE);
    if (!kind.equals(NONE) && !kind.equals(OPENSEARCH)) {
      throw new MissingInputException(
          "%s must be %s or %s, not %s".formatted(SEARCH, NONE, OPENSEARCH, kind));
    }
    return new SearchInputs(kind.equals(OPENSEARCH), Path.of(context.value(LAYER_ZIP, "")));
  }
}
