package social.feed.api.dynamodb;

import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.time.ZoneOffset;
import social.feed.api.ranking.RankingConfiguration;
import social.feed.table.engagement.Comments;
import social.feed.table.engagement.Likes;
import social.feed.table.erasure.Erasures;
import social.feed.table.export.Belongings;
import social.feed.table.graph.BarrierWrites;
import social.feed.table.graph.Barriers;
import social.feed.table.graph.FollowWrites;
import social.feed.table.graph.Follows;
import social.feed.table.graph.KeptHistories;
import social.feed.table.graph.SpecialWrites;
import social.feed.table.home.Activities;
import social.feed.table.home.FanOuts;
import social.feed.table.home.HomeFeeds;
import social.feed.table.home.PullRegistry;
import social.feed.table.home.SpecialFeeds;
import social.feed.table.idempotency.IdempotencyRecords;
import social.feed.table.notification.Notifications;
import social.feed.table.post.Posts;
import social.feed.table.ranking.TopAuthors;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.store.Backoff;
import social.feed.table.store.Table;
import social.feed.table.user.Users;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Puts the stores of the table into the context; they know nothing of it. */
@Factory
final class Stores {

  @Singleton
  Table table(DynamoDbClient client, DynamoDbConfiguration configuration) {
    return new Table(client, configuration.table(), Backoff.standard());
  }

  @Singleton
  Users users(Table table) {
    return new Users(table);
  }

  @Singleton
  Erasures erasures(Table table, Users users) {
    return new Erasures(table, users);
  }

  @Singleton
  Belongings belongings(Table table) {
    return new Belongings(table);
  }

  @Singleton
  Posts posts(Table table) {
    return new Posts(table);
  }

  @Singleton
  Likes likes(Table table) {
    return new Likes(table);
  }

  @Singleton
  Comments comments(Table table) {
    return new Comments(table);
  }

  @Singleton
  Follows follows(Table table) {
    return new Follows(table);
  }

  @Singleton
  FollowWrites followWrites(Table table, LimitsConfiguration limits) {
    return new FollowWrites(table, limits.followed(), limits.kept(), limits.pace());
  }

  @Singleton
  SpecialWrites specialWrites(Table table, FollowWrites follows, LimitsConfiguration limits) {
    return new SpecialWrites(table, follows, limits.special());
  }

  @Singleton
  Barriers barriers(Table table, InstantSource clock) {
    return new Barriers(table, clock.withZone(ZoneOffset.UTC));
  }

  @Singleton
  BarrierWrites barrierWrites(
      Table table, Barriers barriers, FollowWrites follows, LimitsConfiguration limits) {
    return new BarrierWrites(table, barriers, follows, limits.blocked());
  }

  @Singleton
  KeptHistories keptHistories(Table table) {
    return new KeptHistories(table);
  }

  @Singleton
  HomeFeeds homeFeeds(Table table) {
    return new HomeFeeds(table);
  }

  @Singleton
  SpecialFeeds specialFeeds(Table table) {
    return new SpecialFeeds(table);
  }

  @Singleton
  Activities activities(Table table) {
    return new Activities(table);
  }

  @Singleton
  FanOuts fanOuts(Table table) {
    return new FanOuts(table);
  }

  @Singleton
  PullRegistry pullRegistry(Table table) {
    return new PullRegistry(table);
  }

  @Singleton
  TopAuthors topAuthors(Table table) {
    return new TopAuthors(table);
  }

  @Singleton
  TrendingTags trendingTags(Table table, RankingConfiguration configuration) {
    return new TrendingTags(table, configuration.halfLife());
  }

  @Singleton
  Notifications notifications(Table table, InstantSource clock) {
    return new Notifications(table, clock.withZone(ZoneOffset.UTC));
  }

  @Singleton
  IdempotencyRecords idempotencyRecords(Table table, InstantSource clock) {
    return new IdempotencyRecords(table, clock.withZone(ZoneOffset.UTC));
  }
}
