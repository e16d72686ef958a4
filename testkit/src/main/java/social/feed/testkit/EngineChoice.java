package social.feed.testkit;

import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import social.feed.engine.LocalDynamoDb;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sts.StsClient;

/**
 * The engine that the tests of this JVM run on. The property {@value #PROPERTY} names it, and the
 * profiles of Maven set that; {@code AWS_ENDPOINT_URL} alone moves no test away from its own JVM.
 */
enum EngineChoice {
  /** DynamoDB Local in this JVM, one for each table. */
  EMBEDDED {
    @Override
    TestEngine open() {
      return new TestEngine.Embedded(LocalDynamoDb.start());
    }
  },

  /** What listens at {@code AWS_ENDPOINT_URL}; without it, LocalStack in a container. */
  ENDPOINT {
    @Override
    TestEngine open() {
      return shared(EngineChoice::endpoint);
    }
  },

  /** DynamoDB itself, in the account and region that {@value #CONSENT} names. */
  AWS {
    @Override
    TestEngine open() {
      return shared(EngineChoice::aws);
    }
  };

  static final String PROPERTY = "feed.tests.engine";
  private static final String CONSENT = "feed.aws.confirm";
  private static final String PREFIX = "feed.tests.prefix";

  private static TestEngine.@Nullable Shared opened;
  private static @Nullable IllegalStateException failed;

  abstract TestEngine open();

  static EngineChoice made() {
    var name = System.getProperty(PROPERTY, "");
    return name.isEmpty() ? EMBEDDED : valueOf(name.toUpperCase(Locale.ROOT));
  }

  private interface Finding {
    EngineAddress find();
  }

  private static synchronized TestEngine.Shared shared(Finding finding) {
    if (failed != null) {
      throw new IllegalStateException(failed.getMessage(), failed);
    }
    try {
      if (opened == null) {
        opened = open(finding.find(), names());
      }
      return opened;
    } catch (IllegalStateException e) {
      // Each class would wait as long for the same.
      failed = e;
      throw e;
    }
  }

  /**
   * An engine that others use as well.
   *
   * @throws IllegalStateException when nothing answers there
   */
  static TestEngine.Shared open(EngineAddress address, TableNames names) {
    var builder =
        DynamoDbClient.builder()
            .overrideConfiguration(of -> of.retryStrategy(AwsRetryStrategy.doNotRetry()));
    try (var client = address.direct(builder).build()) {
      client.listTables(tables -> tables.limit(1));
      names.removeLeftovers(client);
    } catch (SdkClientException e) {
      throw new IllegalStateException(
          "No DynamoDB answers at " + address.endpoint() + ": " + e.getMessage(), e);
    }
    System.err.println("Tables of these tests begin with " + names.prefix() + "-");
    return new TestEngine.Shared(address, names);
  }

  private static TableNames names() {
    var said = System.getProperty(PREFIX, "");
    return said.isEmpty() ? TableNames.ofThisRun() : TableNames.under(said);
  }

  private static EngineAddress endpoint() {
    var url = System.getenv("AWS_ENDPOINT_URL");
    if (url != null && !url.isEmpty()) {
      return EngineAddress.local(URI.create(url));
    }
    return LocalStack.inContainer()
        .map(EngineAddress::local)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "AWS_ENDPOINT_URL names no engine, and no Docker answers to start LocalStack"
                        + " with"));
  }

  private static EngineAddress aws() {
    var consent = AwsConsent.given(System.getProperty(CONSENT));
    try (var sts = StsClient.builder().region(Region.of(consent.region())).build()) {
      consent.requireFor(sts.getCallerIdentity().account());
    }
    return EngineAddress.aws(consent.region());
  }
}
