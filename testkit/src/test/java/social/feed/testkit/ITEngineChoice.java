package social.feed.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import social.feed.engine.LocalDynamoDb;

/** The choice of an engine outside this JVM. */
class ITEngineChoice {
  /** Tests that are skipped for lack of an engine would count as passed. */
  @Test
  void endpoint_withoutAnEngine_failsAndIsNamed() throws IOException {
    // A bound socket that does not listen refuses connections, and keeps others off its port.
    try (var held = new Socket()) {
      held.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      var unused = URI.create("http://127.0.0.1:" + held.getLocalPort());

      assertThatIllegalStateException()
          .isThrownBy(() -> EngineChoice.open(EngineAddress.local(unused), TableNames.ofThisRun()))
          .withMessageContaining("No DynamoDB answers at " + unused);
    }
  }

  @Test
  void endpoint_withAnEngine_isUsed() {
    try (var engine = LocalDynamoDb.start()) {
      var address = EngineAddress.local(engine.endpoint());

      assertThat(EngineChoice.open(address, TableNames.ofThisRun()).address()).isEqualTo(address);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "eu-central-1,https://dynamodb.eu-central-1.amazonaws.com",
    "us-gov-west-1,https://dynamodb.us-gov-west-1.amazonaws.com",
    "cn-north-1,https://dynamodb.cn-north-1.amazonaws.com.cn"
  })
  void endpoint_ofARegion_isInTheDomainOfItsPartition(String region, URI endpoint) {
    assertThat(EngineAddress.aws(region).endpoint()).isEqualTo(endpoint);
  }
}
