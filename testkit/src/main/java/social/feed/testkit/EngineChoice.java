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
 * The engine for the tests of this JVM. The property {@value #PROPERTY} selects it, and Maven
 * profiles set that property. {@code AWS_ENDPOINT_URL} alone does not change the engine.
 */
enum EngineChoice {
  /** DynamoDB Local in this JVM, one instance for each table. */
  EMBEDDED {
    @Override
    TestEngine open() {
      return new TestEngine.Embedded(LocalDynamoDb.start());
    }
  },

  /**
   * The engine at {@code AWS_ENDPOINT_URL}, or LocalStack in a container if the variable is not
   * set.
   */
  ENDPOINT {
    @Override
    TestEngine open() {
      return shared(EngineChoice::endpoint);
    }
  },

  /** DynamoDB, in the account and region that {@value #CONSENT} confirms. */
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

  static EngineChoice selected() {
    var name = System.getProperty(PROPERTY, "");
    return name.isEmpty() ? EMBEDDED : valueOf(name.toUpperCase(Locale.ROOT));
  }

  private interface AddressLookup {
    EngineAddress find();
  }

  private static synchronized TestEngine.Shared shared(AddressLookup lookup) {
    if (failed != null) {
      throw new IllegalStateException(failed.getMessage(), failed);
    }
    try {
      if (opened == null) {
        opened = open(lookup.find(), names());
      }
      return opened;
    } catch (IllegalStateException e) {
      // Without the cached failure, each test class would wait for the same time-out.
      failed = e;
      throw e;
    }
  }

  /**
   * Returns an engine that other processes also use.
   *
   * @throws IllegalStateException if no engine answers there
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
    System.err.println("The table names of this test run start with " + names.prefix() + "-");
    return new TestEngine.Shared(address, names);
  }

  private static TableNames names() {
    var prefix = System.getProperty(PREFIX, "");
    return prefix.isEmpty() ? TableNames.ofThisRun() : TableNames.under(prefix);
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
                    "AWS_ENDPOINT_URL is not set, and no Docker daemon answers to start LocalStack."
                        + " Set the variable or start Docker"));
  }

  private static EngineAddress aws() {
    var consent = AwsConsent.given(System.getProperty(CONSENT));
    try (var sts = StsClient.builder().region(Region.of(consent.region())).build()) {
      consent.requireFor(sts.getCallerIdentity().account());
    }
    return EngineAddress.aws(consent.region());
  }
}
