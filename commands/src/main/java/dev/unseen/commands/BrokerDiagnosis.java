package dev.unseen.commands;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.cert.CertificateException;
import java.util.Locale;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Finds out why a broker of Kafka does not answer, because Kafka's own message is a time-out
 * whatever the reason: nothing listens, the port wants TLS or has none, or it wants a login.
 *
 * @param text the reason and the remedy
 * @param passing whether it may answer later, with the same settings
 */
public record BrokerDiagnosis(String text, boolean passing) {
  private static final int MILLIS = 5000;

  private enum Port {
    NOTHING,
    SILENT,
    TLS,
    NO_TLS
  }

  /**
   * Looks at the brokers, one after the other, until one of them takes a connection.
   *
   * @param servers as Kafka's {@code bootstrap.servers}
   * @param protocol as Kafka's {@code security.protocol}; null for the default
   */
  public static BrokerDiagnosis of(String servers, @Nullable String protocol) {
    return of(servers, protocol, MILLIS);
  }

  static BrokerDiagnosis of(String servers, @Nullable String protocol, int millis) {
    String asked = protocol == null ? "PLAINTEXT" : protocol.toUpperCase(Locale.ROOT);
    Port port = Port.NOTHING;
    for (String server : servers.split(",", -1)) {
      port = port == Port.NOTHING ? look(server.strip(), millis) : port;
    }
    boolean tls = asked.endsWith("SSL");
    if (port == Port.NOTHING) {
      return new BrokerDiagnosis("nothing listens there; start it, or correct --bootstrap", true);
    }
    if (port == Port.TLS && !tls) {
      return new BrokerDiagnosis(
          "it wants TLS, and security.protocol is %s; set it to SSL or SASL_SSL in --config"
              .formatted(asked),
          false);
    }
    if (port == Port.NO_TLS && tls) {
      return new BrokerDiagnosis(
          "it has no TLS, and security.protocol is %s; set it to PLAINTEXT or SASL_PLAINTEXT in --config"
              .formatted(asked),
          false);
    }
    return new BrokerDiagnosis(
        "it takes connections but answers no request; if it wants a login, set security.protocol and sasl.* in --config",
        true);
  }

  private static Port look(String server, int millis) {
    int colon = server.lastIndexOf(':');
    String host = server.substring(0, Math.max(0, colon)).replaceAll("^.*//|[\\[\\]]", "");
    Socket plain = new Socket();
    try (plain) {
      int number = Integer.parseInt(server.substring(colon + 1));
      plain.connect(new InetSocketAddress(host, number), millis);
      plain.setSoTimeout(millis);
      SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
      try (SSLSocket socket = (SSLSocket) factory.createSocket(plain, host, number, true)) {
        socket.startHandshake();
        return Port.TLS;
      }
    } catch (SocketTimeoutException e) { // busy, perhaps, so nothing is known of its TLS
      return plain.isConnected() ? Port.SILENT : Port.NOTHING;
    } catch (SSLException e) {
      return isAnswer(e) ? Port.TLS : Port.NO_TLS;
    } catch (IOException | IllegalArgumentException e) {
      return plain.isConnected() ? Port.NO_TLS : Port.NOTHING;
    }
  }

  /**
   * Returns whether the peer spoke TLS, though the handshake failed: with a certificate or an
   * alert.
   */
  private static boolean isAnswer(SSLException e) {
    for (Throwable each = e; each != null; each = each.getCause()) {
      if (each instanceof CertificateException
          || String.valueOf(each.getMessage()).contains("fatal alert")) {
        return true;
      }
    }
    return false;
  }
}
