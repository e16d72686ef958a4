package social.feed.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Properties;

/**
 * The secrets of a local platform. They survive a restart, so that tokens and cursors stay valid.
 *
 * @param cursor secret that signs cursors
 * @param devIssuer secret that signs development tokens
 */
record Secrets(String cursor, String devIssuer) {
  private static final int BYTES = 32;
  private static final String CURSOR = "cursor";
  private static final String DEV_ISSUER = "dev-issuer";

  static Secrets random() {
    var random = new SecureRandom();
    return new Secrets(secret(random), secret(random));
  }

  /** Returns the secrets in a file, which is created if absent. */
  static Secrets in(Path file) {
    try {
      if (!Files.exists(file)) {
        write(random(), file);
      }
      return read(file);
    } catch (IOException e) {
      throw new UncheckedIOException("The secrets cannot be read or written in " + file, e);
    }
  }

  private static Secrets read(Path file) throws IOException {
    var properties = new Properties();
    try (var reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    }
    var cursor = properties.getProperty(CURSOR);
    var devIssuer = properties.getProperty(DEV_ISSUER);
    if (cursor == null || devIssuer == null) {
      throw new IllegalStateException(
          file
              + " lacks a secret. Delete the file to create new ones; existing tokens and cursors"
              + " become invalid.");
    }
    return new Secrets(cursor, devIssuer);
  }

  /** Writes a draft and renames it, so that a kill leaves no partial file. */
  private static void write(Secrets secrets, Path file) throws IOException {
    var text = "%s=%s%n%s=%s%n".formatted(CURSOR, secrets.cursor, DEV_ISSUER, secrets.devIssuer);
    var draft = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(draft);
    Files.createFile(draft, ownerOnly(file));
    Files.write(draft, text.getBytes(StandardCharsets.UTF_8));
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * Returns permissions for the owner only, if the file system has them: a user who can read the
   * file can sign tokens.
   */
  private static FileAttribute<?>[] ownerOnly(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  private static String secret(SecureRandom random) {
    var bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
