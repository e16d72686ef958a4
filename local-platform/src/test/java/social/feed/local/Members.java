package social.feed.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** Members of a platform that runs, as its development issuer knows them. */
final class Members {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client = HttpClient.newHttpClient();
  private final URI api;

  Members(URI api) {
    this.api = api;
  }

  /** Returns an access token of a member, with an account or without. */
  String token(String member) throws IOException, InterruptedException {
    var body = BodyPublishers.ofString("{\"user_id\":\"" + member + "\"}");
    return json(send(request("/v1/dev/tokens").POST(body))).required("access_token").textValue();
  }

  /** Registers a member, with the id as the handle. */
  void register(String member) throws IOException, InterruptedException {
    var body = "{\"handle\":\"%s\",\"display_name\":\"%s\"}".formatted(member, member);
    var response = send(as(member, "/v1/users").POST(BodyPublishers.ofString(body)));
    if (response.statusCode() != 201) {
      throw new AssertionError(response.body());
    }
  }

  /** Returns what a member reads. */
  JsonNode read(String member, String path) throws IOException, InterruptedException {
    return json(send(as(member, path).GET()));
  }

  private HttpRequest.Builder as(String member, String path)
      throws IOException, InterruptedException {
    return request(path).header("Authorization", "Bearer " + token(member));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(api.resolve(path)).header("Content-Type", "application/json");
  }

  private HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private static JsonNode json(HttpResponse<String> response) throws IOException {
    return JSON.readTree(response.body());
  }
}
