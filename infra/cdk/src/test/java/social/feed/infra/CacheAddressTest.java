package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CacheAddressTest {
  private static final String CACHE = "rediss://cache.example.com:6380";
  private static final int PORT = 6380;

  @Test
  void service_withoutACache_hasNeitherAddressNorRule() {
    for (Stage stage : Stage.values()) {
      assertThat(Synthesized.of(stage).json("api").toString())
          .doesNotContain("FEED_CACHE", "The shared cache");
    }
  }

  @Test
  void service_withACache_mayReachItsPortInItsNetworkOnly() throws IOException {
    var stacks = Synthesized.of("shared-cache", Stage.PROD, CacheAddress.CACHE, CACHE);

    assertThat(stacks.only("api", "AWS::ECS::TaskDefinition").toString())
        .contains("\"Name\":\"FEED_CACHE_URL\",\"Value\":\"rediss://cache.example.com:6380\"");
    List<JsonNode> rules =
        stacks.all("api", "AWS::EC2::SecurityGroup").stream()
            .flatMap(
                group ->
                    StreamSupport.stream(group.path("SecurityGroupEgress").spliterator(), false))
            .filter(rule -> rule.path("ToPort").asInt() == PORT)
            .toList();
    assertThat(rules)
        .singleElement()
        .satisfies(
            rule -> {
              assertThat(rule.path("FromPort").asInt()).isEqualTo(PORT);
              assertThat(rule.at("/CidrIp/Fn::GetAtt/1").asText()).isEqualTo("CidrBlock");
            });
  }

  @Test
  void function_withACache_isRejected() {
    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(
            () ->
                StandIns.inputs(
                    Stage.DEV, ApiInputs.API, ApiKind.FUNCTION.label(), CacheAddress.CACHE, CACHE))
        .withMessageContaining("cache is for api=service");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cache.example.com:6379",
        "rediss://host",
        "rediss://host:65536",
        "redis://:secret@host:6379",
        "rediss://"
      })
  void address_ofAnotherForm_isRejectedAndNotRepeated(String url) {
    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(() -> new CacheAddress(url))
        .withMessage("cache must be rediss://HOST:PORT without a password");
  }
}
