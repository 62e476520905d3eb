package dev.unseen.server.net;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.handler.ssl.ClientAuth;
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
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files for TLS, all PEM.
 *
 * @param certificate the certificate chain of the server
 * @param key its private key
 * @param authorities the certificates of those who sign the certificates of clients; empty if
 *     clients need none
 */
public record TlsFiles(Path certificate, Path key, Optional<Path> authorities) {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----");

  /**
   * Reads all files.
   *
   * @throws IllegalArgumentException if they cannot be used, or do not belong together
   */
  public SslContext read() throws IOException {
    List<X509Certificate> trusted = readAuthorities();
    try {
      SslContextBuilder builder = SslContextBuilder.forServer(certificate.toFile(), key.toFile());
      if (!trusted.isEmpty()) {
        builder.trustManager(trusted).clientAuth(ClientAuth.REQUIRE);
      }
      SslContext context = builder.build();
      if (!belongTogether()) {
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

  private List<X509Certificate> readAuthorities() throws IOException {
    if (authorities.isEmpty()) {
      return List.of();
    }
    try (InputStream in = Files.newInputStream(authorities.get())) {
      List<X509Certificate> all = new ArrayList<>();
      for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        all.add((X509Certificate) one);
      }
      if (all.isEmpty()) {
        throw new CertificateException("it contains no certificate");
      }
      return all;
    } catch (CertificateException e) {
      throw new IllegalArgumentException(
          "--tls-client-ca %s cannot be used: %s; it must be a PEM file with the certificates that sign those of clients"
              .formatted(authorities.get(), e.getMessage()),
          e);
    }
  }

  /** Returns whether the certificate verifies a signature of the key. */
  private boolean belongTogether() throws IOException, GeneralSecurityException {
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
