package social.feed.api.edge.dynamodb;

import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.time.ZoneOffset;
import social.feed.api.ranking.RankingConfiguration;
import social.feed.table.engagement.Comments;
import social.feed.table.engagement.Likes;
import social.feed.table.erasure.Erasures;
import social.feed.table.export.AccountData;
import social.feed.table.graph.BlockWriter;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.FollowQuotas;
import social.feed.table.graph.FollowWriter;
import social.feed.table.graph.RetainedPostsStore;
import social.feed.table.graph.SpecialFollowWriter;
import social.feed.table.home.FanOuts;
import social.feed.table.home.FeedActivities;
import social.feed.table.home.HomeFeeds;
import social.feed.table.home.PullRegistry;
import social.feed.table.home.SpecialFirstFeeds;
import social.feed.table.kernel.idempotency.IdempotencyRecords;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.media.MediaFiles;
import social.feed.table.media.MediaRemovals;
import social.feed.table.notification.Notifications;
import social.feed.table.post.Posts;
import social.feed.table.ranking.TopAuthors;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.suspicion.Suspects;
import social.feed.table.user.Users;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Registers the stores of the table as beans. The stores do not depend on the framework. */
@Factory
final class StoreFactory {

  @Singleton
  Table table(DynamoDbClient client, DynamoDbConfiguration configuration) {
    return new Table(client, configuration.table(), Retry.standard());
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
  AccountData accountData(Table table) {
    return new AccountData(table);
  }

  @Singleton
  Posts posts(Table table) {
    return new Posts(table);
  }

  @Singleton
  MediaFiles mediaFiles(Table table) {
    return new MediaFiles(table);
  }

  @Singleton
  MediaRemovals mediaRemovals(Table table) {
    return new MediaRemovals(table);
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
  FollowEdges followEdges(Table table) {
    return new FollowEdges(table);
  }

  @Singleton
  FollowQuotas followQuotas(Table table) {
    return new FollowQuotas(table);
  }

  @Singleton
  FollowWriter followWriter(Table table, LimitsConfiguration limits) {
    return new FollowWriter(table, limits.followed(), limits.kept(), limits.pace());
  }

  @Singleton
  Suspects suspects(Table table) {
    return new Suspects(table);
  }

  @Singleton
  SpecialFollowWriter specialFollowWriter(Table table, LimitsConfiguration limits) {
    return new SpecialFollowWriter(table, limits.special());
  }

  @Singleton
  BlocksAndMutes blocksAndMutes(Table table, InstantSource clock) {
    return new BlocksAndMutes(table, clock.withZone(ZoneOffset.UTC));
  }

  @Singleton
  BlockWriter blockWriter(Table table, BlocksAndMutes blocksAndMutes, LimitsConfiguration limits) {
    return new BlockWriter(table, blocksAndMutes, limits.blocked());
  }

  @Singleton
  RetainedPostsStore retainedPosts(Table table) {
    return new RetainedPostsStore(table);
  }

  @Singleton
  HomeFeeds homeFeeds(Table table, HomeFeeds.Gate gate, HomeFeeds.PulledReads reads) {
    return new HomeFeeds(table, gate, reads);
  }

  @Singleton
  SpecialFirstFeeds specialFirstFeeds(Table table, HomeFeeds feeds) {
    return new SpecialFirstFeeds(table, feeds);
  }

  @Singleton
  FeedActivities feedActivities(Table table) {
    return new FeedActivities(table);
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
