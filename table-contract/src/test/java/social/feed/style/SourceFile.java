package social.feed.style;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A Java source, a document or a script as text.
 *
 * @param path from the root of the repository, with slashes
 * @param text all of it
 */
record SourceFile(String path, String text) {
  private static final Set<String> SKIPPED = Set.of("target", ".git", "node_modules");

  /** Java sources, documents, settings, and the scripts, which have no ending. */
  private static final Pattern READ =
      Pattern.compile(
          ".*\\.(java|md|properties)|pom\\.xml|.*/pom\\.xml|feed|\\.ci/[a-z]+|infra/(\\w+/)?[a-z]+"
              + "|\\.ci/\\w+/\\w+\\.py|infra/image/src/main/image/\\w+");

  private static final Pattern TOKEN =
      Pattern.compile(
          """
          \\"{3}(?s:.*?)\\"{3}|"(?:\\\\.|[^"\\\\\\n])*+"|'(?:\\\\.|[^'\\\\])++'|//.*|/\\*(?s:.*?)\\*/\
          """);

  /** All Java sources, documents and scripts of the repository. */
  static List<SourceFile> below(Path root) throws IOException {
    var files = new ArrayList<SourceFile>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return SKIPPED.contains(String.valueOf(folder.getFileName()))
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            var path = root.relativize(file).toString().replace('\\', '/');
            if (READ.matcher(path).matches()) {
              files.add(new SourceFile(path, Files.readString(file)));
            }
            return FileVisitResult.CONTINUE;
          }

          /** Other processes make files here and remove them, such as a test of a module. */
          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }
        });
    return files;
  }

  boolean isJava() {
    return path.endsWith(".java");
  }

  boolean isMain() {
    return path.contains("src/main/java/");
  }

  /** A script stands alone. */
  boolean isOfAModule() {
    return path.contains("/src/");
  }

  /** The name without its ending. */
  String name() {
    return path.substring(path.lastIndexOf('/') + 1, path.length() - ".java".length());
  }

  /** Path of the folder below the source root, with slashes. */
  String packagePath() {
    return folder().replaceFirst(".*src/\\w+/java/", "");
  }

  /** The module and the package, one for its main and its test sources. */
  String packageOfModule() {
    return folder().replaceFirst("src/\\w+/java/", "");
  }

  /** The text without comments, strings being empty. */
  String code() {
    return TOKEN.matcher(text).replaceAll(token -> token.group().startsWith("/") ? " " : "''");
  }

  /** The contents of the strings. */
  List<String> strings() {
    return TOKEN
        .matcher(text)
        .results()
        .map(MatchResult::group)
        .filter(token -> token.startsWith("\""))
        .map(token -> token.replaceAll("^\"+|\"+$", ""))
        .toList();
  }

  private String folder() {
    return path.substring(0, path.lastIndexOf('/'));
  }
}
