package social.feed.style;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A rule of the codebase that a text can show to be broken. */
@SuppressWarnings("ImmutableEnumChecker") // Functions of pure code only.
enum StyleRule {
  /** Keys and names of the table are spelled in its declaration and its rows. */
  KEYS_ARE_SPELLED_IN_ONE_PLACE(each(StyleRule::spellsAKey)),
  /** Null is visible in types. */
  PACKAGES_ARE_NULL_MARKED(StyleRule::unmarkedPackages),
  /** Names are the field's words. */
  NAMES_SAY_SOMETHING(each(StyleRule::hasAVagueName)),
  /** A test waits for what it needs, not for a time. */
  TESTS_DO_NOT_SLEEP(tests("Thread\\s*(\\.|::)\\s*sleep|TimeUnit\\s*\\.\\s*\\w+\\s*\\.\\s*sleep")),
  /** Tests run against the real engine. */
  TESTS_DO_NOT_MOCK(tests("(?i)\\bmockito\\b|@Mock\\b|\\bmock\\s*\\(")),
  /** A test that does not run asserts nothing. */
  TESTS_ARE_NOT_SKIPPED(each(StyleRule::skipsATest)),
  /** What is committed is finished. */
  NOTHING_IS_UNFINISHED(each(f -> unfinished().matcher(f.text()).find())),
  /** The SDK would keep what it schedules for a call long after the call. */
  TIMEOUTS_END_WITH_THEIR_CALLS(each(StyleRule::limitsCallsItself)),
  /** Public types say what they are for. */
  PUBLIC_TYPES_HAVE_JAVADOC(each(StyleRule::hasAPublicTypeWithoutJavadoc)),
  /** Code and documents use the field's words, so that no reader has to translate. */
  WORDS_ARE_PLAIN(StyleRule::oddWords);

  private static final Pattern SKIP =
      Pattern.compile(
          "@(Disabled|Enabled)\\w*|\\bAssumptions\\b|\\bassum(e|ing)That\\b|\\bTestAbortedException\\b");

  /** What they test runs on Linux only, as CI does. */
  private static final Pattern ON_LINUX =
      Pattern.compile("(ITImage|ITPackagedFunction|ITPackagedApi|ITSearchLayer)\\.java$");

  private static final String ONLY_ON_LINUX = "@EnabledOnOs(OS.LINUX)";

  /**
   * The one that does it for all clients, and one that limits a single request of such a client.
   */
  private static final Pattern MAY_LIMIT_CALLS =
      Pattern.compile("/(kernel/store/CallTimeouts|edge/operations/TableHealth)\\.java$");

  /** The matrix tells the reader what is sent; a test compares it with the indexes. */
  private static final String MATRIX = "social/feed/table/access/AccessPattern.java";

  /** DynamoDB's own word for a table that has indexes. */
  private static final String BASE_TABLE = "social/feed/table/kernel/declaration/BaseTable.java";

  private static final Pattern KEY =
      Pattern.compile(
          "^(PK|SK|META|QUOTA)$|\\bGSI(\\d|_)|\\b(USER|HANDLE|POST|TAG|COMMENT|LIKE|FOLLOWEE"
              + "|FOLLOWER|FANOUT|FEED|NOTIF|EVT|IDEMP|BLOCK|BLOCKEDBY|MUTE|REGISTRY|TOP|TREND)#");
  private static final Pattern VAGUE_TYPE =
      Pattern.compile(
          "^(Util|Common|Helper|Manager|Impl|Base)s?([A-Z].*)?$"
              + "|.*(Util|Common|Helper|Manager|Impl|Base)s?$");
  private static final Pattern VAGUE_PACKAGE =
      Pattern.compile("(^|.*/)(util|common|helper|manager|impl|base)s?(/.*|$)");
  private static final Pattern PUBLIC_TYPE =
      Pattern.compile(
          "^public (?:(?:final|abstract|sealed|non-sealed) )*(?:@?interface|class|record|enum) ",
          Pattern.MULTILINE);

  /** Where the list of words itself stands. */
  private static final String WORD_LIST = "social/feed/style/StyleRule.java";

  /** Words with a plainer equivalent. A letter may be a dead letter, or a character. */
  private static final Pattern ODD_WORD =
      Pattern.compile(
          "\\b(told|tells?|telling|who(m|so)?ever|anew|afresh|hauls?|whims?|deeds?|mend(s|ed|ing)?"
              + "|bur(y|ies|ied|ying)|heirs?|fame|(some|no|any)body|dress(es|ed|ing)?|besides?"
              + "|of late|for ever"
              + "|(?<!dead[ -])(?<!-case )letters?(?!, digits| and digits| or digits|s? of))\\b");

  /** Stored values and names of other systems; they are no prose. */
  private static final Pattern WIRE_WORD =
      Pattern.compile(
          "TOLD#|TELL#|Told-|\"TellMentioned\"|`TellMentioned`|`soak.deeds`|feed.streams.fame");

  private static final Pattern HUMP = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|_");

  private final Function<List<SourceFile>, List<String>> broken;

  StyleRule(Function<List<SourceFile>, List<String>> broken) {
    this.broken = broken;
  }

  /** Returns where the rule is broken: paths of files or packages, with lines where it has them. */
  List<String> brokenIn(List<SourceFile> files) {
    return broken.apply(files);
  }

  private static Function<List<SourceFile>, List<String>> each(Predicate<SourceFile> broken) {
    return files -> files.stream().filter(broken).map(SourceFile::path).toList();
  }

  private static Function<List<SourceFile>, List<String>> tests(String pattern) {
    var found = Pattern.compile(pattern);
    return each(file -> file.isJava() && !file.isMain() && found.matcher(file.code()).find());
  }

  private static boolean limitsCallsItself(SourceFile file) {
    return file.isJava()
        && file.isMain()
        && !MAY_LIMIT_CALLS.matcher(file.path()).find()
        && file.code().contains(".apiCallTimeout(");
  }

  private static boolean skipsATest(SourceFile file) {
    if (!file.isJava() || file.isMain()) {
      return false;
    }
    var code = file.code();
    var other = ON_LINUX.matcher(file.path()).find() ? code.replace(ONLY_ON_LINUX, "") : code;
    return SKIP.matcher(other).find();
  }

  /** Each odd word with its file and line. */
  private static List<String> oddWords(List<SourceFile> files) {
    return files.stream()
        .filter(file -> !file.path().endsWith(WORD_LIST))
        .flatMap(file -> oddWords(file).stream())
        .toList();
  }

  private static List<String> oddWords(SourceFile file) {
    var found = new ArrayList<String>();
    var lines = file.text().split("\n", -1);
    for (int i = 0; i < lines.length; i++) {
      var odd = ODD_WORD.matcher(words(i > 0 && lines[i - 1].endsWith("dead"), lines[i]));
      while (odd.find()) {
        found.add("%s:%d: %s".formatted(file.path(), i + 1, odd.group()));
      }
    }
    return found;
  }

  /** A line in lower case with names cut into words. */
  private static String words(boolean followsDead, String line) {
    var prose = WIRE_WORD.matcher(line).replaceAll("");
    var text = followsDead ? "dead " + prose.replaceFirst("^[\\s*/#]+", "") : prose;
    return HUMP.matcher(text).replaceAll(" ").toLowerCase(Locale.ROOT);
  }

  private static boolean spellsAKey(SourceFile file) {
    return file.isMain()
        && !file.packagePath().matches("social/feed/table/(kernel/declaration|row)")
        && !file.path().endsWith(MATRIX)
        && file.strings().stream().anyMatch(text -> KEY.matcher(text).find());
  }

  private static List<String> unmarkedPackages(List<SourceFile> files) {
    var marked =
        files.stream()
            .filter(SourceFile::isJava)
            .filter(f -> f.name().equals("package-info") && f.code().contains("@NullMarked"))
            .map(SourceFile::packageOfModule)
            .collect(Collectors.toSet());
    return files.stream()
        .filter(file -> file.isJava() && file.isOfAModule())
        .map(SourceFile::packageOfModule)
        .distinct()
        .filter(name -> !marked.contains(name))
        .toList();
  }

  private static boolean hasAVagueName(SourceFile file) {
    return file.isJava()
        && !file.path().endsWith(BASE_TABLE)
        && (VAGUE_TYPE.matcher(file.name()).matches()
            || VAGUE_PACKAGE.matcher(file.packagePath()).matches());
  }

  /** Spelled in parts, or this file would break the rule. */
  private static Pattern unfinished() {
    return Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");
  }

  private static boolean hasAPublicTypeWithoutJavadoc(SourceFile file) {
    var type = PUBLIC_TYPE.matcher(file.text());
    return file.isMain() && type.find() && !endsWithJavadoc(file.text().substring(0, type.start()));
  }

  /** Between the comment and the type there may be annotations. */
  private static boolean endsWithJavadoc(String before) {
    int end = before.lastIndexOf("*/");
    // Behind the comment an annotation may have a path that looks like the start of one.
    int start = before.lastIndexOf("/**", end);
    return start >= 0
        && before.substring(end + 2).lines().noneMatch(line -> line.startsWith("import "));
  }
}
