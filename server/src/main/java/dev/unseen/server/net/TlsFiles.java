package dev.unseen.server.net;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the certificate and the private key for TLS, both PEM files. */
public final class TlsFiles {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----");

  private TlsFiles() {}

  /**
   * Reads both files.
   *
   * @throws IllegalArgumentException if they cannot be used, or do not belong together
   */
  public static SslContext read(Path certificate, Path key) throws IOException {
    try {
      SslContext context = SslContextBuilder.forServer(certificate.toFile(), key.toFile()).build();
      if (!belongTogether(certificate, key)) {
        throw new IllegalArgumentException("the key does not belong to the certificate");
      }
      return context;
    } catch (IllegalArgumentException | GeneralSecurityException e) {
      throw new IllegalArgumentException(
          "--tls-cert %s and --tls-key %s cannot be used: %s; both must be PEM files, the key without a password"
              .formatted(
                  certificate,
                  key,
                  e.getCause() == null ? e.getMessage() : e.getCause().getMessage()),
          e);
    }
  }

  /** Returns whether the certificate verifies a signature of the key. */
  private static boolean belongTogether(Path certificate, Path key)
      throws IOException, GeneralSecurityException {
    PublicKey known;
    try (InputStream in = Files.newInputStream(certificate)) {
      known = CertificateFactory.getInstance("X.509").generateCertificate(in).getPublicKey();
    }
    String algorithm =
        switch (known.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          case "EdDSA" -> "EdDSA";
          default -> ""; // cannot be checked here
        };
    Matcher found = KEY.matcher(Files.readString(key, US_ASCII));
    if (algorithm.isEmpty() || !found.find()) {
      return true;
    }
    try {
      PrivateKey secret =
          KeyFactory.getInstance(known.getAlgorithm())
              .generatePrivate(
                  new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(found.group(1))));
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(secret);
      signature.update((byte) 1);
      byte[] signed = signature.sign();
      signature.initVerify(known);
      signature.update((byte) 1);
      return signature.verify(signed);
    } catch (InvalidKeySpecException | InvalidKeyException e) { // a key of another kind
      return false;
    }
  }
}
