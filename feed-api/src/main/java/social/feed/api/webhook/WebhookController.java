package social.feed.api.webhook;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.idempotency.IdempotentCreate;
import social.feed.api.edge.problem.MayBreakRules;
import social.feed.api.edge.problem.MayRefuseBody;
import social.feed.api.edge.query.ResourceIds;
import social.feed.api.edge.security.OperatorsOnly;
import social.feed.api.edge.security.Viewer;
import social.feed.table.kernel.id.TimeOrderedId;

/** Webhooks of the deployment. Each operator manages all of them. */
@OperatorsOnly
@Requires(property = "feed.webhooks.enabled", value = "true")
@Controller("/v1/webhooks")
@Tag(name = "webhooks")
class WebhookController {
  private final WebhookService webhooks;
  private final IdempotentCreate idempotentCreate;
  private final RandomGenerator random;

  WebhookController(
      WebhookService webhooks, IdempotentCreate idempotentCreate, RandomGenerator random) {
    this.webhooks = webhooks;
    this.idempotentCreate = idempotentCreate;
    this.random = random;
  }

  @Operation(
      summary = "Create a webhook",
      description =
          "Only for a token with the scope of operators, `feed:operate`; any other caller gets 404."
              + " The webhook gets events within two seconds. The response has its secret, which no"
              + " later response shows. The host of the address must have public addresses only.")
  @ApiResponse(
      responseCode = "201",
      description = "Created",
      content = @Content(schema = @Schema(implementation = WebhookBody.class)))
  @ApiResponse(responseCode = "409")
  @MayRefuseBody
  @MayBreakRules
  @Post
  HttpResponse<String> createWebhook(
      Viewer viewer,
      HttpRequest<?> request,
      @Nullable @Header("Idempotency-Key") @Pattern(regexp = IdempotentCreate.KEY)
          String idempotencyKey,
      @Body @Valid WebhookRequest webhook) {
    return idempotentCreate.create(
        viewer,
        idempotencyKey,
        request,
        webhook,
        now -> TimeOrderedId.random(now, random),
        resource -> webhooks.draft(viewer, webhook, resource));
  }

  @Operation(
      summary = "All webhooks",
      description =
          "Oldest first, without their secrets. `unreadable` has the ids of those whose row in the"
              + " table cannot be decoded. They are paused until it is corrected by hand; other"
              + " routes than their deletion and the list of their calls fail with 500.")
  @Get
  WebhooksBody listWebhooks() {
    return webhooks.all();
  }

  @Operation(summary = "A webhook", description = "Without its secret.")
  @Get("/{id}")
  WebhookBody getWebhook(@PathVariable @Pattern(regexp = ResourceIds.PATTERN) String id) {
    return webhooks.get(id);
  }

  @Operation(
      summary = "Change a webhook",
      description =
          "Applies within two seconds. A disabled webhook is not called, and its events of that time"
              + " are not made up for; what waited for it before is kept for its day. With"
              + " `rotate_secret` the response has a new secret; for a day calls are signed with the"
              + " former one too. At most four former secrets sign at once,"
              + " and a further replacement is 429 until the first of them ends.")
  @MayRefuseBody
  @MayBreakRules
  @Patch("/{id}")
  WebhookBody changeWebhook(
      @PathVariable @Pattern(regexp = ResourceIds.PATTERN) String id,
      @Body @Valid WebhookChangeRequest change) {
    return webhooks.change(id, change);
  }

  @Operation(
      summary = "Delete a webhook",
      description =
          "It is no longer called after two seconds, and what was not delivered is dropped.")
  @MayRefuseBody
  @Delete("/{id}")
  @Status(HttpStatus.NO_CONTENT)
  void deleteWebhook(@PathVariable @Pattern(regexp = ResourceIds.PATTERN) String id) {
    webhooks.delete(id);
  }

  @Operation(
      summary = "Call a webhook with a test event",
      description =
          "Sends a signed event of the type `webhook.test`, also while the webhook is disabled, and"
              + " returns how the call ended, after 15 s at most. A process has four such calls at"
              + " once.")
  @MayRefuseBody
  @Post("/{id}/test")
  WebhookDeliveryBody testWebhook(@PathVariable @Pattern(regexp = ResourceIds.PATTERN) String id) {
    return webhooks.test(id);
  }

  @Operation(
      summary = "The last calls of a webhook",
      description =
          "Newest first, up to ten successes and ten failures of the last seven days. A call is"
              + " listed within ten seconds. Of many calls in that time only the last ones are kept.")
  @Get("/{id}/deliveries")
  WebhookDeliveriesBody listWebhookDeliveries(
      @PathVariable @Pattern(regexp = ResourceIds.PATTERN) String id) {
    return webhooks.deliveries(id);
  }
}
