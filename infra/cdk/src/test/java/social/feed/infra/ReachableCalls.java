package social.feed.infra;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import social.feed.table.access.AccessPattern;
import social.feed.table.kernel.declaration.Index;

/**
 * The code that may run when the code of a package runs: each method that it calls or references,
 * and each that overrides such a method. From these, it derives the calls to DynamoDB and S3.
 */
final class ReachableCalls {
  /** The code of the functions and of the tasks. */
  static final JavaClasses CODE =
      new ClassFileImporter()
          .withImportOption(new DoNotIncludeTests())
          .importPackages("social.feed.table", "social.feed.api", "social.feed.streams");

  private static final String DYNAMODB = "dynamodb";
  private static final String S3 = "s3";

  /** The service of each client. */
  private static final Map<String, String> CLIENTS =
      Map.of(
          "DynamoDbClient", DYNAMODB,
          "DynamoDbEnhancedClient", DYNAMODB,
          "DynamoDbTable", DYNAMODB,
          "DynamoDbIndex", DYNAMODB,
          "S3Client", S3,
          "S3Presigner", S3);

  /** The actions that have another name than their call. */
  private static final Map<String, String> OTHER_NAMES =
      Map.of("s3:DeleteObjects", "s3:DeleteObject", "s3:ListObjectsV2", "s3:ListBucket");

  /** The methods of the clients that send no request. */
  private static final Set<String> WITHOUT_REQUEST =
      Set.of(
          "builder",
          "close",
          "table",
          "index",
          "tableName",
          "transactWriteItems",
          "serviceClientConfiguration",
          "utilities");

  /** The parts of a transaction, each of which needs the right to its own action. */
  private static final Set<String> PARTS = Set.of("put", "update", "delete", "conditionCheck");

  /** The packages of stores. Rows reference indexes too, but only to be in them. */
  private static final String STORES = "(?!.*\\.(row|declaration|schema|access)$).*";

  private final Set<JavaCodeUnit> reached = new LinkedHashSet<>();
  private final ArrayDeque<JavaCodeUnit> waiting = new ArrayDeque<>();

  private ReachableCalls(Predicate<JavaClass> start) {
    CODE.stream().filter(start).flatMap(type -> type.getCodeUnits().stream()).forEach(this::reach);
    while (!waiting.isEmpty()) {
      accesses(waiting.remove()).forEach(this::follow);
    }
  }

  /** Returns the calls of all code whose package begins with a name. */
  static ReachableCalls of(String start) {
    return new ReachableCalls(type -> type.getPackageName().startsWith(start));
  }

  /** Returns the calls of a class. */
  static ReachableCalls of(Class<?> start) {
    return new ReachableCalls(type -> type.isEquivalentTo(start));
  }

  private void reach(JavaCodeUnit unit) {
    if (reached.add(unit)) {
      waiting.add(unit);
      unit.getOwner().getStaticInitializer().ifPresent(this::reach);
    }
  }

  private void follow(JavaAccess<?> access) {
    var owner = access.getTargetOwner();
    access
        .getTarget()
        .resolveMember()
        .filter(JavaCodeUnit.class::isInstance)
        .map(JavaCodeUnit.class::cast)
        .filter(unit -> CODE.contain(unit.getOwner().getFullName()))
        .ifPresent(this::reach);
    var name = access.getTarget().getName();
    owner.getAllSubclasses().stream()
        .flatMap(type -> type.getMethods().stream())
        .filter(method -> method.getName().equals(name))
        .forEach(this::reach);
  }

  private static Stream<JavaAccess<?>> accesses(JavaCodeUnit unit) {
    return Stream.of(
            unit.getAccessesFromSelf(),
            unit.getMethodReferencesFromSelf(),
            unit.getConstructorReferencesFromSelf())
        .<JavaAccess<?>>flatMap(Set::stream);
  }

  /** Returns the IAM actions of the calls that are sent to the table. */
  Set<String> actions() {
    return actions(DYNAMODB);
  }

  /** Returns the IAM actions of the calls that are sent to the bucket of media. */
  Set<String> actionsOnMedia() {
    return actions(S3);
  }

  private Set<String> actions(String service) {
    return reached.stream()
        .flatMap(ReachableCalls::accesses)
        .flatMap(access -> action(access.getTargetOwner(), access.getTarget().getName()))
        .filter(action -> action.startsWith(service + ":"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Stream<String> action(JavaClass owner, String method) {
    if (!owner.getPackageName().startsWith("software.amazon.awssdk")) {
      return Stream.empty();
    }
    var service = CLIENTS.get(owner.getSimpleName());
    if (service != null) {
      return WITHOUT_REQUEST.contains(method)
          ? Stream.empty()
          : Stream.of(
              iamAction(service, method.replaceFirst("^presign|(WithResponse|Paginator)$", "")));
    }
    boolean isPart =
        owner.getFullName().endsWith("TransactWriteItem$Builder") && PARTS.contains(method);
    return isPart ? Stream.of(iamAction(DYNAMODB, method + "Item")) : Stream.empty();
  }

  private static String iamAction(String service, String call) {
    var action = service + ":" + Character.toUpperCase(call.charAt(0)) + call.substring(1);
    return OTHER_NAMES.getOrDefault(action, action);
  }

  /**
   * Returns the indexes of the access patterns that stores serve, and those that stores reference
   * themselves.
   */
  Set<Index> indexes() {
    return reached.stream()
        .filter(unit -> unit.getOwner().getPackageName().matches(STORES))
        .flatMap(unit -> unit.getFieldAccesses().stream())
        .flatMap(ReachableCalls::index)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Stream<Index> index(JavaFieldAccess access) {
    var name = access.getTarget().getName();
    if (access.getTargetOwner().isEquivalentTo(Index.class)) {
      return Stream.of(Index.valueOf(name));
    }
    return access.getTargetOwner().isEquivalentTo(AccessPattern.class)
        ? AccessPattern.valueOf(name).index().stream()
        : Stream.empty();
  }
}
