package social.feed.style;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The Maven commands of scripts and documents. Maven ignores a property that nothing reads, and a
 * class that does not exist next to one that does. So a renamed test would drop out of CI unseen.
 * The test does not check in which module a class is, nor the names of methods.
 */
class MavenCommandsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** A property, with or without quotes around it or its value. */
  private static final Pattern PROPERTY =
      Pattern.compile("-D([a-zA-Z.]+)=(?:'([^']*)'|([^\\s'\"`)]*))");

  private static final Set<String> OF_TESTS = Set.of("test", "it.test");

  /** Those that plugins and libraries read. */
  private static final Pattern OF_PLUGINS =
      Pattern.compile(
          "(surefire|failsafe|spotless|maven|cyclonedx|mdep|logback)\\..*"
              + "|newVersion|outputFormat|outputName|includeScope");

  @Test
  void commands_nameTestsAndPropertiesThatExist() throws IOException {
    var sources = SourceFile.below(ROOT);

    assertThat(commands(sources)).hasSizeGreaterThan(20);
    assertThat(commands(sources))
        .contains("-Dcloud.seeds=33 in .ci/run", "-Dcrash.every=1 in .ci/nightly");
    assertThat(unknown(sources)).isEmpty();
  }

  @Test
  void unknownTestsAndProperties_areFound() {
    var sources =
        List.of(
            new SourceFile("a/src/test/java/a/ITKnown.java", "getInteger(\"known.seeds\", 1)"),
            new SourceFile("pom.xml", "<known.warnings>-Xlint</known.warnings>"),
            new SourceFile(
                ".ci/run",
                """
                mvn test -Dtest='ITKnown,ITRenamed' -Dknown.seeds=1 -Dknown.seed=2 -Dknown.warnings= \\
                  -Dsurefire.failIfNoSpecifiedTests=false
                """),
            new SourceFile("README.md", "`mvn verify -Dit.test='a.**.IT*'`, `-Dtest=ITKnown#a+b`"),
            new SourceFile("CONTRIBUTING.md", "`mvn test -Dtest=b.ITKnown`, `-Dtest=ITKn*Page`"));

    assertThat(unknown(sources))
        .containsExactly(
            "ITRenamed in .ci/run",
            "known.seed in .ci/run",
            "b.ITKnown in CONTRIBUTING.md",
            "ITKn*Page in CONTRIBUTING.md");
  }

  private static List<String> commands(List<SourceFile> sources) {
    return texts(sources)
        .flatMap(
            source ->
                PROPERTY
                    .matcher(source.text())
                    .results()
                    .map(found -> found.group() + " in " + source.path()))
        .toList();
  }

  private static Stream<SourceFile> texts(List<SourceFile> sources) {
    return sources.stream()
        .filter(source -> !source.path().endsWith(".java") && !source.path().endsWith("pom.xml"))
        .filter(source -> source.text().contains("mvn "));
  }

  private static List<String> unknown(List<SourceFile> sources) {
    var tests =
        sources.stream()
            .map(SourceFile::path)
            .filter(path -> path.contains("/src/test/java/"))
            .map(path -> path.replaceFirst(".*/src/test/java/", "").replace(".java", ""))
            .collect(Collectors.toSet());
    var texts = texts(sources).toList();
    var read =
        sources.stream()
            .filter(source -> !texts.contains(source))
            .map(SourceFile::text)
            .collect(Collectors.joining());
    var unknown = new ArrayList<String>();
    texts.forEach(
        source ->
            PROPERTY
                .matcher(source.text())
                .results()
                .forEach(
                    found -> {
                      var name = found.group(1);
                      var value = found.group(2) != null ? found.group(2) : found.group(3);
                      if (OF_TESTS.contains(name)) {
                        Arrays.stream(value.split(","))
                            // A variable, or a word that stands for a name.
                            .filter(test -> !test.startsWith("$") && !test.equals("NAME"))
                            .filter(test -> !isAmong(tests, test))
                            .forEach(test -> unknown.add(test + " in " + source.path()));
                      } else if (!isRead(read, name)) {
                        unknown.add(name + " in " + source.path());
                      }
                    }));
    return unknown;
  }

  private static boolean isRead(String read, String name) {
    return OF_PLUGINS.matcher(name).matches()
        || Stream.of("\"%s\"", "<%s>", "${%s}").anyMatch(of -> read.contains(of.formatted(name)));
  }

  /** A name without a package stands for a class of any. */
  private static boolean isAmong(Set<String> tests, String written) {
    var name = written.replaceFirst("#.*", "").replace('.', '/');
    var pattern = name.replace("*", "[^/]*").replace("[^/]*[^/]*/", "(.+/)?");
    var any = Pattern.compile((name.contains("/") ? "" : "(.*/)?") + pattern);
    return tests.stream().anyMatch(test -> any.matcher(test).matches());
  }
}
