package social.feed.api.media;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/** A key pair of a distribution, which checks addresses as CloudFront does. */
final class DistributionKeys {
  static final String URL = "https://images.example.com";
  static final String KEY_ID = "K2JCJMDEHXQW5F";

  private final KeyPair keys;

  DistributionKeys(String algorithm, int bits) {
    try {
      var generator = KeyPairGenerator.getInstance(algorithm);
      generator.initialize(bits);
      keys = generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  String privateKey() {
    return "-----BEGIN PRIVATE KEY-----\n"
        + Base64.getMimeEncoder().encodeToString(keys.getPrivate().getEncoded())
        + "\n-----END PRIVATE KEY-----\n";
  }

  Map<String, Object> settings() {
    return Map.of(
        "feed.media.bucket",
        "feed-images",
        "feed.media.distribution.url",
        URL,
        "feed.media.distribution.key-id",
        KEY_ID,
        "feed.media.distribution.private-key",
        privateKey());
  }

  /** Returns the policy of an address whose signature is that of this key, otherwise fails. */
  String policy(String address) {
    var query = query(address);
    if (!KEY_ID.equals(query.get("Key-Pair-Id"))) {
      throw new AssertionError("Another key: " + address);
    }
    var policy = decoded(query.getOrDefault("Policy", ""));
    if (!isSigned(policy, decoded(query.getOrDefault("Signature", "")))) {
      throw new AssertionError("Not signed by this key: " + address);
    }
    return new String(policy, StandardCharsets.UTF_8);
  }

  private boolean isSigned(byte[] policy, byte[] signature) {
    try {
      var algorithm = keys.getPublic().getAlgorithm().equals("EC") ? "ECDSA" : "RSA";
      var check = Signature.getInstance("SHA1with" + algorithm);
      check.initVerify(keys.getPublic());
      check.update(policy);
      return check.verify(signature);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  static Map<String, String> query(String address) {
    var all = new HashMap<String, String>();
    for (var part : address.substring(address.indexOf('?') + 1).split("&", -1)) {
      int equals = part.indexOf('=');
      all.put(part.substring(0, equals), part.substring(equals + 1));
    }
    return all;
  }

  /** CloudFront has other characters where Base64 has those that an address may not have. */
  private static byte[] decoded(String text) {
    return Base64.getDecoder().decode(text.replace('-', '+').replace('_', '=').replace('~', '/'));
  }
}
