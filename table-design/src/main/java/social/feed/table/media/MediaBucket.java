package social.feed.table.media;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.store.CallTimeouts;
import social.feed.table.row.Media;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner.AuthLocation;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Object;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/**
 * Objects in a bucket of S3: {@code media/<media id>/<name>}, and {@code uploads/<media id>} for
 * bytes that are not yet checked, so that a lifecycle rule can end those alone. No object is
 * public. Clients send uploads to a signed address, and get files from one. Any service that speaks
 * S3 is suitable.
 *
 * <p>Each method is one request, but for {@link #removeAll} and {@link #names} with two each, and
 * the list of all files with one for each thousand. A failure of the service is an {@link
 * IOException}, an {@link MediaStore.UnavailableException} where the same call may succeed later.
 */
public final class MediaBucket implements MediaStore, AutoCloseable {
  /** The beginning of the keys of unchecked uploads. */
  public static final String UPLOADS = "uploads/";

  /** The beginning of the keys of all other objects. */
  public static final String FILES = "media/";

  /** No address can be valid for longer. */
  public static final Duration VALID_MAX = Duration.ofDays(7);

  private static final String SERVICE = "s3";
  private static final String CHECKSUM = "x-amz-checksum-sha256";
  private static final String CONTENT_TYPE = "content-type";
  private static final String OTHER_TYPE = "application/octet-stream";

  /** By the end of an object's name. */
  private static final Map<String, String> TYPES =
      Map.of("jpg", "image/jpeg", "png", "image/png", "gif", "image/gif");

  /** As long as addresses are valid by default; a browser keeps the image, and no one else. */
  private static final String CACHE_CONTROL = "private, immutable, max-age=600";

  private static final int CONNECTIONS_MAX = 64;

  /** The maximum of one request. A file has four objects. */
  private static final int REMOVED_AT_ONCE = 1_000;

  private final String bucket;
  private final Region region;
  private final AwsCredentialsProvider credentials;
  private final S3Client client;
  private final S3Presigner presigner;
  private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();

  /** The address of an object without its key. */
  private final String address;

  /** Where and how to send the bytes of an upload. The headers are part of the signature. */
  public record SignedUpload(URI address, Map<String, String> headers) {}

  /**
   * Sends no request. The caller closes it.
   *
   * @param credentials for requests and signatures; an address ends with temporary ones
   */
  public MediaBucket(BucketSettings settings, AwsCredentialsProvider credentials) {
    this.bucket = settings.bucket();
    this.credentials = credentials;
    // Other services rarely have a host name for each bucket.
    var paths =
        S3Configuration.builder().pathStyleAccessEnabled(settings.endpoint() != null).build();
    this.client =
        S3Client.builder()
            .region(settings.region() == null ? null : Region.of(settings.region()))
            .credentialsProvider(credentials)
            .endpointOverride(settings.endpoint())
            .serviceConfiguration(paths)
            .overrideConfiguration(o -> CallTimeouts.limit(o, settings.callTimeout()))
            .httpClientBuilder(Apache5HttpClient.builder().maxConnections(CONNECTIONS_MAX))
            .build();
    this.region = client.serviceClientConfiguration().region();
    this.presigner =
        S3Presigner.builder()
            .region(region)
            .credentialsProvider(credentials)
            .endpointOverride(settings.endpoint())
            .serviceConfiguration(paths)
            .build();
    var object = client.utilities().getUrl(url -> url.bucket(bucket).key(FILES)).toString();
    this.address = object.substring(0, object.length() - FILES.length());
  }

  private static String uploadKey(String mediaId) {
    return UPLOADS + ObjectName.checked(mediaId);
  }

  private static String folder(String mediaId) {
    return FILES + ObjectName.checked(mediaId) + "/";
  }

  private static String key(String mediaId, String name) {
    return name.equals(UPLOAD) ? uploadKey(mediaId) : folder(mediaId) + ObjectName.checked(name);
  }

  private static String contentType(String name) {
    return TYPES.getOrDefault(name.substring(name.indexOf('.') + 1), OTHER_TYPE);
  }

  /** The content is in memory, because S3 wants its size first. */
  @Override
  public boolean write(String mediaId, String name, InputStream content, long limit)
      throws IOException {
    var key = key(mediaId, name);
    var bytes = content.readNBytes(Math.toIntExact(limit + 1));
    if (bytes.length > limit) {
      return false;
    }
    called(
        () ->
            client.putObject(
                put ->
                    put.bucket(bucket)
                        .key(key)
                        .contentType(contentType(name))
                        .cacheControl(CACHE_CONTROL),
                RequestBody.fromBytes(bytes)));
    return true;
  }

  /**
   * The content is in memory, so that the time of a call covers its last byte: a stream would have
   * no limit, and would fail as no failure of this class.
   */
  @Override
  public Optional<InputStream> read(String mediaId, String name) throws IOException {
    var key = key(mediaId, name);
    try {
      var content =
          called(
              () ->
                  client.getObject(
                      get -> get.bucket(bucket).key(key), ResponseTransformer.toBytes()));
      return Optional.of(content.asInputStream());
    } catch (IOException e) {
      if (e.getCause() instanceof NoSuchKeyException) {
        return Optional.empty();
      }
      throw e;
    }
  }

  @Override
  public void remove(String mediaId, String name) throws IOException {
    var key = key(mediaId, name);
    called(() -> client.deleteObject(delete -> delete.bucket(bucket).key(key)));
  }

  @Override
  public void removeAll(String mediaId) throws IOException {
    var keys =
        Stream.concat(
                Stream.of(uploadKey(mediaId)),
                listed(list -> list.prefix(folder(mediaId))).contents().stream().map(S3Object::key))
            .map(key -> ObjectIdentifier.builder().key(key).build())
            .limit(REMOVED_AT_ONCE)
            .toList();
    var removal =
        called(
            () ->
                client.deleteObjects(
                    delete -> delete.bucket(bucket).delete(all -> all.objects(keys).quiet(true))));
    if (removal.hasErrors() && !removal.errors().isEmpty()) {
      var first = removal.errors().getFirst();
      throw new IOException(
          "%d objects cannot be removed, the first one because of %s: %s"
              .formatted(removal.errors().size(), first.code(), first.message()));
    }
  }

  /** A key of another form was not written by this class. */
  @Override
  public Stream<String> mediaIds() {
    var files =
        Stream.of(FILES)
            .flatMap(prefix -> pages(list -> list.prefix(prefix).delimiter("/")))
            .flatMap(page -> page.commonPrefixes().stream())
            .map(CommonPrefix::prefix)
            .map(prefix -> prefix.substring(FILES.length(), prefix.length() - 1));
    var uploads =
        Stream.of(UPLOADS)
            .flatMap(prefix -> pages(list -> list.prefix(prefix)))
            .flatMap(page -> page.contents().stream())
            .map(S3Object::key)
            .map(key -> key.substring(UPLOADS.length()));
    return Stream.concat(files, uploads).filter(TimeOrderedId::isValid);
  }

  /** Requests each page when the one before was used. */
  private Stream<ListObjectsV2Response> pages(Consumer<ListObjectsV2Request.Builder> list) {
    return Stream.iterate(
            Optional.of(page(list)),
            Optional::isPresent,
            before ->
                before
                    .map(ListObjectsV2Response::nextContinuationToken)
                    .map(token -> page(list.andThen(next -> next.continuationToken(token)))))
        .flatMap(Optional::stream);
  }

  private ListObjectsV2Response page(Consumer<ListObjectsV2Request.Builder> list) {
    try {
      return listed(list);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ListObjectsV2Response listed(Consumer<ListObjectsV2Request.Builder> list)
      throws IOException {
    return called(() -> client.listObjectsV2(list.andThen(all -> all.bucket(bucket))));
  }

  @Override
  public Set<String> names(String mediaId) throws IOException {
    var folder = folder(mediaId);
    Set<String> names =
        listed(list -> list.prefix(folder)).contents().stream()
            .map(object -> object.key().substring(folder.length()))
            .collect(Collectors.toCollection(LinkedHashSet::new));
    var upload = uploadKey(mediaId);
    if (listed(list -> list.prefix(upload)).contents().stream()
        .anyMatch(object -> object.key().equals(upload))) {
      names.add(UPLOAD);
    }
    return Set.copyOf(names);
  }

  /**
   * Signs where the bytes of a pending file are sent. S3 accepts a {@code PUT} with exactly the
   * announced size, type and SHA-256 digest, and refuses all others. Sends no request.
   *
   * @param valid at most {@link #VALID_MAX}
   */
  public SignedUpload signedUpload(Media media, Duration valid) {
    var digest = Base64.getEncoder().encodeToString(HexFormat.of().parseHex(media.sha256()));
    var signed =
        presigner.presignPutObject(
            presign ->
                presign
                    .signatureDuration(valid)
                    .putObjectRequest(
                        put ->
                            put.bucket(bucket)
                                .key(uploadKey(media.mediaId()))
                                .contentType(media.contentType())
                                .contentLength(media.bytes())
                                .checksumSHA256(digest)));
    // Each client of HTTP sends host and length by itself.
    return new SignedUpload(
        URI.create(signed.url().toString()),
        new TreeMap<>(Map.of(CONTENT_TYPE, media.contentType(), CHECKSUM, digest)));
  }

  /**
   * Signs the address of an object. The same arguments and credentials give the same address, so
   * that caches work. Sends no request.
   *
   * @param at when the address begins to be valid, may be past
   * @param valid at most {@link #VALID_MAX}
   */
  public URI signedFile(String mediaId, String name, Instant at, Duration valid) {
    var request =
        SdkHttpRequest.builder()
            .method(SdkHttpMethod.GET)
            .uri(URI.create(address + key(mediaId, name)))
            .build();
    // The presigner of S3 takes no time, and ten times as long.
    return signer
        .sign(
            sign ->
                sign.request(request)
                    .identity(credentials.resolveCredentials())
                    .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, SERVICE)
                    .putProperty(AwsV4HttpSigner.REGION_NAME, region.id())
                    .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                    .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false)
                    .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, false)
                    .putProperty(AwsV4HttpSigner.AUTH_LOCATION, AuthLocation.QUERY_STRING)
                    .putProperty(AwsV4HttpSigner.EXPIRATION_DURATION, valid)
                    .putProperty(HttpSigner.SIGNING_CLOCK, Clock.fixed(at, ZoneOffset.UTC)))
        .request()
        .getUri();
  }

  private static <T> T called(Supplier<T> call) throws IOException {
    try {
      return call.get();
    } catch (AwsServiceException e) {
      var message = "The bucket of media refuses a call: " + e.getMessage();
      throw e.isThrottlingException() || e.statusCode() >= 500
          ? new UnavailableException(message, e)
          : new IOException(message, e);
    } catch (SdkClientException e) {
      throw new UnavailableException("The bucket of media does not answer: " + e.getMessage(), e);
    } catch (SdkException e) {
      throw new IOException("The bucket of media cannot be used: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    presigner.close();
    client.close();
  }
}
