package dev.unseen.spring.idempotent;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A response, and the fingerprint of the request that it is for.
 *
 * @param fingerprint a hash of the request, or an empty text if it is not known
 */
@SuppressWarnings("ArrayRecordComponent") // it is never compared
record StoredResponse(
    String fingerprint, int status, Map<String, List<String>> headers, byte[] body) {
  private static final byte VERSION = 1;

  /** Those of one connection or moment, and cookies, which are not for the client of a replay. */
  private static final Set<String> NOT_KEPT =
      Set.of(
          "connection",
          "content-length",
          "date",
          "keep-alive",
          "set-cookie",
          "trailer",
          "transfer-encoding",
          "upgrade");

  /** Returns the headers to keep: all that were not there before a request was processed. */
  static Map<String, List<String>> added(
      Map<String, List<String>> before, Map<String, List<String>> after) {
    Map<String, List<String>> added = new LinkedHashMap<>();
    after.forEach(
        (name, values) -> {
          if (!values.equals(before.get(name))
              && !NOT_KEPT.contains(name.toLowerCase(Locale.ROOT))) {
            added.put(name, values);
          }
        });
    return added;
  }

  byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length + 256);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeUTF(fingerprint);
      out.writeShort(status);
      out.writeShort(headers.values().stream().mapToInt(List::size).sum());
      for (Map.Entry<String, List<String>> header : headers.entrySet()) {
        for (String value : header.getValue()) {
          out.writeUTF(header.getKey());
          out.writeUTF(value);
        }
      }
      out.write(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a header of more than 65,535 bytes
    }
    return bytes.toByteArray();
  }

  /**
   * Reads a response.
   *
   * @throws IllegalArgumentException if another version has written it
   */
  static StoredResponse of(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      byte version = in.readByte();
      if (version != VERSION) {
        throw new IllegalArgumentException(
            "a stored response has version %d; this Unseen reads version %d"
                .formatted(version, VERSION));
      }
      String fingerprint = in.readUTF();
      int status = in.readUnsignedShort();
      Map<String, List<String>> headers = new LinkedHashMap<>();
      for (int left = in.readUnsignedShort(); left > 0; left--) {
        headers.computeIfAbsent(in.readUTF(), name -> new ArrayList<>()).add(in.readUTF());
      }
      return new StoredResponse(fingerprint, status, headers, in.readAllBytes());
    } catch (IOException e) {
      throw new IllegalArgumentException("a stored response is damaged", e);
    }
  }
}
